// Request fields an endpoint may do without: learns from a refusal which one to leave out the next time.
import type { ModelFailure } from '../model.ts'

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
