// The meaning of an input line: a message to the model, a session command, a skill or a shell command.
import { findNearest } from '../../base/text/name-suggestion.ts'

interface CommandRow {
  name: string
  /** The argument of the command as help shows it. Optional arguments are in brackets. */
  argument: string
  about: string
}

/** The commands of a session, in the order in which help lists them. */
export const slashCommands = [
  { name: 'help', argument: '', about: 'commands and keys' },
  { name: 'new', argument: '', about: 'start a new thread' },
  { name: 'resume', argument: '[ID]', about: 'resume a thread' },
  { name: 'search', argument: 'WORDS', about: 'search the threads of this workspace' },
  { name: 'fork', argument: '[N]', about: 'continue in a copy, up to event N' },
  { name: 'goal', argument: '[CMD]', about: 'work until CMD passes; alone: show it; check; stop' },
  { name: 'rename', argument: 'TITLE', about: 'give this thread a title' },
  { name: 'export', argument: '[FILE]', about: 'export this thread to a file: Markdown, or .jsonl' },
  { name: 'undo', argument: '', about: 'revert the file changes of the last run, then of the run before' },
  { name: 'redo', argument: '', about: 'revert the last /undo' },
  { name: 'rewind', argument: '', about: 'rewind to before a message: conversation, files or both' },
  { name: 'diff', argument: '', about: 'the changes of this thread' },
  { name: 'model', argument: '[NAME]', about: 'the model, and the key of its provider' },
  { name: 'effort', argument: '[LEVEL]', about: 'the reasoning effort from the next run on' },
  { name: 'profile', argument: '[NAME]', about: 'the profile from the next run on' },
  {
    name: 'mode',
    argument: '[MODE]',
    about: 'the approval mode: plan, ask, edits, auto, unrestricted',
  },
  { name: 'plan', argument: '', about: 'start or end planning' },
  { name: 'add-dir', argument: 'DIR', about: 'allow access to another directory' },
  { name: 'permissions', argument: '[…]', about: 'active rules and stored answers; forget ID' },
  { name: 'trust', argument: '', about: 'review the files of this workspace, and trust it' },
  { name: 'answer', argument: '', about: 'open the pending question' },
  { name: 'queue', argument: '[TEXT]', about: 'send it after this run; without TEXT list the queue' },
  { name: 'compact', argument: '[FOCUS]', about: 'compact the conversation to a summary that keeps FOCUS' },
  { name: 'context', argument: '', about: 'the use of the context window' },
  { name: 'usage', argument: '', about: 'tokens and cost, by model, agent and tool' },
  { name: 'todo', argument: '', about: 'the todo list' },
  { name: 'agents', argument: '', about: 'the subagents of this session' },
  { name: 'jobs', argument: '', about: 'background commands' },
  {
    name: 'study',
    argument: '[QUESTION]',
    about: 'several workers, one report; alone: the latest study',
  },
  { name: 'build', argument: '[GOAL]', about: 'parallel agents, one branch; status, merge, …' },
  { name: 'research', argument: '[…]', about: 'experiments of this workspace; run, log, auto, verify, …' },
  { name: 'review', argument: '[FOCUS]', about: 'review the changes in the working tree' },
  {
    name: 'copy',
    argument: '[N]',
    about: 'copy the last answer unwrapped, or its code block N',
  },
  { name: 'editor', argument: '', about: 'edit the text in your editor' },
  { name: 'image', argument: 'FILE', about: 'attach an image' },
  { name: 'tools', argument: '[…]', about: 'tools; show NAME for details' },
  { name: 'skills', argument: '[…]', about: 'skills; show NAME for details' },
  { name: 'mcp', argument: '[…]', about: 'MCP servers and their state' },
  { name: 'lsp', argument: '[…]', about: 'language servers and their state' },
  { name: 'config', argument: '[…]', about: 'configured values; set KEY VALUE' },
  { name: 'doctor', argument: '', about: 'check what works here' },
  { name: 'screen', argument: '[FORM]', about: 'inline: in the scrollback; full: the whole terminal' },
  { name: 'theme', argument: '[NAME]', about: 'colors: auto, dark, light, mono' },
  { name: 'keys', argument: '', about: 'the active keys' },
  { name: 'init', argument: '', about: 'write AGENTS.md, the instructions for agents' },
  { name: 'quit', argument: '', about: 'leave' },
] as const satisfies readonly CommandRow[]

/** Name of a command that a screen runs. `/init` is excluded, because it is a message to the model. */
export type SlashCommand = Exclude<(typeof slashCommands)[number]['name'], 'init'>

/** Names that other programs use for commands, each with the command of Anode that such a name runs. */
const aliases: Readonly<Record<string, SlashCommand>> = {
  clear: 'new',
  reset: 'new',
  exit: 'quit',
  q: 'quit',
  bye: 'quit',
  commands: 'help',
  sessions: 'resume',
  threads: 'resume',
  history: 'resume',
  continue: 'resume',
  find: 'search',
  cost: 'usage',
  stats: 'usage',
  tokens: 'usage',
  compress: 'compact',
  summarize: 'compact',
  models: 'model',
  login: 'model',
  connect: 'model',
  thinking: 'effort',
  reasoning: 'effort',
  approvals: 'permissions',
  yolo: 'mode',
  settings: 'config',
  status: 'usage',
  tasks: 'jobs',
  checkpoint: 'rewind',
  restore: 'rewind',
  changes: 'diff',
  title: 'rename',
  save: 'export',
  edit: 'editor',
}

/** The message that the command `/init` sends to the model. */
const initRequest =
  'Read this repository and write AGENTS.md at its root, with instructions for coding agents: ' +
  'what the project is, how to build, run and test it, its structure and its conventions. ' +
  'Check each command before you write it down. If AGENTS.md exists, improve it. Use at most 60 lines.'

