// The error messages for command lines with an unknown command or unknown flags.
import { UserError } from '../../../internal/base/errors.ts'
import { isDirectory } from '../../../internal/base/files/path-lookup.ts'
import { findNearest } from '../../../internal/base/text/name-suggestion.ts'
import { readInput } from '../../../internal/tui/input/slash-command.ts'
import { execute } from '../execute/index.ts'
import { writeFlag } from '../parse-args.ts'
import { session } from '../session/index.ts'
import { type CommandOption, commonOptions, isGroup } from '../verb.ts'
import { verbs } from '../verbs.ts'
import { readForeignWords, readGroupHint, suggestMessage, suggestQuestion } from './foreign-words.ts'
import { findMeantCommands, findToolCall, nameFlagOwners } from './meant-commands.ts'

/**
 * Returns the error to throw instead of `error`. Its hint lists the commands that have a flag which is
 * unknown to the command `name`, or suggests the command that an unexpected word resembles or means in
 * another program. If no command fits, returns `error` itself.
 */
export async function explainRefusal(
  error: unknown,
  words: readonly string[],
  name: string,
): Promise<unknown> {
  if (!(error instanceof UserError)) return error
  const issues = error.message.split('; ')
  const foreign = /^unexpected words?: (\S+)/.exec(error.message)?.[1]
  const group = name.split(' ')[0] as string
  const meant =
    foreign === undefined
      ? undefined
      : ((await suggestSibling(group, foreign)) ?? readGroupHint(group, foreign))
  if (meant !== undefined) return new UserError(error.message, { hint: meant, cause: error })
  const flags = words.flatMap((word) => /^--?([A-Za-z][\w-]*)/.exec(word)?.[1] ?? [])
  // A flag that resembles a flag of this command already has a suggestion, so it gets no other hint.
  const unknown = flags.filter((flag) => issues.includes(`unknown flag ${writeFlag(flag)}`))
  const owners = (await Promise.all(unknown.map(nameFlagOwners))).filter((owner) => owner !== '')
  if (owners.length === 0) return error
  const hint = [...owners, error.hint].join('; ')
  return new UserError(error.message, { hint, cause: error })
}

/**
 * Returns a question that suggests the command of a group closest to a word; undefined if no command
 * resembles the word, or if `group` is a command without subcommands.
 */
async function suggestSibling(group: string, word: string): Promise<string | undefined> {
  const command = await verbs[group]?.()
  const near = command && isGroup(command) ? findNearest(word, Object.keys(command.verbs), 1)[0] : undefined
  return near && `did you mean anode ${group} ${near}?`
}

/**
 * Returns the words of a session or a run for a command line without a command. `path` contains the words
 * that were recognized, `candidates` the words that could follow. Throws UserError for any other unknown
 * word, with a hint such as the closest command.
 */
export async function readUnknownWords(
  path: readonly string[],
  words: readonly string[],
  candidates: readonly string[],
): Promise<string[]> {
  const word = words[path.length] as string
  const isRoot = path.length === 0
  const meant = isRoot ? readForeignWords(words, candidates, await readRunOptions()) : undefined
  if (meant) return meant
  if (isRoot && isDirectory(word))
    throw new UserError(`${word} is a directory and no command`, {
      hint: `to work in it: anode -C ${word}`,
    })
  const near = isRoot ? nearCommands(word, candidates) : findNearest(word, candidates)
  const wordHint = isRoot
    ? await findMeantCommands(word)
    : await readGroupWord(path.join(' '), word, candidates)
  const question = isRoot ? suggestQuestion(words) : undefined
  const closest = near.includes(`${word}s`)
    ? `did you mean ${word}s?`
    : (wordHint ?? (near.length > 0 ? `did you mean ${near.join(' or ')}?` : question))
  const elsewhere = isRoot ? `${suggestSession(word)}${suggestMessage(words)}; ` : ''
  throw new UserError(`unknown command ${[...path, word].join(' ')}`, {
    hint: closest ?? `${elsewhere}commands: ${candidates.join(', ')}`,
  })
}

/**
 * Returns the commands that resemble a word. If a session has a command of this name, such as `/clear`,
 * returns an empty list, except when the word with an added `s` is a command.
 */
const nearCommands = (word: string, candidates: readonly string[]) =>
  isSessionCommand(word) && !candidates.includes(`${word}s`)
    ? []
    : findNearest(word, [...candidates, 'help', 'version'])

/** Returns true if a session has a command of this name. */
const isSessionCommand = (word: string) =>
  [word, `${word} text`].some((line) => readInput(`/${line}`).kind === 'command')

/**
 * Returns `in a session: /clear; ` for the word `clear`, and such a text for each other command of a session.
 * Returns an empty text for other words.
 */
const suggestSession = (word: string) => (isSessionCommand(word) ? `in a session: /${word}; ` : '')

/**
 * Returns a hint for a word after the name of a group, such as the matching command; undefined for an unknown
 * word. In the group of tools the word may be the name of a tool.
 */
async function readGroupWord(
  group: string,
  word: string,
  candidates: readonly string[],
): Promise<string | undefined> {
  const hint = readGroupHint(group, word)
  if (hint !== undefined) return hint
  const removal = isRemoval.test(word) ? candidates.find((name) => isRemoval.test(name)) : undefined
  if (removal !== undefined) return `did you mean ${removal}?`
  return group === 'tools' ? await findToolCall(word) : undefined
}

const isRemoval = /^(?:rm|del|delete|remove|unset|erase)$/

/**
 * Returns the options of a run together with those of a session. A command line that starts with a flag
 * may be either.
 */
async function readRunOptions(): Promise<Readonly<Record<string, CommandOption>>> {
  return { ...execute.options, ...session.options, ...commonOptions }
}
