// A tool's JSON Schema as providers take it: an object at the top, no references, no union of whole argument
// lists.
import { isObject, type JsonObject, listOf, stringsOf } from '../base/untrusted-json.ts'

/** References within references that are followed; also ends those that lead in a circle. */
const maxReferenceDepth = 5
/** Parts of a schema with its references in place; a larger one is cut off. */
const maxParts = 4000

/**
 * Local references are put in place. Of a union at the top the properties of all its forms stay, required are
 * those that every form requires; unions further down stay as they are. Types, defaults and names that cannot
 * be used go.
 */
export function flattenSchema(raw: unknown): JsonObject {
  const root = isObject(raw) ? raw : {}
  let parts = 0
  const inline = (value: unknown, left: number): unknown => {
    if (++parts > maxParts) return Array.isArray(value) ? [] : isObject(value) ? {} : value
    if (Array.isArray(value)) return value.map((item) => inline(item, left))
    if (!isObject(value)) return value
    if (typeof value.$ref === 'string') {
      const { $ref, ...beside } = value
      const target = left > 0 ? lookUp(root, value.$ref) : undefined
      return isObject(target) ? inline({ ...target, ...beside }, left - 1) : beside
    }
    const kept = Object.entries(value).filter(([key]) => !dropped.has(key))
    return Object.fromEntries(kept.map(([key, item]) => [key, inline(item, left)]))
  }
  return clean(join(inline(root, maxReferenceDepth) as JsonObject))
}

const dropped = new Set(['$defs', 'definitions', '$schema', '$id'])

/** The part of the schema that a reference within it names. */
function lookUp(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}

/** One object out of the unions and intersections at the top. */
function join(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...own } = schema
  const all = listOf(allOf).filter(isObject).map(join)
  const forms = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject).map(join)
  const properties: JsonObject = {}
  for (const part of [...forms, ...all, own]) {
    for (const [name, property] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      properties[name] = Object.hasOwn(properties, name) ? either(properties[name], property) : property
    }
  }
  const required = new Set([...stringsOf(own.required), ...all.flatMap((part) => stringsOf(part.required))])
  const [first, ...more] = forms
  for (const name of stringsOf(first?.required)) {
    if (more.every((form) => stringsOf(form.required).includes(name))) required.add(name)
  }
  return {
    ...own,
    type: 'object',
    properties,
    required: [...required].filter((name) => Object.hasOwn(properties, name)),
  }
}

/** A property that several forms declare differently may be what any of them says. */
function either(before: unknown, now: unknown): unknown {
  const same = JSON.stringify(before) === JSON.stringify(now)
  if (same || !isObject(before) || !isObject(now)) return now
  const choices = [before, now].map(choicesOf)
  if (choices.every((one) => one !== undefined)) {
    const { const: _, ...rest } = now
    return { ...rest, type: 'string', enum: [...new Set(choices.flat())] }
  }
  return { anyOf: [...(Array.isArray(before.anyOf) ? before.anyOf : [before]), now] }
}

function choicesOf(schema: JsonObject): string[] | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum : [schema.const]
  return values.every((value) => typeof value === 'string') ? (values as string[]) : undefined
}

const known = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** What the checks here cannot read is taken out of a copy; the server checks the call again anyway. */
function clean(schema: JsonObject): JsonObject {
  const out: JsonObject = { ...schema }
  if (isObject(out.properties) && out.type === undefined) out.type = 'object'
  const types = Array.isArray(out.type) ? out.type : [out.type]
  if (out.type !== undefined && !types.every((type) => known.has(String(type)))) delete out.type
  if (typeof out.const === 'string') {
    out.enum = [out.const]
    delete out.const
  }
  cleanChoices(out)
  cleanBound(out, 'exclusiveMinimum', 'minimum')
  cleanBound(out, 'exclusiveMaximum', 'maximum')
  if (Array.isArray(out.items)) out.items = out.items.length === 1 ? out.items[0] : {}
  if (types.includes('array') && !isObject(out.items)) out.items = {}
  for (const key of ['items', 'additionalProperties', 'propertyNames'])
    if (isObject(out[key])) out[key] = clean(out[key])
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(out[key])) out[key] = out[key].map((one) => (isObject(one) ? clean(one) : {}))
  if ('properties' in out) {
    const usable = Object.entries(isObject(out.properties) ? out.properties : {}).filter(
      ([name]) => name !== '' && name !== '__proto__',
    )
    out.properties = Object.fromEntries(usable.map(([name, one]) => [name, isObject(one) ? clean(one) : {}]))
    out.required = stringsOf(out.required).filter((name) => usable.some(([one]) => one === name))
  }
  return out
}

/** An `enum` and the type beside it agree: values of another type go, or else the type. */
function cleanChoices(out: JsonObject): void {
  if (!Array.isArray(out.enum)) return
  const types = Array.isArray(out.type) ? out.type : [out.type]
  const fits = (value: unknown) => types.some((type) => isOfType(value, String(type)))
  const values = [...new Set(out.enum)]
  const fitting = out.type === undefined ? values : values.filter(fits)
  if (values.length === 0) delete out.enum
  else if (fitting.length > 0) out.enum = fitting
  else if (values.every((value) => typeof value === 'string'))
    Object.assign(out, { type: 'string', enum: values })
  else delete out.type
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Draft 4 says with true or false whether a bound itself is left out. */
function cleanBound(out: JsonObject, exclusive: string, bound: string): void {
  if (typeof out[exclusive] !== 'boolean') return
  if (out[exclusive] === true && typeof out[bound] === 'number') {
    out[exclusive] = out[bound]
    delete out[bound]
  } else delete out[exclusive]
}
