// Check for complete responses without a finish reason, as some endpoints send them.
import { type EndpointTrait, rememberTrait } from '../endpoint/endpoint-memory.ts'
import type { ModelEndpoint } from '../wire/model-endpoint.ts'
import type { StreamEnding } from './stream-ending.ts'

const unexplained = new Map<string, number>()

const missing: EndpointTrait = 'no_finish_reason'

/**
 * Returns true if a response without a finish reason is complete: if the configuration allows that, or if its
 * body ended normally and the endpoint has sent at least one such response before. `traits` contains the
 * traits of the endpoint.
 */
export function isEndWithoutReason(
  endpoint: ModelEndpoint,
  ending: StreamEnding,
  traits: Set<string>,
): boolean {
  if (endpoint.isFinishOptional) return true
  if (!ending.isDone && !ending.isWhole) return false
  if (traits.has(missing)) return true
  const key = `${endpoint.endpoint.baseUrl} ${endpoint.model}`
  const times = (unexplained.get(key) ?? 0) + 1
  unexplained.set(key, times)
  if (times < 2) return false
  unexplained.delete(key)
  traits.add(missing)
  rememberTrait(endpoint, missing)
  return true
}
