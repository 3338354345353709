// Commands that a refused line may have meant: those that take its flag, those that its word belongs to.
import { writeFlag } from '../parse-args.ts'
import { isGroup, type Verb } from '../verb.ts'
import { verbs } from '../verbs.ts'

/** More would be a list to read through instead of an answer. */
const maxNamed = 3

/** `--workers is for anode study and anode study eval`; an empty string for a flag that nothing takes. */
export async function nameFlagOwners(flag: string): Promise<string> {
  const owners = await findVerbs(({ options }) =>
    Object.entries(options).some(([name, { alias }]) => name === flag || alias === flag),
  )
  return owners.length === 0 ? '' : `${writeFlag(flag)} is for ${joinNames(owners)}`
}

/** What to type for a word that stands behind another one (`report`), or names a tool; else nothing. */
export async function findMeantCommands(word: string): Promise<string | undefined> {
  const { loadNativeEntries } = await import('../../../internal/runtime/tools/tool-registry.ts')
  if ((await loadNativeEntries()).some(({ name }) => name === word))
    return `to call the tool: anode tools use ${word}`
  const found = await findVerbs(({ name }) => name.endsWith(` ${word}`))
  return found.length === 0 ? undefined : `did you mean ${joinNames(found, 'or')}?`
}

/** Names of commands with `anode` before them, in the order of the table. */
async function findVerbs(isMeant: (verb: Verb) => boolean): Promise<string[]> {
  const found = await Promise.all(
    Object.values(verbs).map(async (load) => {
      const command = await load()
      if (!isGroup(command)) return [command]
      const own = [...(command.otherwise ? [command.otherwise] : []), ...Object.values(command.verbs)]
      return Promise.all(own.map((one) => one()))
    }),
  )
  const names = found.flat().flatMap((verb) => (isMeant(verb) ? [`anode ${verb.name}`] : []))
  return [...new Set(names)]
}

function joinNames(names: readonly string[], word = 'and'): string {
  if (names.length > maxNamed) return `${names.slice(0, maxNamed).join(', ')} ${word} others`
  return names.length === 1
    ? (names[0] as string)
    : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
