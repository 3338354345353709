// The completion candidates for a command line: verbs, flags, and the values of flags and operands.
import { optionOf, takesValue } from '../typed-option.ts'
import { type CommandOption, commonOptions, isGroup, type Verb } from '../verb.ts'
import { verbs } from '../verbs.ts'
import { valuesOf } from './values.ts'

/**
 * Returns the candidates that begin with the last of `words`, which may be empty; the first word is the
 * program. Returns an empty list if no known word fits; the shell then completes file names.
 */
export async function completionCandidates(words: readonly string[]): Promise<string[]> {
  const typed = words.slice(1, -1)
  const current = words.at(-1) ?? ''
  const fitting = (all: readonly string[]) => all.filter((one) => one.startsWith(current))
  const isSession = (typed[0] ?? current).startsWith('-')
  const load = isSession ? loadSession : typed[0] === undefined ? undefined : verbs[typed[0]]
  if (!load) return fitting(Object.keys(verbs))
  const command = await load()
  const named = isGroup(command) ? await command.verbs[typed[1] ?? '']?.() : command
  const verb = named ?? (isGroup(command) && typed.length > 1 ? await command.otherwise?.() : undefined)
  if (!verb) return fitting(isGroup(command) ? Object.keys(command.verbs) : [])
  const rest = typed.slice(isSession ? 0 : isGroup(command) && named ? 2 : 1)
  const options: Record<string, CommandOption> = { ...verb.options, ...commonOptions }
  const waiting = optionOf(rest.at(-1), options)
  if (waiting && waiting.option.type !== 'boolean') {
    return fitting([...(waiting.option.choices ?? (await valuesOf(waiting.name)))])
  }
  if (current.startsWith('-')) {
    return fitting(Object.keys(options).map((name) => (name.length === 1 ? `-${name}` : `--${name}`)))
  }
  return fitting(await operandValues(verb, rest, options))
}

/** Loads the verb `session`, whose flags are the candidates if the command line starts with a flag. */
const loadSession = async () => (await import('../session/index.ts')).session

/** Returns the known values of the next operand; an empty list without any. */
async function operandValues(
  verb: Verb,
  rest: readonly string[],
  options: Readonly<Record<string, CommandOption>>,
): Promise<readonly string[]> {
  const operands = rest.filter((word, i) => !word.startsWith('-') && !takesValue(rest[i - 1], options))
  const place = verb.positionals?.[operands.length] ?? verb.positionals?.find(({ many }) => many)
  return place?.choices ?? (place ? await valuesOf(`${verb.name} ${place.name}`) : [])
}
