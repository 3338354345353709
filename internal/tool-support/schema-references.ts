// The replacement of references in a JSON Schema by their definitions, because endpoints do
// not follow references.

import { isObject, type JsonObject } from '../base/untrusted-json.ts'
import { decodePercent } from '../base/url-credentials.ts'

/**
 * Largest number of values in a schema whose references are replaced. Objects and lists beyond
 * it become empty.
 */
const maxParts = 4000

/**
 * Largest factor by which the replacement of references may enlarge a schema that refers to itself. Above it,
 * stricter limits are tried.
 */
const maxGrowth = 2

/** Limits of the replacement of references: the depth, and how often a definition may occur within itself. */
interface InlineLimits {
  depth: number
  repeats: number
}

const usualReach: InlineLimits = { depth: 5, repeats: 0 }
/** Limits of depth and repetition for a schema that refers to itself, tried in this order. */
const reaches: readonly InlineLimits[] = [
  { depth: 5, repeats: 1 },
  { depth: 5, repeats: 0 },
  { depth: 4, repeats: 0 },
  { depth: 3, repeats: 0 },
  { depth: 2, repeats: 0 },
  { depth: 1, repeats: 0 },
  { depth: 0, repeats: 0 },
]

/**
 * Returns the schema `root` without references and definitions. A definition that would repeat too often
 * within itself, or that is nested too deeply, is replaced by its bare type; a reference without a
 * definition is removed.
 */
export function inlineReferences(root: JsonObject): JsonObject {
  const { schema, isRecursive } = inlineSchema(root, usualReach)
  if (!isRecursive) return schema
  const limit = JSON.stringify(root).length * maxGrowth
  const attempts = reaches.map((reach) => () => inlineSchema(root, reach).schema)
  for (const make of attempts) {
    const one = make()
    if (JSON.stringify(one).length <= limit) return one
  }
  return inlineSchema(root, { depth: 0, repeats: 0 }).schema
}

function inlineSchema(
  root: JsonObject,
  { depth, repeats }: InlineLimits,
): { schema: JsonObject; isRecursive: boolean } {
  let parts = 0
  let isRecursive = false
  const visit = (value: unknown, followed: readonly string[]): unknown => {
    if (++parts > maxParts) return Array.isArray(value) ? [] : isObject(value) ? {} : value
    if (Array.isArray(value)) return value.map((item) => visit(item, followed))
    if (!isObject(value)) return value
    const { $ref } = value
    if (typeof $ref !== 'string') return mapSchema(value, (part) => visit(part, followed))
    const { $ref: _, ...more } = value
    const target = lookUp(root, $ref)
    if (!isObject(target)) return more
    const before = followed.filter((one) => one === $ref).length
    if (before > 0) isRecursive = true
    if (followed.length < depth && before <= repeats)
      return visit({ ...target, ...more }, [...followed, $ref])
    return { ...(target.type !== undefined && { type: target.type }), ...more }
  }
  return { schema: visit(root, []) as JsonObject, isRecursive }
}

const dropped = new Set(['$defs', 'definitions'])
const named = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords of JSON Schema whose values are data and not schemas. */
const data = new Set(['enum', 'const', 'default', 'examples', 'example', 'required'])

/**
 * Returns the schema without its definitions and with `change` applied to each schema in it. A property may
 * have the name of a keyword without counting as one.
 */
function mapSchema(schema: JsonObject, change: (part: unknown) => unknown): JsonObject {
  const changeAll = (parts: JsonObject) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, part]) => {
      if (dropped.has(key)) return []
      if (data.has(key)) return [[key, part]]
      return [[key, named.has(key) && isObject(part) ? changeAll(part) : change(part)]]
    }),
  )
}

/**
 * Returns the part of the schema that a reference (`#/…`) points to; undefined for a missing part, and for a
 * reference to another document.
 */
function lookUp(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(key)]
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}
