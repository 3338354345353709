// Resolves names of tools in a session of a toolset: its faces, faces of other toolsets, native tools.
import { UserError } from '../base/errors.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { ToolFace, ToolsetDefinition } from './toolset.ts'

/** A face with the toolset that it belongs to. */
export interface OwnedFace {
  toolset: string
  face: ToolFace
}

type ResolvedName = ({ kind: 'face' } & OwnedFace) | { kind: 'native'; name: string }

export interface NameSpace {
  /** The toolset of the session. */
  own: ToolsetDefinition
  /** All that there are. */
  all: readonly ToolsetDefinition[]
  natives: readonly string[]
}

const isFace = (entry: ToolFace | string): entry is ToolFace => typeof entry !== 'string'

export function facesOf({ name, faces }: ToolsetDefinition): OwnedFace[] {
  return faces.filter(isFace).map((face) => ({ toolset: name, face }))
}

/** Face, `TOOLSET/FACE` or native tool. Throws UserError with the nearest name for anything else. */
export function resolveName(name: string, { own, all, natives }: NameSpace): ResolvedName {
  const [before, after] = name.split('/')
  const toolset = after === undefined ? own : all.find((one) => one.name === before)
  const wanted = after ?? name
  const found = toolset && facesOf(toolset).find(({ face }) => face.name === wanted)
  if (found) return { kind: 'face', ...found }
  const native = findNativeName(wanted, { own: toolset ?? own, natives })
  if ((after === undefined || before === 'anode') && native !== undefined)
    return { kind: 'native', name: native }
  const names = toolset ? [...facesOf(toolset).map(({ face }) => face.name), ...natives] : []
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
    const here = facesOf(own).find(({ face }) => face.to.some((target) => target.tool === name))
    return here && `${name} is a tool of anode; here ${here.face.name} does it`
  }
  const other = all.find((one) => one !== own && facesOf(one).some(({ face }) => face.name === name))
  return other && `${name} is a face of ${other.name}`
}
