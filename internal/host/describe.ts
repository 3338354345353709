// Describes tools that have to be loaded for it: the native ones at build time, those of toolbox programs when found.
import type { Description, Entry } from '../tool/catalog.ts'
import { describe } from '../tool/describe.ts'
import type { Tool } from '../tool/tool.ts'
import { natives } from '../tools/index.ts'

/** Loads and describes every native tool; what the build writes to catalog.json. */
export async function describeNatives(): Promise<Description[]> {
  return Promise.all(Object.values(natives).map(async (load) => describe(await load(), 'native')))
}

/** Entries of tools that exist already, for example from toolbox programs. */
export function entriesOf(tools: readonly Tool[], origin: string): Entry[] {
  return tools.map((tool) => ({ ...describe(tool, origin), load: async () => tool }))
}
