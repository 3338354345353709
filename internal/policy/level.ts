// The vocabulary of permissions: levels, modes, effects and what a call touches.

/** The seven levels, mildest first. A call may be raised along this order, never lowered. */
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

/** How much happens without asking, least first; each lets through what the one before does. */
export const modes = ['ask', 'edits', 'auto', 'unrestricted'] as const
export type Mode = (typeof modes)[number]

/** What the gate says to a call, mildest first. */
export const actions = ['allow', 'ask', 'deny'] as const
export type PermissionAction = (typeof actions)[number]

/**
 * What a call does to the world. Adjacent reads and spawns of one turn run side by side; `spawn` starts an
 * agent whose own thread records what it does. All but reads are on record before they run.
 */
export type ToolEffect = 'read' | 'write' | 'exec' | 'interact' | 'spawn'

/** The line is typed into a program that lives on. */
export interface TypedText {
  /** Why it may not be run as the line that it reads like. */
  doubt?: string
  /** The line starts that program. It waits: what it is told to run is judged when that is typed. */
  starts?: true
}

/** Why a request to a host needs approval. `isFixed`: no rule answers it. */
export interface HostQuestion {
  text: string
  isFixed: boolean
}

/**
 * One thing a call touches, as the caller wrote it; `resolve` turns it into facts before anything is
 * decided. `granted`: a place that its wall is to leave open.
 */
export type CallScope =
  | { kind: 'path'; path: string; access: 'read' | 'write'; granted?: boolean }
  | { kind: 'command'; line: string; cwd?: string; typed?: TypedText }
  | { kind: 'host'; host: string; asks?: HostQuestion }

/** The effect a level implies when a tool does not say. */
export function effectOf(level: Level): ToolEffect {
  if (level === 'confirm_write' || level === 'state_write') return 'write'
  if (level === 'confirm_execute' || level === 'delegated') return 'exec'
  return level === 'interactive' ? 'interact' : 'read'
}

/** True for the two levels that a read-only profile keeps and that direct calls may use without a flag. */
export function isRead(level: Level): boolean {
  return level === 'auto_read' || level === 'external_read'
}
