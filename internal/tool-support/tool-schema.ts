// Conversion of a tool's arguments, which a program or server declares as JSON Schema or in shorthand, to a
// flat zod schema.
import * as z from 'zod/mini'
import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject } from '../base/untrusted-json.ts'
import { describeBySchema } from '../tool/describe.ts'
import { field } from '../tool/field.ts'
import type { ToolInput } from '../tool/tool.ts'
import { flattenSchema } from './foreign-schema.ts'

type JsonRecord = Record<string, unknown>

interface ParsedToolSchema {
  input: ToolInput
  /**
   * The smallest complete arguments: every required argument, with its default, its first choice or
   * a sample value.
   */
  example: Record<string, unknown>
}

/** Depth of nesting below which the content of objects is checked only by the program that gets them. */
const maxSchemaDepth = 4

/**
 * Parses a JSON Schema of type object, or shorthand: `{name: 'string'}`, `{name: ['string', 'what it is']}`,
 * `{name: {type, description, …}}`. In shorthand an argument is required unless its type ends in `?`, it has
 * a default, or `required` is false; `string[]` is a list. An empty value means no arguments. A value that
 * the flat form cannot describe, such as a union, is passed on unchecked. Throws UserError for a value that
 * is not an object, an unusable name, an unknown type, or an unsuitable default.
 */
export function parseToolSchema(raw: unknown): ParsedToolSchema {
  if (raw === undefined || raw === null)
    return { input: describeBySchema(z.object({}), flattenSchema(undefined)), example: {} }
  if (!isObject(raw)) throw new UserError('its arguments are not a JSON object')
  const long = isSchema(raw) ? raw : expandArguments(raw)
  // Mistakes in the schema are refused before it is adapted.
  if (isObject(long.properties)) objectOf(long, maxSchemaDepth)
  const schema = flattenSchema(long)
  const { input, example } = objectOf(schema, maxSchemaDepth)
  // Models get the complete schema, including everything that the flat form omits.
  return { input: describeBySchema(input, schema), example }
}

/** Returns true for a JSON Schema, false for arguments written in shorthand. */
function isSchema({ type, properties, $ref, ...unions }: JsonRecord): boolean {
  if (type === 'object') return properties === undefined || isObject(properties)
  if (type !== undefined) return false
  if (typeof $ref === 'string' && $ref.startsWith('#')) return true
  return ['anyOf', 'oneOf', 'allOf'].some((key) => {
    const forms = unions[key]
    return Array.isArray(forms) && forms.length > 0 && forms.every(isObject)
  })
}

function expandArguments(args: JsonRecord): JsonRecord {
  const required: string[] = []
  const properties = Object.entries(args).map(([name, value]) => {
    const [type, description] = Array.isArray(value) ? value : [value]
    const long: JsonRecord = isObject(value) ? { ...value } : { type, description }
    if (typeof long.type !== 'string') throw new UserError(`its argument ${name} has no type`)
    const kind = long.type.replace(/\?$/, '')
    if (kind === long.type && long.default === undefined && long.required !== false) required.push(name)
    const item = /^(\w+)\[\]$/.exec(kind)?.[1]
    const parsedType = item ? { type: 'array', items: { type: item } } : { type: kind }
    return [name, { ...long, ...parsedType }]
  })
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function objectOf(schema: JsonRecord, remainingDepth: number): ParsedToolSchema {
  const required = Array.isArray(schema.required) ? schema.required : []
  const shape: [string, z.ZodMiniType][] = []
  const example: [string, unknown][] = []
  for (const [name, value] of Object.entries((schema.properties ?? {}) as JsonRecord)) {
    if (!/^[^\p{Cc}]{1,200}$/u.test(name) || name === '__proto__') {
      throw new UserError(`its argument ${JSON.stringify(name)} has a name that cannot be used`)
    }
    const property = isObject(value) ? value : {}
    const one = convertSchema(property, name, remainingDepth)
    const about = typeof property.description === 'string' ? stripControlCharacters(property.description) : ''
    shape.push([
      name,
      field(applyDefault(one.schema, property.default, required.includes(name), name), about),
    ])
    if (required.includes(name)) example.push([name, property.default ?? one.example])
  }
  const fields = Object.fromEntries(shape)
  const isOpen = schema.additionalProperties === true || isObject(schema.additionalProperties)
  const input = isOpen ? (z.looseObject(fields) as unknown as ToolInput) : z.object(fields)
  return { input, example: Object.fromEntries(example) }
}

/**
 * Returns the schema of an argument with its default, or as optional if the argument is not required. Throws
 * UserError for a default that does not fit the schema.
 */
function applyDefault(
  schema: z.ZodMiniType,
  preset: unknown,
  required: boolean,
  name: string,
): z.ZodMiniType {
  if (preset === undefined) return required ? schema : z.optional(schema)
  if (!z.safeParse(schema, preset).success) {
    throw new UserError(`the default of its argument ${name} is not a value that the argument may have`)
  }
  return z._default(schema, preset)
}

interface ArgumentSchema {
  schema: z.ZodMiniType
  example: unknown
}

function convertSchema(schema: JsonRecord, name: string, remainingDepth: number): ArgumentSchema {
  const choices = schema.enum
  if (Array.isArray(choices) && choices.length > 0 && choices.every((choice) => typeof choice === 'string')) {
    return { schema: z.enum(choices as [string, ...string[]]), example: choices[0] }
  }
  switch (typeName(schema.type)) {
    case 'string':
      return { schema: z.string(), example: 'text' }
    case 'integer':
      return boundNumber(z.int(), schema)
    case 'number':
      return boundNumber(z.number(), schema)
    case 'boolean':
      return { schema: z.boolean(), example: true }
    case 'array': {
      const item = convertSchema(isObject(schema.items) ? schema.items : {}, name, remainingDepth - 1)
      return { schema: z.array(item.schema), example: [item.example] }
    }
    case 'object': {
      if (remainingDepth <= 0 || !isObject(schema.properties)) {
        return { schema: z.record(z.string(), z.unknown()), example: {} }
      }
      const { input, example } = objectOf(schema, remainingDepth - 1)
      return { schema: input, example }
    }
    case undefined:
      return { schema: z.unknown(), example: 'text' }
    default:
      throw new UserError(`its argument ${name} has the unknown type ${String(schema.type)}`)
  }
}

/**
 * Returns the name of an argument's type; undefined for several types. `["string", "null"]` counts as
 * `string`, because an argument that may be null may also be omitted.
 */
function typeName(type: unknown): unknown {
  if (!Array.isArray(type)) return type
  const real = type.filter((one) => one !== 'null')
  return real.length === 1 ? real[0] : undefined
}

function boundNumber(number: z.ZodMiniNumber, { minimum, maximum }: JsonRecord): ArgumentSchema {
  const low = typeof minimum === 'number' ? minimum : undefined
  const high = typeof maximum === 'number' ? maximum : undefined
  const checks = [
    ...(low === undefined ? [] : [z.minimum(low)]),
    ...(high === undefined ? [] : [z.maximum(high)]),
  ]
  return { schema: number.check(...checks), example: low ?? Math.min(1, high ?? 1) }
}
