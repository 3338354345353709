// The commands that an invalid command line may have meant, found by its flag or its word.

import { loadNativeEntries } from '../../../internal/runtime/tools/tool-registry.ts'
import { writeFlag } from '../parse-args.ts'
import { isGroup, loadVerb, type Verb } from '../verb.ts'
import { verbs } from '../verbs.ts'

/** Largest number of commands that a hint names; a longer list ends with `others`. */
const maxNamed = 3

/**
 * Returns a sentence with the commands that have a flag (at most three, then `others`), such as `--workers is
 * for anode study and anode study eval`. Returns an empty string for an unknown flag.
 */
export async function nameFlagOwners(flag: string): Promise<string> {
  const owners = await findVerbs(({ options }) =>
    Object.entries(options).some(([name, { alias }]) => name === flag || alias === flag),
  )
  return owners.length === 0 ? '' : `${writeFlag(flag)} is for ${joinNames(owners)}`
}

/**
 * Returns a hint with the command to type, if a word is the last word of a command (`report`) or a tool's
 * name; undefined for other words.
 */
export async function findMeantCommands(word: string): Promise<string | undefined> {
  const call = await findToolCall(word)
  if (call !== undefined) return call
  const commandNames = await findVerbs(({ name }) => name.endsWith(` ${word}`))
  return commandNames.length === 0 ? undefined : `did you mean ${joinNames(commandNames, 'or')}?`
}

/** Returns a hint with the command that calls the native tool of this name; undefined for other words. */
export async function findToolCall(word: string): Promise<string | undefined> {
  const isTool = (await loadNativeEntries()).some(({ name }) => name === word)
  return isTool ? `to call the tool: anode tools use ${word}` : undefined
}

/**
 * Returns the names of all commands for which `isMeant` is true, each with `anode` before it, in the order of
 * the command table.
 */
async function findVerbs(isMeant: (verb: Verb) => boolean): Promise<string[]> {
  const verbLists = await Promise.all(
    Object.values(verbs).map(async (load) => {
      const command = await load()
      if (!isGroup(command)) return [command]
      const entries = [...(command.otherwise ? [command.otherwise] : []), ...Object.values(command.verbs)]
      return Promise.all(entries.map(loadVerb))
    }),
  )
  const names = verbLists.flat().flatMap((verb) => (isMeant(verb) ? [`anode ${verb.name}`] : []))
  return [...new Set(names)]
}

function joinNames(names: readonly string[], word = 'and'): string {
  if (names.length > maxNamed) return `${names.slice(0, maxNamed).join(', ')} ${word} others`
  return names.length === 1
    ? (names[0] as string)
    : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
