// The terms of permissions: levels of tools, modes, effects and scopes of calls, the action for each level in
// each mode, and presets that replace these actions.

/**
 * The seven permission levels, mildest first. A single call may have a higher level than its tool, never
 * a lower one.
 */
export const levels = [
  'auto_read',
  'external_read',
  'state_write',
  'delegated',
  'confirm_write',
  'confirm_execute',
  'interactive',
] as const
export type Level = (typeof levels)[number]

/** The modes, strictest first. Each allows what the previous mode allows, and more. */
export const modes = ['ask', 'edits', 'auto', 'unrestricted'] as const
export type Mode = (typeof modes)[number]

/** The possible results of a decision, mildest first. */
export const actions = ['allow', 'ask', 'deny'] as const
export type PermissionAction = (typeof actions)[number]

/**
 * What a call changes. Adjacent reads and spawns of one turn run in parallel. `spawn` starts a subagent
 * whose own thread records what it does. A call with an effect other than `read` is recorded on the disk
 * before the call runs.
 */
export type ToolEffect = 'read' | 'write' | 'exec' | 'interact' | 'spawn'

/** Facts about a command that is typed into a program that keeps running. */
export interface TypedText {
  /**
   * Reason why the typed text may have another effect than the same text as a command; undefined if it
   * certainly has the same.
   */
  doubt?: string
  /**
   * Set if the command starts the program that keeps running. The program then waits for input, and each
   * later input gets a separate decision.
   */
  starts?: true
}

/**
 * Question to the user about a request to a host. If `isFixed` is true, the user has to answer each time,
 * because no rule can allow the request.
 */
export interface HostQuestion {
  text: string
  isFixed: boolean
}

/**
 * A path, command or host that a call uses, as the caller wrote it. `resolveFacts` resolves it before any
 * decision. `granted` marks a path that the call asks its sandbox to make writable.
 */
export type CallScope =
  | { kind: 'path'; path: string; access: 'read' | 'write'; granted?: boolean }
  | { kind: 'command'; line: string; cwd?: string; typed?: TypedText }
  | { kind: 'host'; host: string; asks?: HostQuestion }

/** Returns the effect that a level implies, for tools that do not declare an effect. */
export function effectOf(level: Level): ToolEffect {
  if (level === 'confirm_write' || level === 'state_write') return 'write'
  if (level === 'confirm_execute' || level === 'delegated') return 'exec'
  return level === 'interactive' ? 'interact' : 'read'
}

/**
 * Returns true for the two read levels. A read-only profile may use them, and direct calls need no
 * flag for them.
 */
export function isRead(level: Level): boolean {
  return level === 'auto_read' || level === 'external_read'
}

export const presetNames = ['careful', 'strict', 'unrestricted'] as const
export type PermissionPreset = (typeof presetNames)[number]

/** Returns the preset of a setting. `yolo` is another name for `unrestricted`. */
export const readPreset = (name: PermissionPreset | 'yolo'): PermissionPreset =>
  name === 'yolo' ? 'unrestricted' : name

type LevelActions = Readonly<Record<Level, PermissionAction>>

const cautious: LevelActions = {
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
export const levelActions: Readonly<Record<Mode, LevelActions>> = {
  ask: cautious,
  edits: cautious,
  auto: cautious,
  unrestricted: { ...cautious, confirm_write: 'allow', confirm_execute: 'allow' },
}

/**
 * Actions by level for each preset. `careful`: every level above `external_read` except `interactive` needs
 * approval. `strict`: only `auto_read` is allowed and other levels are denied, unless a rule allows more.
 * `unrestricted`: as the mode of that name.
 */
const presets: Readonly<Record<PermissionPreset, LevelActions>> = {
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

/** Returns the strictest action: deny, then ask, then allow; `allow` without arguments. */
export function strictestAction(...candidates: readonly PermissionAction[]): PermissionAction {
  return actions[Math.max(0, ...candidates.map((action) => actions.indexOf(action)))] as PermissionAction
}

/**
 * Returns the action for a call of this level that no rule matches. The preset `unrestricted` replaces the
 * mode; the other presets only make it stricter.
 */
export function baselineAction(
  level: Level,
  mode: Mode,
  preset: PermissionPreset | undefined,
): PermissionAction {
  const modeAction = levelActions[effectiveMode(mode, preset)][level]
  return preset === undefined ? modeAction : strictestAction(modeAction, presets[preset][level])
}

/** Returns the mode that applies with this preset; `unrestricted` replaces the mode. */
export function effectiveMode(mode: Mode, preset: PermissionPreset | undefined): Mode {
  return preset === 'unrestricted' ? 'unrestricted' : mode
}
