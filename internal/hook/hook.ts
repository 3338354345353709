// What a hook is: a command of the person that runs at one moment of a session and may refuse what follows.

export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreCompact',
] as const
export type HookEvent = (typeof hookEvents)[number]

/** The events whose hooks can refuse what is about to happen. */
export const refusableEvents: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PreCompact',
  'UserPromptSubmit',
])

/** The events that concern one tool, the only ones with a matcher. */
export const toolEvents: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse'])

export interface HookCommand {
  event: HookEvent
  /** Matches the whole name of a tool; absent: every tool. */
  matcher?: RegExp
  /** Run by `bash -c` in the workspace. */
  command: string
  /** Seconds until it is ended. */
  timeout: number
  /** What a crash or timeout means: refuse (default of PreToolUse), or warn (default of the others). */
  onError: 'warn' | 'deny'
  /** The hooks.json it stands in. */
  path: string
}
