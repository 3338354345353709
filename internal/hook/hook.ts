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

/** Events of Claude Code that Anode does not have, and whose hooks guard nothing that Anode does. */
export const foreignEvents: ReadonlySet<string> = new Set([
  ...['Notification', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PostToolUseFailure'],
  ...['PostCompact', 'Setup', 'TeammateIdle', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged'],
  'FileChanged',
])

/** The events that concern one tool, the only ones with a matcher. */
export const toolEvents: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse'])

export interface HookCommand {
  event: HookEvent
  /** Whether a tool is meant, by its name here or elsewhere; absent: every tool. */
  matches?: (tool: string) => boolean
  /** As the file has it; undefined for every tool. */
  matcher?: string
  /** Run by `bash -c` in the workspace. */
  command: string
  /** Seconds until it is ended. */
  timeout: number
  /** What a crash or timeout means: refuse (default of PreToolUse), or warn (default of the others). */
  onError: 'warn' | 'deny'
  /** The hooks.json it stands in. */
  path: string
}
