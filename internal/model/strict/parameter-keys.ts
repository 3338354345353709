// Parameter names that every endpoint accepts: other names are replaced in the schemas of tools and in calls.
import { isObject, type JsonObject, listOf } from '../../base/untrusted-json.ts'

const fitting = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * A schema whose parameter names are valid. `toFit` maps each replaced name to its valid name, and `toReal`
 * maps the valid name back. Names that were valid already are in neither map.
 */
export interface FittedKeys {
  schema: JsonObject
  toFit: ReadonlyMap<string, string>
  toReal: ReadonlyMap<string, string>
}

/**
 * Returns `schema` with valid names in place of properties that a strict endpoint refuses, and the names in
 * both directions; undefined if all are valid.
 */
export function fitKeys(schema: JsonObject): FittedKeys | undefined {
  const names = new Set<string>()
  collectKeys(schema, names)
  const odd = [...names].filter((name) => !fitting.test(name))
  if (odd.length === 0) return undefined
  const toFit = new Map<string, string>()
  for (const name of odd) {
    const plain =
      name
        .replace(/[^A-Za-z0-9_.-]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 60) || 'value'
    let free = plain
    for (let n = 2; names.has(free); n++) free = `${plain}_${n}`
    names.add(free)
    toFit.set(name, free)
  }
  const toReal = new Map([...toFit].map(([real, fit]) => [fit, real]))
  return { schema: renameSchema(schema, toFit) as JsonObject, toFit, toReal }
}

/**
 * Returns `args` with keys renamed by `names`. Only properties that `schema` declares are renamed,
 * also nested ones.
 */
export function renameArgs(args: unknown, schema: unknown, names: ReadonlyMap<string, string>): unknown {
  const forms = formsOf(schema)
  if (Array.isArray(args)) {
    const items = { anyOf: forms.flatMap((form) => (form.items === undefined ? [] : [form.items])) }
    return args.map((item) => renameArgs(item, items, names))
  }
  if (!isObject(args)) return args
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const declared = forms.flatMap(({ properties }) =>
        isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [],
      )
      const others = forms.flatMap(({ additionalProperties: one }) => (isObject(one) ? [one] : []))
      const inner = renameArgs(value, { anyOf: declared.length > 0 ? declared : others }, names)
      return [declared.length > 0 ? (names.get(key) ?? key) : key, inner]
    }),
  )
}

/** Returns the schema itself and every schema in its `anyOf`, `oneOf` and `allOf`, at any depth. */
function formsOf(schema: unknown): JsonObject[] {
  if (!isObject(schema)) return []
  const { anyOf, oneOf, allOf } = schema
  return [schema, ...[...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)].flatMap(formsOf)]
}

function collectKeys(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectKeys(item, names)
  if (!isObject(value)) return
  if (isObject(value.properties)) for (const name of Object.keys(value.properties)) names.add(name)
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && isObject(inner))
      for (const one of Object.values(inner)) collectKeys(one, names)
    else if (!data.has(key)) collectKeys(inner, names)
  }
}

/** Keywords of JSON Schema whose values are not schemas, so that no parameter names are searched in them. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required', 'description'])

function renameSchema(value: unknown, toFit: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameSchema(item, toFit))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'required' && Array.isArray(inner))
        return [key, inner.map((name) => toFit.get(String(name)) ?? name)]
      if (key === 'properties' && isObject(inner)) return [key, renameProperties(inner, toFit)]
      return [key, data.has(key) ? inner : renameSchema(inner, toFit)]
    }),
  )
}

function renameProperties(properties: JsonObject, toFit: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => {
      const fit = toFit.get(name)
      const inner = renameSchema(one, toFit)
      if (fit === undefined || !isObject(inner)) return [fit ?? name, inner]
      const about = typeof inner.description === 'string' ? inner.description : ''
      return [fit, { ...inner, description: `${about} (the server calls it ${name})`.trim() }]
    }),
  )
}
