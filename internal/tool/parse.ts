// The parser of arguments from a model or a shell into the arguments that a tool declares.
import * as z from 'zod/mini'
import { findNearest } from '../base/text/name-suggestion.ts'
import { isObject, parseJson } from '../base/untrusted-json.ts'
import { describeIssues, quoteDescription } from './arguments/argument-issues.ts'
import { type FieldMeta, metaOf } from './field.ts'
import type { ToolInput } from './tool.ts'

type ParsedArguments<I extends ToolInput> =
  | { ok: true; args: z.output<I>; notes: string[] }
  | { ok: false; issues: string[] }

interface ParseTrace {
  notes: string[]
  issues: string[]
}

/**
 * Parses the arguments `raw` against the schema. Renames aliases and synonyms, reads numeric and boolean
 * strings, and accepts numbers for strings. Reads `null` as missing unless the parameter accepts it, and
 * reduces values above a cap, which `notes` reports. Refuses unknown names, unless the schema accepts them,
 * and names the most similar known one or, without one, all. `issues` contains all problems together, with
 * the description of each known parameter.
 */
export function parseArguments<I extends ToolInput>(input: I, raw: unknown): ParsedArguments<I> {
  if (!isObject(raw)) return { ok: false, issues: ['arguments must be a JSON object'] }
  const trace: ParseTrace = { notes: [], issues: [] }
  const value = settleValue(input, raw, '', trace)
  const parsed = z.safeParse(input, value, { reportInput: true })
  const issues = [...trace.issues, ...(parsed.success ? [] : describeIssues(input, parsed.error.issues))]
  return parsed.success && issues.length === 0
    ? { ok: true, args: parsed.data, notes: trace.notes }
    : { ok: false, issues }
}

/** Returns the object in arguments that were encoded as JSON twice; other arguments unchanged. */
export function unwrapArguments(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const value = parseJson(raw)
  return isObject(value) ? value : raw
}

interface SchemaDefinition {
  type: string
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
  /** Schema for the values of further names, in an object that accepts such names. */
  catchall?: z.core.$ZodType
}

/**
 * Returns the value with small repairs at every depth, such as numbers read from strings. Notes and problems
 * go to `trace`.
 */
function settleValue(
  schema: z.core.$ZodType,
  value: unknown,
  path: string,
  trace: ParseTrace,
  outer?: FieldMeta,
): unknown {
  const def = schema._zod.def as unknown as SchemaDefinition
  const meta = metaOf(schema) ?? outer
  if (def.innerType) return value === undefined ? value : settleValue(def.innerType, value, path, trace, meta)
  switch (def.type) {
    case 'object':
      return isObject(value) ? settleObject(def, value, path, trace) : value
    case 'array':
      return settleArray(def, value, path, meta, trace)
    case 'number':
      return settleNumber(value, path, meta, trace)
    case 'boolean':
      return typeof value === 'string' && /^(true|false)$/i.test(value)
        ? value.toLowerCase() === 'true'
        : value
    case 'string':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : value
    case 'enum':
      return typeof value === 'string' && meta?.synonyms && Object.hasOwn(meta.synonyms, value)
        ? meta.synonyms[value]
        : value
    default:
      return value
  }
}

function settleArray(
  { element }: SchemaDefinition,
  value: unknown,
  path: string,
  meta: FieldMeta | undefined,
  trace: ParseTrace,
): unknown {
  const { lone } = meta ?? {}
  const list = lone !== undefined && (typeof value === 'string' || isObject(value)) ? [value] : value
  if (!Array.isArray(list) || !element) return list
  return list.map((item, i) =>
    settleValue(
      element,
      lone !== undefined && typeof item === 'string' ? fillFields(lone, item) : item,
      `${path}[${i}]`,
      trace,
    ),
  )
}

/** Returns an object in which each of the fields `names` has the text. */
const fillFields = (names: string | readonly string[], text: string) =>
  Object.fromEntries([names].flat().map((name) => [name, text]))

function settleObject(
  def: SchemaDefinition,
  value: Record<string, unknown>,
  path: string,
  trace: ParseTrace,
) {
  const { shape = {}, catchall } = def
  const isOpen = catchall !== undefined && catchall._zod.def.type !== 'never'
  const out: Record<string, unknown> = {}
  const names = Object.keys(shape)
  const lead = path === '' ? '' : `${path}.`
  const named = names.filter((name) => !metaOf(shape[name] as z.core.$ZodType)?.hidden)
  for (const [key, item] of Object.entries(value)) {
    const name = names.includes(key) ? key : names.find((n) => aliasesOf(shape[n]).includes(key))
    if (name === undefined && isOpen && key !== '__proto__') out[key] = item
    else if (name === undefined) {
      const near = findNearest(key, named, 1)[0]
      const hint =
        near === undefined
          ? `; known: ${named.join(', ') || 'none'}`
          : `, did you mean ${near}?${quoteDescription(shape[near])}`
      trace.issues.push(`unknown parameter ${lead}${key}${hint}`)
    } else if (Object.hasOwn(out, name)) {
      trace.issues.push(`${lead}${name} is given twice (also as ${key})`)
    } else if (item !== undefined && !(item === null && meansAbsent(shape[name] as z.core.$ZodType))) {
      out[name] = settleValue(shape[name] as z.core.$ZodType, item, `${lead}${name}`, trace)
    }
  }
  return out
}

function settleNumber(value: unknown, path: string, meta: FieldMeta | undefined, trace: ParseTrace): unknown {
  const number = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && meta?.cap !== undefined && number > meta.cap) {
    trace.notes.push(`${path} reduced from ${number} to ${meta.cap}`)
    return meta.cap
  }
  return number
}

/** Returns true if `null` means a missing parameter: always, unless the parameter itself accepts `null`. */
function meansAbsent(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, null).success
}

function aliasesOf(schema: z.core.$ZodType | undefined): readonly string[] {
  return (schema && metaOf(schema)?.aliases) ?? []
}
