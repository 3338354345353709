// Work that runs once for each request id, even if a client sends its request again after it did not
// receive the response.
import { ProblemError } from './problem.ts'

const maxKeys = 1_000
/** Largest size in bytes of all stored results together, as JSON. */
const maxResultBytes = 64 << 20

interface SentRequest<T> {
  /** Undefined if the result is no longer stored. */
  outcome: Promise<T> | undefined
  /** Size of the result; 0 until there is one, and for a failure. */
  bytes: number
}

/**
 * Returns a function that runs `work` once for each key. Later calls with the same key return the outcome
 * of the first call, even a failure. Without a key, `work` always runs. Of more than 1,000 keys, the
 * oldest is forgotten. Of results of more than 64 MiB in total, the oldest are not stored any longer: a later
 * call with such a key rejects with ProblemError 410, because the work may not run twice.
 */
export function onceById<T>(): (key: string | undefined, work: () => Promise<T>) => Promise<T> {
  const requests = new Map<string, SentRequest<T>>()
  let storedBytes = 0
  const dropResult = (request: SentRequest<T>) => {
    storedBytes -= request.bytes
    request.bytes = 0
    request.outcome = undefined
  }
  const countResult = (key: string, request: SentRequest<T>, result: T) => {
    if (requests.get(key) !== request) return
    request.bytes = Buffer.byteLength(JSON.stringify(result) ?? '')
    storedBytes += request.bytes
    for (const one of requests.values()) {
      if (storedBytes <= maxResultBytes) break
      if (one.bytes > 0) dropResult(one)
    }
  }
  return (key, work) => {
    if (key === undefined) return work()
    const before = requests.get(key)
    if (before) return before.outcome ?? Promise.reject(goneProblem())
    const outcome = work()
    const request: SentRequest<T> = { outcome, bytes: 0 }
    requests.set(key, request)
    outcome.then(
      (result) => countResult(key, request, result),
      () => undefined,
    )
    const [oldest] = requests
    if (requests.size > maxKeys && oldest !== undefined) {
      requests.delete(oldest[0])
      dropResult(oldest[1])
    }
    return outcome
  }
}

const goneProblem = () =>
  new ProblemError(
    410,
    'the request has been carried out, but its result is no longer stored',
    'Send it with another idempotency key to carry it out again.',
  )
