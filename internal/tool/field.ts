// How a tool's parameters are declared: zod schemas plus description, cap and accepted aliases.
import * as z from 'zod/mini'

/** What the schema alone does not say about a parameter. */
export interface Meta {
  description: string
  /** Numbers above it are reduced to it, and the result says so. */
  cap?: number
  /** Other names under which the parameter is accepted; never listed. */
  aliases?: readonly string[]
  /** Other spellings of enum values, mapped onto the listed ones. */
  synonyms?: Readonly<Record<string, string>>
}

const registry = z.registry<Meta>()

/** Attaches description, cap and aliases to a parameter's schema and returns that same schema. */
export function field<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  rest: Omit<Meta, 'description'> = {},
): S {
  registry.add(schema, { description, ...rest })
  return schema
}

/** What was attached with `field`, or undefined. */
export function metaOf(schema: z.core.$ZodType): Meta | undefined {
  return registry.get(schema as z.ZodMiniType) as Meta | undefined
}

type Json = Record<string, unknown>

/** The JSON Schema (input side) of a tool's parameters: flat, with descriptions, `maximum` for caps. */
export function jsonSchema(input: z.ZodMiniObject): Json {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    target: 'draft-07',
    override: ({ zodSchema, jsonSchema: out }) => {
      const meta = metaOf(zodSchema)
      if (meta) {
        out.description = meta.description
        if (meta.cap !== undefined) out['x-cap'] = meta.cap
      }
      // zod writes the bounds of safe integers; they say nothing to a reader
      if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum
      if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum
    },
  }) as Json
  delete schema.$schema
  schema.additionalProperties = false
  return schema
}
