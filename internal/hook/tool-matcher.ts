// Tool names that the matcher of a hook accepts: names of Anode or of Claude Code.
import { suggestNames } from '../base/text/name-suggestion.ts'
import { shellTools } from '../policy/tool-deeds.ts'

/** Tools of Claude Code, each with the tools of Anode that do the same work. */
const foreignTools: Readonly<Record<string, readonly string[]>> = {
  Read: ['read', 'multi_read', 'look_at', 'read_document'],
  Write: ['create_file', 'apply_patch'],
  Edit: ['edit_file', 'apply_patch'],
  MultiEdit: ['edit_file', 'apply_patch'],
  NotebookEdit: ['edit_file', 'create_file', 'apply_patch'],
  NotebookRead: ['read', 'multi_read'],
  Glob: ['glob', 'finder'],
  Grep: ['grep', 'finder'],
  LS: ['glob', 'fs_list'],
  Task: ['task'],
  Agent: ['task'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  TodoWrite: ['todo_write'],
  TodoRead: ['todo_read'],
  Skill: ['skill'],
  AskUserQuestion: ['ask_user'],
  LSP: ['lsp'],
  ToolSearch: ['tool_search'],
  SendMessage: ['send_message'],
  BashOutput: ['jobs', 'terminal_read'],
  KillShell: ['jobs', 'terminal_kill'],
  KillBash: ['jobs', 'terminal_kill'],
  CronCreate: ['cron'],
  CronDelete: ['cron'],
  CronList: ['cron'],
}

/** Tools of Claude Code without an equivalent here. */
const absentTools = [
  ...[
    'ExitPlanMode',
    'EnterPlanMode',
    'SlashCommand',
    'ListMcpResourcesTool',
    'ReadMcpResourceTool',
    'TaskCreate',
  ],
  ...[
    'TaskUpdate',
    'TaskList',
    'TaskGet',
    'TaskOutput',
    'TaskStop',
    'EnterWorktree',
    'ExitWorktree',
    'Monitor',
  ],
  ...['PowerShell', 'StructuredOutput'],
]

/**
 * Returns the names by which a matcher may select a tool. A matcher of `bash` selects every tool that
 * starts a shell.
 */
function namesOf(tool: string): string[] {
  const shells = shellTools((name) => name === 'bash').includes(tool) ? ['bash', 'Bash'] : []
  const foreign = Object.entries(foreignTools).flatMap(([name, tools]) =>
    tools.includes(tool) ? [name] : [],
  )
  return [tool, ...shells, ...foreign]
}

/** Returns a function that tests the name of a tool. Requires that `matcherFault` has returned no reason. */
export function readMatcher(matcher: string): (tool: string) => boolean {
  const pattern = new RegExp(`^(?:${matcher})$`)
  return (tool) => namesOf(tool).some((name) => pattern.test(name))
}

/**
 * Returns a message if an alternative of the matcher, as in `a|b`, matches no known tool, so that the hook
 * checks fewer calls than its author intends; otherwise undefined. Names with two underscores belong to
 * servers and plugins, whose tools are not known yet, so they are accepted.
 */
export function matcherFault(matcher: string, tools: readonly string[]): string | undefined {
  const knownNames = [...tools, 'Bash', ...Object.keys(foreignTools), ...absentTools]
  for (const one of alternativesOf(matcher)) {
    const pattern = new RegExp(`^(?:${one})$`)
    if (one.includes('__') || knownNames.some((name) => pattern.test(name))) continue
    const near = suggestNames(one.toLowerCase(), tools, 1)
    const form = /^\w+\(/.test(one) ? 'a matcher takes names of tools, without arguments' : near
    return `matcher names no tool: ${one}, ${form || 'see `anode tools list --all`'}`
  }
  return undefined
}

/**
 * Returns the alternatives of a regular expression such as `a|b`, or the whole expression if brackets or
 * backslashes make them unclear.
 */
function alternativesOf(matcher: string): string[] {
  const parts = matcher.split('|')
  return /[()[\]\\]/.test(matcher) ? [matcher] : parts
}
