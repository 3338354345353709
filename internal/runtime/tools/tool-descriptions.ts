// Describes tools that have to be loaded for it: the native ones at build time, those of toolbox programs
// when found.
import type { ToolDescription, ToolEntry } from '../../tool/catalog.ts'
import { toToolDescription } from '../../tool/describe.ts'
import type { Tool } from '../../tool/tool.ts'
import { nativeTools } from '../../tools/index.ts'

/** Loads and describes every native tool; what the build writes to catalog.json. */
export async function describeNatives(): Promise<ToolDescription[]> {
  return Promise.all(
    Object.values(nativeTools).map(async (load) => toToolDescription(await load(), 'native')),
  )
}

/** Entries of tools that exist already, for example from toolbox programs. */
export function toToolEntries(tools: readonly Tool[], origin: string): ToolEntry[] {
  return tools.map((tool) => ({ ...toToolDescription(tool, origin), load: async () => tool }))
}
