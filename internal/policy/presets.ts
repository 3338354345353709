// What a level may do in each mode, and the presets that replace or tighten that table.
import { actions, type Level, type Mode, type PermissionAction } from './level.ts'

export const presetNames = ['careful', 'strict', 'unrestricted'] as const
export type PermissionPreset = (typeof presetNames)[number]

/** The preset that a setting names; `yolo` is another name for `unrestricted`. */
export const readPreset = (name: PermissionPreset | 'yolo'): PermissionPreset =>
  name === 'yolo' ? 'unrestricted' : name

type Column = Readonly<Record<Level, PermissionAction>>

const cautious: Column = {
  auto_read: 'allow',
  external_read: 'allow',
  state_write: 'allow',
  delegated: 'allow',
  confirm_write: 'ask',
  confirm_execute: 'ask',
  // the tool itself asks; a question about a question helps nobody
  interactive: 'allow',
}

/**
 * Level by mode. In `edits` and `auto` writes of files in the workspace are allowed all the same, in `auto`
 * commands of a known class as well: both depend on more than the level, see decision-items.ts and
 * line-items.ts.
 */
export const levelActions: Readonly<Record<Mode, Column>> = {
  ask: cautious,
  edits: cautious,
  auto: cautious,
  unrestricted: { ...cautious, confirm_write: 'allow', confirm_execute: 'allow' },
}

/** `careful`: above external_read everything asks. `strict`: auto_read only, unless a rule allows. */
const presets: Readonly<Record<PermissionPreset, Column>> = {
  careful: { ...cautious, state_write: 'ask', delegated: 'ask' },
  strict: {
    auto_read: 'allow',
    external_read: 'deny',
    state_write: 'deny',
    delegated: 'deny',
    confirm_write: 'deny',
    confirm_execute: 'deny',
    interactive: 'deny',
  },
  unrestricted: levelActions.unrestricted,
}

/** Deny beats ask beats allow. */
export function strictestAction(...candidates: readonly PermissionAction[]): PermissionAction {
  return actions[Math.max(0, ...candidates.map((action) => actions.indexOf(action)))] as PermissionAction
}

/**
 * What happens to a call of this level that no rule speaks of. `unrestricted` opens the mode, the others only
 * tighten.
 */
export function baselineAction(
  level: Level,
  mode: Mode,
  preset: PermissionPreset | undefined,
): PermissionAction {
  const own = levelActions[effectiveMode(mode, preset)][level]
  return preset === undefined ? own : strictestAction(own, presets[preset][level])
}

/** The mode after the preset. */
export function effectiveMode(mode: Mode, preset: PermissionPreset | undefined): Mode {
  return preset === 'unrestricted' ? 'unrestricted' : mode
}
