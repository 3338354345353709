// The completion candidates for a command line: verbs, flags, and the values of flags and operands.

import { readPrebuilt } from '../../../internal/base/dirs.ts'
import { session } from '../session/index.ts'
import { optionOf, takesValue } from '../typed-option.ts'
import { type CommandOption, commonOptions, isGroup, loadVerb, type Verb } from '../verb.ts'
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
  const [first = ''] = typed
  const verbNames = typed.length === 1 ? listVerbNames(first) : []
  if (verbNames.length > 0) return fitting(verbNames)
  // the flags of a session are the candidates if the command line starts with a flag
  const command = isSession ? session : await verbs[first]?.()
  if (!command) return fitting(Object.keys(verbs))
  const group = isGroup(command) ? command : undefined
  const named = isGroup(command) ? command.verbs[typed[1] ?? ''] : command
  const entry = named ?? (typed.length > 1 ? group?.otherwise : undefined)
  const verb = entry && (await loadVerb(entry))
  if (!verb) return fitting(Object.keys(group?.verbs ?? {}))
  const rest = typed.slice(isSession ? 0 : group && named ? 2 : 1)
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

/**
 * Returns the names of the commands of a group, from the help that the build has stored, because loading
 * the group takes much longer. Returns an empty list for a word that names no group, and if the program
 * runs from sources.
 */
function listVerbNames(group: string): string[] {
  const help = readPrebuilt('help.json') as Record<string, string> | undefined
  const start = `${group} `
  return Object.keys(help ?? {}).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []))
}

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
