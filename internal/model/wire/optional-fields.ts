// Request fields an endpoint may do without: learns from a refusal which one to leave out the next time.
import type { ModelFailure } from '../model.ts'
import type { ModelEndpoint } from './model-endpoint.ts'

/** Fields that only make a reply better. The order is the order in which they are given up. */
const optional = [
  'stream_options',
  'cache_control',
  'prompt_cache_key',
  'output_config',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'usage',
  'include',
  'max_completion_tokens',
  'max_tokens',
  'max_output_tokens',
  'parallel_tool_calls',
  'tool_choice',
] as const

const refusal = new RegExp(
  [
    'unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|',
    'not allowed|invalid|extra|not verified|does not (exist|accept)',
  ].join(''),
  'i',
)

const refused = new Map<string, Set<string>>()

/** So many endpoints are remembered; the one that has been known for longest is forgotten first. */
const maxEndpoints = 200

/**
 * The fields that `model` at `baseUrl` has refused in this process: every agent asks the same server, and one
 * refusal is enough for all of them.
 */
export function refusedFields({ model, endpoint }: Pick<ModelEndpoint, 'model' | 'endpoint'>): Set<string> {
  const key = `${endpoint.baseUrl} ${model}`
  const known = refused.get(key) ?? new Set<string>()
  refused.set(key, known)
  const [oldest] = refused.keys()
  if (refused.size > maxEndpoints && oldest !== undefined) refused.delete(oldest)
  return known
}

/**
 * If `failure` says that one of the fields in `sent` is not taken, adds it to `omitted` and returns true: the
 * same request without it is worth a try. A field is given up once, so this ends.
 */
export function dropUnsupportedField(
  failure: ModelFailure,
  sent: Iterable<string>,
  omitted: Set<string>,
): boolean {
  if (failure.kind !== 'bad_request' || !refusal.test(failure.message)) return false
  const present = new Set(sent)
  const field = optional.find(
    (name) => present.has(name) && !omitted.has(name) && mentions(failure.message, name),
  )
  if (field === undefined) return false
  omitted.add(field)
  return true
}

/** Some endpoints name the object's inner field (`reasoning.summary`), others what the field is about. */
function mentions(message: string, name: string): boolean {
  if (new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`, 'i').test(message)) return true
  return name === 'include' ? /encrypted.?content/i.test(message) : false
}
