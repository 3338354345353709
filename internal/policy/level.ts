// The vocabulary of permissions: levels, modes, effects, and the scopes of a call.

/** The seven levels, mildest first. A call may move up this order, never down. */
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
 * What a call changes. Adjacent reads and spawns of one turn run in parallel. `spawn` starts a subagent whose
 * own thread records what it does. All effects except `read` are recorded before the call runs.
 */
export type ToolEffect = 'read' | 'write' | 'exec' | 'interact' | 'spawn'

/** Facts about a command that is typed into a program that keeps running. */
export interface TypedText {
  /**
   * Why the typed text may do something else than the command that it looks like; undefined without doubt.
   */
  doubt?: string
  /**
   * Set if the command starts the program. The program then waits for input, and each input is judged when
   * it is typed.
   */
  starts?: true
}

/** Why a request to a host needs approval. `isFixed`: no rule answers the question. */
export interface HostQuestion {
  text: string
  isFixed: boolean
}

/**
 * One thing that a call touches, as the caller wrote it. `resolveFacts` resolves it before any decision.
 * `granted`: a path that the sandbox of the call is to leave open.
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
