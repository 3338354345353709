// The list of toolsets by name. Each large toolset is loaded on first use.
import { UserError } from '../base/errors.ts'
import { ah } from './sets/ah.ts'
import { anode } from './sets/anode.ts'
import { swarmie } from './sets/swarmie.ts'
import type { ToolsetDefinition } from './toolset.ts'

/** Name of a session's default toolset, which contains the native tools. */
export const standardToolset = 'anode'

const loaders: Readonly<Record<string, () => Promise<ToolsetDefinition>>> = {
  anode: async () => anode,
  hooman: async () => (await import('./sets/hooman.ts')).hooman,
  ah: async () => ah,
  researchharness: async () => (await import('./sets/researchharness.ts')).researchharness,
  swarmie: async () => swarmie,
}

export const toolsetNames: readonly string[] = Object.keys(loaders)

/** Loads a toolset. Rejects with UserError for an unknown name. */
export async function loadToolset(name: string): Promise<ToolsetDefinition> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  if (load) return load()
  throw new UserError(`unknown toolset ${name}`, {
    hint: `known: ${toolsetNames.join(', ')}`,
  })
}
