// Asks an endpoint which models it has, to say which one a mistyped name may have meant.
import { suggestion } from '../../base/nearest.ts'
import type { ModelFailure } from '../model.ts'
import { get } from './client.ts'
import { line } from './redact.ts'
import type { Served } from './served.ts'

/** A hint is worth this many milliseconds of waiting, not more. */
const patience = 3000

/** A failure that says there is no such model also says which ones are near, when the endpoint tells. */
export async function adviseOn(
  failure: ModelFailure,
  served: Served,
  signal: AbortSignal,
): Promise<ModelFailure> {
  if (failure.kind !== 'not_found' || signal.aborted) return failure
  const hurry = new AbortController()
  const stop = () => hurry.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => hurry.abort(), patience)
  try {
    const names = namesIn(await get(served.endpoint, '/models', hurry.signal))
    // a name that is on the list was not what the endpoint missed
    const near = names.includes(served.model) ? '' : suggestion(served.model, names)
    return near === '' ? failure : { ...failure, message: `${failure.message} (${line(near, served.keys)})` }
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
