// Descriptions of tools that have to be loaded first: native tools at build time, tools of toolbox programs
// when they are found.
import type { ToolDescription, ToolEntry } from '../../tool/catalog.ts'
import { toToolDescription } from '../../tool/describe.ts'
import type { Tool } from '../../tool/tool.ts'
import { nativeTools } from '../../tools/index.ts'

/** Loads every native tool and returns its description. The build writes the descriptions to catalog.json. */
export async function describeNatives(): Promise<ToolDescription[]> {
  return Promise.all(
    Object.values(nativeTools).map(async (load) => toToolDescription(await load(), 'native')),
  )
}

/** Returns entries of tools that are already loaded, for example from toolbox programs. */
export function toToolEntries(tools: readonly Tool[], origin: string): ToolEntry[] {
  return tools.map((tool) => ({ ...toToolDescription(tool, origin), load: async () => tool }))
}