/** Commands of the plain screen for which other screens have keys. */
const keyWords = {
  stop: 'Esc stops the run.',
  unqueue: 'Up takes the last message out of the queue.',
} as const

const keyNames: Readonly<Record<string, keyof typeof keyWords>> = {
  stop: 'stop',
  cancel: 'stop',
  abort: 'stop',
  interrupt: 'stop',
  unqueue: 'unqueue',
  dequeue: 'unqueue',
}

type InputMeaning =
  | { kind: 'nothing' }
  /** `isCommand` marks a prompt of an MCP server. It is not sent if the server has no such prompt. */
  | { kind: 'say'; text: string; isCommand?: true }
  | { kind: 'command'; name: SlashCommand; argument: string }
  | { kind: 'skill'; name: string; text: string; input: string }
  /** The text is not sent and stays in the editor. The message explains why. */
  | { kind: 'refused'; message: string }
  /** `tell` means that the model gets the output with the next message. */
  | { kind: 'shell'; line: string; tell: boolean }

/** A skill, whose name can follow a slash as the name of a command can. */
export interface NamedSkill {
  name: string
  about: string
}

/**
 * Returns the meaning of an input line. `//` starts a text with a slash, `!` a shell command, and `!!` a
 * shell command that the model does not see.
 */
export function readInput(text: string, skills: readonly NamedSkill[] = []): InputMeaning {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'nothing' }
  if (trimmed.startsWith('!')) {
    const tell = !trimmed.startsWith('!!')
    const line = trimmed.slice(tell ? 1 : 2).trim()
    return line === ''
      ? { kind: 'refused', message: 'type a command after !, for example !git status' }
      : { kind: 'shell', line, tell }
  }
  if (trimmed.startsWith('//')) return { kind: 'say', text: trimmed.slice(1) }
  // A name with a colon may be a prompt of an MCP server. Only the session knows these prompts, so it
  // gets the line.
  const isPrompt = /^\/[\w.-]+:[\w.-]/.test(trimmed)
  if (isPrompt) return { kind: 'say', text: trimmed, isCommand: true }
  return trimmed.startsWith('/') ? readCommand(trimmed.slice(1), skills) : { kind: 'say', text: trimmed }
}

function readCommand(text: string, skills: readonly NamedSkill[]): InputMeaning {
  const [, name = '', argument = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  const skill = skills.find((one) => one.name === name)
  const command = findCommand(name, skills)
  if (!command && skill) return { kind: 'skill', name, text: `/${text}`, input: argument.trim() }
  if (!command) return { kind: 'refused', message: unknownText(name, skills) }
  if (needsArgument(command.name) && argument === '')
    return { kind: 'refused', message: `/${name} needs ${command.argument}: ${command.about}` }
  if (command.argument === '' && argument !== '')
    return { kind: 'refused', message: `/${name} takes no argument` }
  if (command.name === 'init') return { kind: 'say', text: initRequest }
  return { kind: 'command', name: command.name, argument: argument.trim() }
}

/**
 * Returns the command with this name or alias. A skill of the same name takes precedence over an alias, but
 * not over a command.
 */
function findCommand(name: string, skills: readonly NamedSkill[]) {
  const isSkill = skills.some((one) => one.name === name)
  const alias = Object.hasOwn(aliases, name) && !isSkill ? aliases[name] : undefined
  return slashCommands.find((one) => one.name === name) ?? slashCommands.find((one) => one.name === alias)
}

/** Returns true if the command cannot run without an argument. */
export const needsArgument = (name: string): boolean =>
  slashCommands.some((one) => one.name === name && /^[A-Z]/.test(one.argument))

function unknownText(name: string, skills: readonly NamedSkill[]): string {
  const knownNames = [...slashCommands, ...skills].map((one) => one.name)
  const keyed = Object.hasOwn(keyNames, name) ? keyNames[name] : undefined
  if (keyed && !knownNames.includes(keyed)) return `unknown command /${name}; ${keyWords[keyed]}`
  const near = (keyed ? [keyed] : findNearest(name, knownNames)).map((one) => `/${one}`)
  const next = near.length > 0 ? `did you mean ${near.join(', ')}?` : '/help lists them.'
  return `unknown command /${name}; ${next} // sends a text that begins with a slash`
}

/**
 * Returns the commands and skills that match the typed beginning of a name: first the command that runs for
 * this name, then those that begin with it, then those that contain it. If none begins with it, the last
 * group includes commands whose alias begins with it. Returns an empty list if more text follows the name.
 */
export function completeCommand(text: string, skills: readonly NamedSkill[] = []): readonly NamedSkill[] {
  const typed = /^\/([\w-]*)$/.exec(text)?.[1]
  if (typed === undefined) return []
  const commandNames = new Set<string>(slashCommands.map(({ name }) => name))
  const all: readonly NamedSkill[] = [
    ...slashCommands,
    ...skills.filter(({ name }) => !commandNames.has(name)),
  ]
  const exact = all.filter(({ name }) => name === typed)
  const run = exact.length > 0 ? exact : all.filter((one) => one === findCommand(typed, skills))
  const starts = all.filter(({ name }) => name.startsWith(typed))
  const isMeant = (name: string) =>
    starts.length === 0 &&
    Object.entries(aliases).some(([alias, meant]) => meant === name && alias.startsWith(typed))
  const rest = all.filter((one) => !starts.includes(one))
  const holds = rest.filter(({ name }) => name.includes(typed) || isMeant(name))
  return [...new Set([...run, ...starts, ...holds])]
}
