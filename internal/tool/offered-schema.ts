// The part of a tool's description and schema that a model gets, without unusable parameters and without the
// internal keys `x-with` and `x-offer`.
type Json = Record<string, unknown>

/** The tools that are offered together, which decide the parameters that each one offers. */
interface OfferedTools {
  /** Names of the tools that are offered together. */
  names: ReadonlySet<string>
  /** Search engine of web_search. Default: unknown, so that no parameter of an engine is offered. */
  engine?: string
  /** True if lookAt.targets has entries. */
  hasTargets?: boolean
}

const marks = ['x-with', 'x-offer']

/**
 * Returns the schema that a model is offered; `schema` itself if none of its parameters has a condition
 * (`x-with` or `x-offer`). A call may still set the parameters that are left out.
 */
export function toOfferedSchema(schema: Json, offer: OfferedTools): Json {
  return marks.some((mark) => hasKey(schema, mark)) ? trim(schema, offer) : schema
}

/** Returns the text `about` without the sentences that refer to a tool of `mentions` that is not offered. */
export function toOfferedAbout(
  about: string,
  mentions: readonly string[],
  names: ReadonlySet<string>,
): string {
  const missing = mentions.filter((name) => !names.has(name))
  if (missing.length === 0) return about
  const isMissing = (sentence: string) => missing.some((name) => new RegExp(`\\b${name}\\b`).test(sentence))
  return about
    .split('\n')
    .map((line) =>
      line
        .split(/(?<=\.) /)
        .filter((sentence) => !isMissing(sentence))
        .join(' '),
    )
    .join('\n')
    .trim()
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

function isOffered({ 'x-with': partner, 'x-offer': when }: Json, offer: OfferedTools): boolean {
  if (partner !== undefined && !offer.names.has(String(partner))) return false
  if (when === 'targets') return offer.hasTargets === true
  return when === undefined || when === offer.engine
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
