// The text of a run's task, from the command line, standard input, or both.
import { UserError } from '../../../internal/base/errors.ts'
import { readStdin } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, stringArg } from '../verb.ts'

/**
 * Returns the words of the command line, else the piped input; if both exist, both with an empty line
 * between them. Without a task, returns undefined if a resumed thread or JSON lines can supply it, and else
 * throws UserError. Also throws for a task that is only the last word of a command, such as `list`, unless
 * it follows two dashes, continues a thread or has piped input. `command` is the command that the hint of
 * the error shows.
 */
export async function readTaskText(
  args: CommandArgs,
  io: CommandIo,
  command = 'execute',
): Promise<string | undefined> {
  const words = listArg(args, 'TASK').join(' ').trim()
  const open = !io.piped || flagArg(args, 'stream-json-input')
  const piped = open ? '' : (await readStdin(io)).trim()
  const continues = stringArg(args, 'resume') !== undefined || stringArg(args, 'fork') !== undefined
  if (args['--'] === undefined && piped === '' && !continues) refuseCommandWord(words, command)
  const text = words !== '' && piped !== '' ? `${words}\n\n${piped}` : words || piped
  if (text !== '') return text
  if (continues || flagArg(args, 'stream-json-input')) return undefined
  throw noTaskError(command)
}

/**
 * Throws UserError if the task is only the last word of a command, as in the mistyped command
 * `anode run list`.
 */
function refuseCommandWord(task: string, command: string): void {
  const meant = suggestCommands(task)
  if (meant === undefined) return
  throw new UserError(`the task is only the word ${task}`, {
    hint: `${meant} To give it as a task: anode ${command} -- ${task}`,
  })
}

export const noTaskError = (command = 'execute') =>
  new UserError('no task was given', { hint: `anode ${command} "what to do"` })

/**
 * For the name of each command group, the names of its commands, separated by spaces. `runs` comes first,
 * because `anode run` is another name of `anode execute`.
 */
const groups: Readonly<Record<string, string>> = {
  runs: 'start list cancel diff merge drop',
  serve: 'start stop token',
  build: 'list status watch show resume retry cancel report merge drop',
  study: 'list status watch ask resume cancel report trace mailbox verify eval',
  tools: 'list show use batch toolsets',
  profiles: 'list show',
  skills: 'list show',
  permissions: 'list explain suggest log forget',
  mcp: 'list add remove show tools approve trust login serve logout',
  hooks: 'list test',
  plugins: 'list',
  research: 'init run log auto aa compare status resume verify final export finalize cpu',
  cron: 'list add remove enable disable run history next',
  threads: 'list search show export archive delete',
  harness: 'record replay step inspect list delete',
  models: 'list check update',
  config: 'list path set unset doctor schema',
  lsp: 'list doctor',
  worker: 'list',
}

/** Largest number of commands that an error names; if there are more, the list ends with `or others`. */
const maxNamed = 3

/** Returns all commands of groups whose last word is `word`, as `anode GROUP WORD`. */
export const findCommandsOfWord = (word: string): string[] =>
  Object.entries(groups).flatMap(([group, words]) =>
    words.split(' ').includes(word) ? [`anode ${group} ${word}`] : [],
  )

/**
 * Returns a question that suggests commands whose last word is `word`: at most three, then `others`. Returns
 * undefined if no command ends with the word.
 */
function suggestCommands(word: string): string | undefined {
  const names = findCommandsOfWord(word)
  if (names.length === 0) return undefined
  const others = names.length > maxNamed ? ['others'] : []
  const suggestions = [...names.slice(0, maxNamed), ...others]
  const last = suggestions.pop() as string
  return `did you mean ${suggestions.length === 0 ? last : `${suggestions.join(', ')} or ${last}`}?`
}
