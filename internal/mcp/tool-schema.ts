// A tool's JSON Schema as providers take it: an object at the top, no references, no union of whole argument lists.

type Json = Record<string, unknown>

/** References within references that are followed; also ends those that lead in a circle. */
const deepest = 5
/** Parts of a schema with its references in place; a larger one is cut off. */
const maxParts = 4000

/**
 * Local references are put in place. Of a union at the top the properties of all its forms stay, required are those
 * that every form requires; unions further down stay as they are. Types, defaults and names that cannot be used go.
 */
export function flattenSchema(raw: unknown): Json {
  const root = isPlain(raw) ? raw : {}
  let parts = 0
  const inline = (value: unknown, left: number): unknown => {
    if (++parts > maxParts) return Array.isArray(value) ? [] : isPlain(value) ? {} : value
    if (Array.isArray(value)) return value.map((item) => inline(item, left))
    if (!isPlain(value)) return value
    if (typeof value.$ref === 'string') {
      const { $ref, ...beside } = value
      const target = left > 0 ? lookUp(root, value.$ref) : undefined
      return isPlain(target) ? inline({ ...target, ...beside }, left - 1) : beside
    }
    const kept = Object.entries(value).filter(([key]) => !dropped.has(key))
    return Object.fromEntries(kept.map(([key, item]) => [key, inline(item, left)]))
  }
  return clean(join(inline(root, deepest) as Json))
}

const dropped = new Set(['$defs', 'definitions', '$schema', '$id'])

/** The part of the schema that a reference within it names. */
function lookUp(root: Json, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isPlain(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}

/** One object out of the unions and intersections at the top. */
function join(schema: Json): Json {
  const { allOf, anyOf, oneOf, ...own } = schema
  const all = listOf(allOf).map(join)
  const forms = [...listOf(anyOf), ...listOf(oneOf)].map(join)
  const properties: Json = {}
  for (const part of [...forms, ...all, own]) {
    for (const [name, property] of Object.entries(isPlain(part.properties) ? part.properties : {})) {
      properties[name] = Object.hasOwn(properties, name) ? either(properties[name], property) : property
    }
  }
  const required = new Set([...names(own.required), ...all.flatMap((part) => names(part.required))])
  const [first, ...more] = forms
  for (const name of names(first?.required)) {
    if (more.every((form) => names(form.required).includes(name))) required.add(name)
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
  if (same || !isPlain(before) || !isPlain(now)) return now
  const choices = [before, now].map(choicesOf)
  if (choices.every((one) => one !== undefined)) {
    const { const: _, ...rest } = now
    return { ...rest, type: 'string', enum: [...new Set(choices.flat())] }
  }
  return { anyOf: [...(Array.isArray(before.anyOf) ? before.anyOf : [before]), now] }
}

function choicesOf(schema: Json): string[] | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum : [schema.const]
  return values.every((value) => typeof value === 'string') ? (values as string[]) : undefined
}

const known = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** What the checks here cannot read is taken out of a copy; the server checks the call again anyway. */
function clean(schema: Json): Json {
  const out: Json = { ...schema }
  const types = Array.isArray(out.type) ? out.type : [out.type]
  if (out.type !== undefined && !types.every((type) => known.has(String(type)))) delete out.type
  if (typeof out.const === 'string') {
    out.enum = [out.const]
    delete out.const
  }
  if (Array.isArray(out.items)) out.items = out.items.length === 1 ? out.items[0] : {}
  if (isPlain(out.items)) out.items = clean(out.items)
  if (isPlain(out.properties)) {
    const usable = Object.entries(out.properties).filter(
      ([name]) => /^[\w.$-]{1,64}$/.test(name) && name !== '__proto__',
    )
    out.properties = Object.fromEntries(usable.map(([name, one]) => [name, isPlain(one) ? clean(one) : {}]))
    out.required = names(out.required).filter((name) => usable.some(([one]) => one === name))
  }
  return out
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isPlain) : [])
const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

function isPlain(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
