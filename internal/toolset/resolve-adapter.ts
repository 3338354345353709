// Resolves names of tools in a session of a toolset: its faces, faces of other toolsets, native tools.
import { UserError } from '../base/errors.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { ToolAdapter, ToolsetDefinition } from './toolset.ts'

/** A face with the toolset that it belongs to. */
export interface OwnedAdapter {
  toolset: string
  adapter: ToolAdapter
}

type ResolvedName = ({ kind: 'adapter' } & OwnedAdapter) | { kind: 'native'; name: string }

export interface NameSpace {
  /** The toolset of the session. */
  own: ToolsetDefinition
  /** All that there are. */
  all: readonly ToolsetDefinition[]
  natives: readonly string[]
}

const isAdapter = (entry: ToolAdapter | string): entry is ToolAdapter => typeof entry !== 'string'

export function adaptersOf({ name, adapters }: ToolsetDefinition): OwnedAdapter[] {
  return adapters.filter(isAdapter).map((adapter) => ({ toolset: name, adapter }))
}

/** Face, `TOOLSET/FACE` or native tool. Throws UserError with the nearest name for anything else. */
export function resolveName(name: string, { own, all, natives }: NameSpace): ResolvedName {
  const [before, after] = name.split('/')
  const toolset = after === undefined ? own : all.find((one) => one.name === before)
  const wanted = after ?? name
  const found = toolset && adaptersOf(toolset).find(({ adapter }) => adapter.name === wanted)
  if (found) return { kind: 'adapter', ...found }
  const native = findNativeName(wanted, { own: toolset ?? own, natives })
  if ((after === undefined || before === 'anode') && native !== undefined)
    return { kind: 'native', name: native }
  const names = toolset ? [...adaptersOf(toolset).map(({ adapter }) => adapter.name), ...natives] : []
  const known = suggestNames(wanted, names)
  throw new UserError(`there is no tool named ${name}`, {
    hint:
      explainName(name, { own, all, natives }) ??
      (known || `see \`anode tools list --toolset ${toolset?.name ?? own.name} --all\``),
  })
}

const customPrefixes = ['fn__', 'cli__'] as const

/** The name that rules know it by; a custom tool may go without the prefix of its kind. */
export function findNativeName(
  name: string,
  { own, natives }: Pick<NameSpace, 'own' | 'natives'>,
): string | undefined {
  if (natives.includes(name)) return name
  if (own.policy?.customTools !== 'bare') return undefined
  return customPrefixes.map((prefix) => prefix + name).find((one) => natives.includes(one))
}

/** A custom tool without the prefix of its kind. */
export const bareName = (name: string) => name.replace(/^(?:fn|cli)__/, '')

/** What a name that is no tool of the session is elsewhere. */
export function explainName(name: string, { own, all, natives }: NameSpace): string | undefined {
  if (natives.includes(name)) {
    const here = adaptersOf(own).find(({ adapter }) => adapter.to.some((target) => target.tool === name))
    return here && `${name} is a tool of anode; here ${here.adapter.name} does it`
  }
  const other = all.find((one) => one !== own && adaptersOf(one).some(({ adapter }) => adapter.name === name))
  return other && `${name} is a face of ${other.name}`
}
