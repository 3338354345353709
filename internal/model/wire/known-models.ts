// Asks an endpoint which models it has, to say which one a mistyped name may have meant.
import { suggestNames } from '../../base/text/name-suggestion.ts'
import type { ModelFailure } from '../model.ts'
import { getJson } from './endpoint-client.ts'
import { redactLine } from './key-redaction.ts'
import type { ModelEndpoint } from './model-endpoint.ts'

/** A hint is worth this many milliseconds of waiting, not more. */
const patience = 3000

/** A failure that says there is no such model also says which ones are near, when the endpoint tells. */
export async function adviseOn(
  failure: ModelFailure,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<ModelFailure> {
  if (failure.kind !== 'not_found' || signal.aborted) return failure
  const hurry = new AbortController()
  const stop = () => hurry.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => hurry.abort(), patience)
  try {
    const names = namesIn(await getJson(endpoint.endpoint, '/models', hurry.signal))
    // a name that is on the list was not what the endpoint missed
    const near = names.includes(endpoint.model) ? '' : suggestNames(endpoint.model, names)
    return near === ''
      ? failure
      : { ...failure, message: `${failure.message} (${redactLine(near, endpoint.keys)})` }
  } catch {
    // an endpoint without a list leaves the message as it is
    return failure
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function namesIn(list: unknown): string[] {
  const data = (list as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return []
  return data.flatMap((entry: { id?: unknown } | null) => (typeof entry?.id === 'string' ? [entry.id] : []))
}
