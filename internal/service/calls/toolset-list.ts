// All toolsets, each with the names of its tools.

import { loadNativeEntries } from '../../runtime/tools/tool-registry.ts'
import { openToolset } from '../../runtime/toolset/toolset-session.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { neededTools } from '../../toolset/adapter-entries.ts'
import { loadToolset, toolsetNames } from '../../toolset/index.ts'
import { adaptersOf } from '../../toolset/resolve-adapter.ts'

interface ToolsetSummary {
  name: string
  about: string
  /** Names in the order of the toolset. Tools that are offered only on request are in `optional`. */
  tools: string[]
  optional: string[]
}

/** Returns all toolsets. Adapters whose native tools do not exist are skipped. */
export async function listToolsets(): Promise<ToolsetSummary[]> {
  const natives = await loadNativeEntries()
  const there = new Set(natives.map(({ name }) => name))
  const sets = await Promise.all(toolsetNames.map(loadToolset))
  return sets.map((set) => {
    const adapters = adaptersOf(set).filter(({ adapter }) =>
      neededTools(adapter).every((name) => there.has(name)),
    )
    const named = (optional: boolean) =>
      adapters.flatMap(({ adapter }) => ((adapter.optional === true) === optional ? [adapter.name] : []))
    const adapterNames = new Set(adapters.map(({ adapter }) => adapter.name))
    const isPlain = ({ name }: { name: string }) =>
      !set.adapters.includes(`!${name}`) && !adapterNames.has(name)
    const plain = set.adapters.includes('*') ? natives.filter(isPlain) : []
    return {
      name: set.name,
      about: set.about,
      tools: [...plain.flatMap(({ name, optional }) => (optional ? [] : [name])), ...named(false)],
      optional: [...plain.flatMap(({ name, optional }) => (optional ? [name] : [])), ...named(true)],
    }
  })
}

/** A toolset with the complete descriptions of its tools, including optional ones. */
export interface ToolsetDescription {
  name: string
  about: string
  faces: readonly ListedTool[]
}

/** Returns the toolsets that have adapters, with the descriptions of their tools. */
export async function describeToolsets(): Promise<ToolsetDescription[]> {
  const natives = await loadNativeEntries()
  const sets = (await Promise.all(toolsetNames.map(loadToolset))).filter((set) => adaptersOf(set).length > 0)
  const restrictions = { profile: undefined, disabled: [], web: true }
  const describe = async ({ name, about }: { name: string; about: string }) => {
    const set = await openToolset({ name }, () => natives)
    return { name, about, faces: set.list({ restrictions, only: undefined, child: false }) }
  }
  return Promise.all(sets.map(describe))
}
