// A tool's parameters: zod schemas with description, cap and accepted aliases.
import * as z from 'zod/mini'
import type { ToolInput } from './tool.ts'

/** What the schema alone does not say about a parameter. */
export interface FieldMeta {
  description: string
  /** Numbers above it are reduced to it, and the result says so. */
  cap?: number
  /** Other names under which the parameter is accepted; never listed. */
  aliases?: readonly string[]
  /** Only reachable through the map of a toolset's face: described to nobody, unknown in a native call. */
  faces?: boolean
  /** Of a parameter of faces: accepted in a native call too, for models that know it from elsewhere. */
  accepted?: boolean
  /** A value that is no list is a list of one, and a text in it an object with the text under this name. */
  lone?: string
  /** Holds what only its receiver may know: records of the call have its place, never its value. */
  secret?: boolean
  /** Only told, and of use, where this tool is offered too. */
  with?: string
  /**
   * Accepted and listed everywhere, but offered to models `never`, only where web_search asks this engine,
   * or only where lookAt.targets has entries. Absent: offered always.
   */
  offer?: 'never' | 'exa' | 'targets'
  /** A list whose items have the fields that stand beside it; they are said once. */
  likeSiblings?: boolean
  /** Other spellings of enum values, mapped onto the listed ones. */
  synonyms?: Readonly<Record<string, string>>
}

const registry = z.registry<FieldMeta>()

/** Attaches description, cap and aliases to a parameter's schema and returns that same schema. */
export function field<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  rest: Omit<FieldMeta, 'description'> = {},
): S {
  registry.add(schema, { description, ...rest })
  return schema
}

/** What was attached with `field`, or undefined. */
export function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  return registry.get(schema as z.ZodMiniType) as FieldMeta | undefined
}

/** Arguments as a call's record may hold them: of a secret parameter only that it was given. */
export function withoutSecrets({ shape }: ToolInput, args: Record<string, unknown>): Record<string, unknown> {
  const mask = ([name, value]: [string, unknown]) => [
    name,
    shape[name] && metaOf(shape[name] as z.core.$ZodType)?.secret ? '(not recorded)' : value,
  ]
  return Object.fromEntries(Object.entries(args).map(mask))
}
