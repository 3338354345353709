// The tree of commands as it is, for tests that go through all of it.
import { isGroup, loadVerb, type Verb, type VerbOrGroup } from '../../cmd/anode/verb.ts'
import { verbs } from '../../cmd/anode/verbs.ts'

export interface Placed<C extends VerbOrGroup = VerbOrGroup> {
  /** The words that lead to it. */
  path: readonly string[]
  command: C
}

/** Returns every group and every verb. */
export async function everyCommand(): Promise<Placed[]> {
  const all = Object.entries(verbs).map(async ([name, load]) => {
    const command = await load()
    if (!isGroup(command)) return [{ path: [name], command }]
    const own = Object.entries(command.verbs).map(async ([verb, entry]) => {
      return { path: [name, verb], command: await loadVerb(entry) }
    })
    const otherwise = command.otherwise ? [{ path: [name], command: await loadVerb(command.otherwise) }] : []
    return [{ path: [name], command }, ...otherwise, ...(await Promise.all(own))]
  })
  return (await Promise.all(all)).flat()
}

/** Returns every command that runs something. */
export async function everyVerb(): Promise<Placed<Verb>[]> {
  const all = await everyCommand()
  return all.flatMap(({ path, command }) => (isGroup(command) ? [] : [{ path, command }]))
}
