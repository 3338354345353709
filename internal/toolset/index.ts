// The toolsets by name, each loaded only where it is asked for.
import { UserError } from '../base/errors.ts'
import type { ToolsetDefinition } from './toolset.ts'

/** The toolset of a session that names none: the native tools as they are. */
export const standardToolset = 'anode'

const loaders: Readonly<Record<string, () => Promise<ToolsetDefinition>>> = {
  anode: async () => (await import('./sets/anode.ts')).anode,
  hooman: async () => (await import('./sets/hooman.ts')).hooman,
  ah: async () => (await import('./sets/ah.ts')).ah,
  researchharness: async () => (await import('./sets/researchharness.ts')).researchharness,
  swarmie: async () => (await import('./sets/swarmie.ts')).swarmie,
}

export const toolsetNames: readonly string[] = Object.keys(loaders)

/** Rejects with UserError for a name that is none. */
export async function loadToolset(name: string): Promise<ToolsetDefinition> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  if (load) return load()
  throw new UserError(`there is no toolset named ${name}`, {
    hint: `known: ${toolsetNames.join(', ')}`,
  })
}
