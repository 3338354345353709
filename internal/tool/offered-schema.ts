// The part of a tool's schema that a model is offered: without what it cannot use, and without our marks.
type Json = Record<string, unknown>

/** The tools that are offered together, which decides about parameters. */
interface OfferedTools {
  /** Names of the tools that are offered together. */
  names: ReadonlySet<string>
  /** Search engine that web_search asks; absent: unknown, so that none of its own parameters is offered. */
  engine?: string
}

const marks = ['x-with', 'x-offer']

/** Returns `schema` itself where it has no mark; the tool accepts more than it offers. */
export function toOfferedSchema(schema: Json, offer: OfferedTools): Json {
  return marks.some((mark) => hasKey(schema, mark)) ? trim(schema, offer) : schema
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, key) || Object.values(value).some((one) => hasKey(one, key))
}

function trim(schema: Json, offer: OfferedTools): Json {
  const { 'x-with': _with, 'x-offer': _offer, ...out } = schema
  for (const key of ['items', 'additionalProperties']) {
    if (isJson(out[key])) out[key] = trim(out[key], offer)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = out[key]
    if (Array.isArray(list)) out[key] = list.map((one) => (isJson(one) ? trim(one, offer) : one))
  }
  if (!isJson(out.properties)) return out
  const properties = Object.entries(out.properties as Record<string, Json>)
    .filter(([, one]) => isOffered(one, offer))
    .map(([name, one]) => [name, trim(one, offer)] as const)
  return { ...out, properties: Object.fromEntries(properties) }
}

function isOffered({ 'x-with': partner, 'x-offer': when }: Json, { names, engine }: OfferedTools): boolean {
  if (partner !== undefined && !names.has(String(partner))) return false
  return when === undefined || when === engine
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
