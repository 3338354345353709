// Random values that fit a JSON Schema, and values that hardly fit any.
import { choice, type Rng } from './rng.ts'

interface Schema {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
}
export type SchemaDefs = Record<string, Schema>

/** `fixed` gives the value of a property by its name; undefined leaves it to chance. */
export function valueOfSchema(
  random: Rng,
  defs: SchemaDefs,
  schema: Schema,
  fixed: (name: string) => unknown,
  depth = 5,
): unknown {
  const next = (part: Schema) => valueOfSchema(random, defs, part, fixed, depth - 1)
  if (schema.$ref) return next(defs[schema.$ref.replace('#/$defs/', '')] as Schema)
  if ('const' in schema) return schema.const
  if (schema.enum) return choice(random, schema.enum)
  const one = schema.anyOf ?? schema.oneOf
  const parts = [...(schema.allOf ?? []), ...(one ? [choice(random, one)] : [])].map(next)
  if (!schema.properties && parts.length === 1) return parts[0]
  const types = [schema.type ?? 'object'].flat()
  switch (choice(random, types)) {
    case 'null':
      return null
    case 'string':
      return choice(random, ['', 'a', 'ä€😀', 'x'.repeat(300), 'file:///tmp/a', '\u0000\u001b[31m'])
    case 'boolean':
      return random() < 0.5
    case 'integer':
    case 'number':
      return Math.floor(random() * 1000) + (schema.minimum ?? 0)
    case 'array':
      return Array.from({ length: depth > 0 ? Math.floor(random() * 3) : 0 }, () => next(schema.items ?? {}))
    default: {
      const made: Record<string, unknown> = Object.assign(
        {},
        ...parts.filter((part) => typeof part === 'object'),
      )
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        const isWanted = schema.required?.includes(name) || (depth > 0 && random() < 0.4)
        if (isWanted) made[name] = fixed(name) ?? next(part)
      }
      return made
    }
  }
}

const junk = [null, 0, -1, 1e308, '', 'x', [], {}, [[]], true, { type: 'text' }, '\ud800', 'y'.repeat(5_000)]

/** Returns the value with one part changed, removed, or added. */
export function spoilValue(random: Rng, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return choice(random, junk)
  const copy = structuredClone(value) as Record<string, unknown>
  const names = Object.keys(copy)
  const name =
    names.length === 0 || random() < 0.1
      ? choice(random, ['_meta', '__proto__', 'type'])
      : choice(random, names)
  if (random() < 0.2) delete copy[name]
  else Object.defineProperty(copy, name, { value: spoilValue(random, copy[name]), enumerable: true })
  return copy
}
