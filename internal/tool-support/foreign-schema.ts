// Conversion of another program's JSON Schema, at every depth, into a form that the
// strictest endpoint accepts.
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject, type JsonObject, listOf, stringsOf } from '../base/untrusted-json.ts'
import { inlineReferences } from './schema-references.ts'

/**
 * Returns a schema of type object without references, and without a union at its top. The properties of all
 * forms of such a union stay, and those that every form requires stay required. Parts that endpoints refuse
 * are rewritten, or left out if that is not possible; the other program checks each call anyway. For a value
 * that is not an object, the schema has no properties.
 */
export function flattenSchema(raw: unknown): JsonObject {
  const {
    anyOf,
    oneOf,
    allOf,
    enum: choices,
    ...top
  } = joinSchemas(inlineReferences(isObject(raw) ? raw : {}))
  return cleanSchema(top)
}

/** Returns one object schema with the properties of all unions and intersections at the top of `schema`. */
function joinSchemas(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, const: _const, ...baseSchema } = schema
  const all = listOf(allOf).filter(isObject).map(joinSchemas)
  const forms = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject).map(joinSchemas)
  const properties: JsonObject = {}
  for (const part of [...forms, ...all, baseSchema]) {
    for (const [name, property] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      properties[name] = Object.hasOwn(properties, name)
        ? mergeProperty(properties[name], property)
        : property
    }
  }
  const required = new Set([
    ...stringsOf(baseSchema.required),
    ...all.flatMap((part) => stringsOf(part.required)),
  ])
  const [first, ...more] = forms
  for (const name of stringsOf(first?.required)) {
    if (more.every((form) => stringsOf(form.required).includes(name))) required.add(name)
  }
  return {
    ...baseSchema,
    type: 'object',
    properties,
    required: [...required].filter((name) => Object.hasOwn(properties, name)),
  }
}

/**
 * Returns a schema that allows the values of both declarations of a property; `now` if both are equal or one
 * is not an object.
 */
function mergeProperty(before: unknown, now: unknown): unknown {
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

const knownTypes = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** Keywords that some endpoints refuse and that no model needs. */
const dropped = (
  '$schema $id id $anchor $comment $vocabulary $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor ' +
  'if then else not contains minContains maxContains patternProperties unevaluatedProperties ' +
  'unevaluatedItems dependentSchemas dependentRequired dependencies additionalItems'
).split(' ')

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].concat([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
])

function cleanSchema(schema: JsonObject): JsonObject {
  const out: JsonObject = { ...schema }
  if (isObject(out.patternProperties) && out.additionalProperties === false) delete out.additionalProperties
  for (const key of dropped) delete out[key]
  for (const key of ['title', 'description', 'format', 'pattern'])
    if (typeof out[key] !== 'string') delete out[key]
  for (const key of ['title', 'description'])
    if (key in out) out[key] = stripControlCharacters(String(out[key]))
  cleanType(out)
  if (Object.hasOwn(out, 'const')) out.enum = [out.const]
  delete out.const
  cleanChoices(out)
  cleanBound(out, 'exclusiveMinimum', 'minimum')
  cleanBound(out, 'exclusiveMaximum', 'maximum')
  for (const key of numeric) if (typeof out[key] !== 'number') delete out[key]
  cleanItems(out)
  for (const key of ['additionalProperties', 'propertyNames'])
    if (isObject(out[key])) out[key] = cleanSchema(out[key])
    else if (typeof out[key] !== 'boolean') delete out[key]
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const forms = listOf(out[key]).map((one) => (isObject(one) ? cleanSchema(one) : {}))
    if (forms.length > 0) out[key] = forms
    else delete out[key]
  }
  cleanProperties(out)
  return out
}

function cleanType(out: JsonObject): void {
  if (isObject(out.properties) && out.type === undefined) out.type = 'object'
  const types = (Array.isArray(out.type) ? out.type : [out.type]).map((type) => String(type).toLowerCase())
  const fitting = [...new Set(types.filter((type) => knownTypes.has(type)))]
  if (fitting.length === 0) delete out.type
  else out.type = Array.isArray(out.type) && fitting.length > 1 ? fitting : fitting[0]
}

const hasType = ({ type }: JsonObject, typeName: string): boolean =>
  Array.isArray(type) ? type.includes(typeName) : type === typeName

/**
 * Replaces separate schemas for the positions of a list by one schema for all items, because endpoints
 * refuse separate ones. Uses the schema in `items` or that of a single position. With several positions, any
 * item is allowed.
 */
function cleanItems(out: JsonObject): void {
  const tuple = listOf(Array.isArray(out.items) ? out.items : out.prefixItems)
  if (!isObject(out.items) && tuple.length > 0) out.items = tuple.length === 1 ? tuple[0] : {}
  delete out.prefixItems
  if (isObject(out.items)) out.items = cleanSchema(out.items)
  else if (hasType(out, 'array')) out.items = {}
  else delete out.items
}

function cleanProperties(out: JsonObject): void {
  if (!('properties' in out)) {
    delete out.required
    return
  }
  const usable = Object.entries(isObject(out.properties) ? out.properties : {}).filter(
    ([name]) => name !== '' && name !== '__proto__',
  )
  // In draft 3 of JSON Schema, each required property is marked by itself.
  const marked = usable.flatMap(([name, one]) => (isObject(one) && one.required === true ? [name] : []))
  const required = new Set([...stringsOf(out.required), ...marked])
  out.properties = Object.fromEntries(
    usable.map(([name, one]) => [name, isObject(one) ? cleanSchema(one) : {}]),
  )
  out.required = [...required].filter((name) => usable.some(([one]) => one === name))
}

/**
 * Makes an `enum` fit its type: values of other types and duplicates are removed. If all values have another
 * type, the type becomes `string` for texts, and is removed otherwise.
 */
function cleanChoices(out: JsonObject): void {
  if (!Array.isArray(out.enum)) {
    delete out.enum
    return
  }
  const types = Array.isArray(out.type) ? out.type : [out.type]
  const fits = (value: unknown) => types.some((type) => isOfType(value, String(type)))
  const values = [...new Map(out.enum.map((value) => [JSON.stringify(value), value])).values()]
  const fitting = out.type === undefined ? values : values.filter(fits)
  if (values.length === 0) delete out.enum
  else if (fitting.length > 0) out.enum = fitting
  else if (values.every((value) => typeof value === 'string'))
    Object.assign(out, { type: 'string', enum: values })
  else {
    delete out.type
    out.enum = values
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Converts an exclusive bound into a number. In draft 4 of JSON Schema it is `true` next to the bound. */
function cleanBound(out: JsonObject, exclusive: string, bound: string): void {
  if (out[exclusive] !== true || typeof out[bound] !== 'number') return
  out[exclusive] = out[bound]
  delete out[bound]
}
