// Types of hooks: a user's command that runs at one moment of a session and may refuse the action.

export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreCompact',
  'Stop',
  'SubagentStop',
] as const
export type HookEvent = (typeof hookEvents)[number]

export const isHookEvent = (name: string): name is HookEvent =>
  (hookEvents as readonly string[]).includes(name)

/** Events at the end of an agent's work. If a hook refuses the end, the agent continues. */
export const stopEvents: ReadonlySet<HookEvent> = new Set(['Stop', 'SubagentStop'])

/** Events whose hooks can refuse the action. */
export const refusableEvents: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PreCompact',
  'UserPromptSubmit',
  ...stopEvents,
])

/**
 * Events of Claude Code that Anode never fires. Anode may ignore their hooks, because no action of Anode
 * depends on them.
 */
export const foreignEvents: ReadonlySet<string> = new Set([
  ...['Notification', 'StopFailure', 'SubagentStart', 'PostToolUseFailure'],
  ...['PostCompact', 'Setup', 'TeammateIdle', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged'],
  'FileChanged',
])

/**
 * Events that concern one tool. Only here does the matcher of a hook, a pattern of tool names,
 * have an effect.
 */
export const toolEvents: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse'])

export interface HookCommand {
  event: HookEvent
  /**
   * Returns whether the hook applies to a tool, by its name here or in other programs. Default: every tool.
   */
  matches?: (tool: string) => boolean
  /** Pattern of tool names as written in the hooks file; undefined if the hook applies to every tool. */
  matcher?: string
  /** The command, which `bash -c` runs in the workspace. */
  command: string
  /** Seconds until the command is stopped. */
  timeout: number
  /**
   * Effect of a failure, such as a crash or timeout: refuse (default of PreToolUse) or warn (of the others).
   */
  onError: 'warn' | 'deny'
  /** Path of the hooks.json that contains the hook. */
  path: string
}
