// A tool's parameters: zod schemas with description, cap and accepted aliases.
import * as z from 'zod/mini'

/** What the schema alone does not say about a parameter. */
export interface FieldMeta {
  description: string
  /** Numbers above it are reduced to it, and the result says so. */
  cap?: number
  /** Other names under which the parameter is accepted; never listed. */
  aliases?: readonly string[]
  /** Accepted and documented, but not offered to models, because few calls need it. */
  rare?: boolean
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
