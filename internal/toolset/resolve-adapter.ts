// The meaning of a tool name in a session: an adapter of its toolset, else a native tool. `TOOLSET/NAME`
// means an adapter of that toolset, and `anode/NAME` also a native tool.
import { UserError } from '../base/errors.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { ToolAdapter, ToolsetDefinition } from './toolset.ts'

/** An adapter with the name of its toolset. */
export interface OwnedAdapter {
  toolset: string
  adapter: ToolAdapter
}

type ResolvedName = ({ kind: 'adapter' } & OwnedAdapter) | { kind: 'native'; name: string }

export interface NameSpace {
  /** The toolset of the session. */
  own: ToolsetDefinition
  /** All known toolsets. */
  all: readonly ToolsetDefinition[]
  natives: readonly string[]
}

const isAdapter = (entry: ToolAdapter | string): entry is ToolAdapter => typeof entry !== 'string'

export function adaptersOf({ name, adapters }: ToolsetDefinition): OwnedAdapter[] {
  return adapters.filter(isAdapter).map((adapter) => ({ toolset: name, adapter }))
}

/**
 * Returns the tool of a name: an adapter of the session, `TOOLSET/ADAPTER`, or a native tool, also as
 * `anode/NAME`. Throws UserError for any other name. Its hint gives the meaning of the name in another
 * toolset, similar names, or else the command that lists the tools.
 */
export function resolveName(name: string, { own: ownToolset, all, natives }: NameSpace): ResolvedName {
  const [before, after] = name.split('/')
  const toolset = after === undefined ? ownToolset : all.find((one) => one.name === before)
  const toolName = after ?? name
  const match = toolset && adaptersOf(toolset).find(({ adapter }) => adapter.name === toolName)
  if (match) return { kind: 'adapter', ...match }
  const native = findNativeName(toolName, { own: toolset ?? ownToolset, natives })
  if ((after === undefined || before === 'anode') && native !== undefined)
    return { kind: 'native', name: native }
  const names = toolset ? [...adaptersOf(toolset).map(({ adapter }) => adapter.name), ...natives] : []
  const suggestion = suggestNames(toolName, names)
  throw new UserError(`unknown tool ${name}`, {
    hint:
      explainName(name, { own: ownToolset, all, natives }) ??
      (suggestion || `see \`anode tools list --toolset ${toolset?.name ?? ownToolset.name} --all\``),
  })
}

const customPrefixes = ['fn__', 'cli__'] as const

/**
 * Returns the native tool's name, which rules use; undefined for an unknown name. With the policy `bare`, a
 * custom tool may omit the prefix of its kind.
 */
export function findNativeName(
  name: string,
  { own: ownToolset, natives }: Pick<NameSpace, 'own' | 'natives'>,
): string | undefined {
  if (natives.includes(name)) return name
  if (ownToolset.policy?.customTools !== 'bare') return undefined
  return customPrefixes.map((prefix) => prefix + name).find((one) => natives.includes(one))
}

/** Returns a custom tool's name without the prefix of its kind. */
export const bareName = (name: string) => name.replace(/^(?:fn|cli)__/, '')

/**
 * Returns a sentence about a name that the session does not offer: a native tool, if an adapter of the
 * session does its work, or a tool of another toolset. Returns undefined for other names.
 */
export function explainName(name: string, { own: ownToolset, all, natives }: NameSpace): string | undefined {
  if (natives.includes(name)) {
    const here = adaptersOf(ownToolset).find(({ adapter }) =>
      adapter.to.some((target) => target.tool === name),
    )
    return here && `${name} is a tool of anode; here ${here.adapter.name} does it`
  }
  const others = all.filter((one) => one !== ownToolset).flatMap(adaptersOf)
  const foreignAdapter = others.find(({ adapter }) => adapter.name === name)
  if (!foreignAdapter) return undefined
  const here = nameTools(foreignAdapter.adapter, ownToolset)
  const next = here === '' ? '' : `; here ${here} does it`
  return `${name} is a tool of the toolset ${foreignAdapter.toolset}${next}`
}

/** Returns the names of a toolset's tools that do the work of a foreign adapter, or an empty text. */
function nameTools({ to }: ToolAdapter, toolset: ToolsetDefinition): string {
  const adapters = adaptersOf(toolset).map(({ adapter }) => adapter)
  const natives = [...new Set(to.map(({ tool }) => tool))]
  const names = natives.flatMap((tool) => {
    if (toolset.adapters.includes(tool)) return [tool]
    return adapters.find((one) => one.to.some((target) => target.tool === tool))?.name ?? []
  })
  return [...new Set(names)].join(' or ')
}
