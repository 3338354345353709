// The action of each level in each mode, and the presets that replace or tighten that table.
import { actions, type Level, type Mode, type PermissionAction } from './level.ts'

export const presetNames = ['careful', 'strict', 'unrestricted'] as const
export type PermissionPreset = (typeof presetNames)[number]

/** Returns the preset of a setting. `yolo` is another name for `unrestricted`. */
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
  // `ask_user` already prompts the user, so it needs no approval
  interactive: 'allow',
}

/**
 * Actions by mode and level. `edits` and `auto` also allow writes of workspace files, and `auto` allows
 * commands of a known class. Both depend on more than the level; see decision-items.ts and line-items.ts.
 */
export const levelActions: Readonly<Record<Mode, Column>> = {
  ask: cautious,
  edits: cautious,
  auto: cautious,
  unrestricted: { ...cautious, confirm_write: 'allow', confirm_execute: 'allow' },
}

/**
 * `careful`: every level above `external_read` except `interactive` needs approval. `strict`: only
 * `auto_read` is allowed and other levels are denied, unless a rule allows more. `unrestricted`: as the mode
 * of that name.
 */
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

/** Returns the strictest action: deny, then ask, then allow. */
export function strictestAction(...candidates: readonly PermissionAction[]): PermissionAction {
  return actions[Math.max(0, ...candidates.map((action) => actions.indexOf(action)))] as PermissionAction
}

/**
 * Returns the action for a call of this level that no rule matches. `unrestricted` opens the mode; the other
 * presets only tighten it.
 */
export function baselineAction(
  level: Level,
  mode: Mode,
  preset: PermissionPreset | undefined,
): PermissionAction {
  const own = levelActions[effectiveMode(mode, preset)][level]
  return preset === undefined ? own : strictestAction(own, presets[preset][level])
}

/** Returns the mode that applies if the preset is set; `unrestricted` replaces the mode. */
export function effectiveMode(mode: Mode, preset: PermissionPreset | undefined): Mode {
  return preset === 'unrestricted' ? 'unrestricted' : mode
}
