// The client of one endpoint: posts a request body and yields the events of its response, decoded by
// the openai package.
import { existsSync } from 'node:fs'
import type OpenAI from 'openai'
import { BrokenConnectionError, EndlessReplyError } from '../endpoint/connection-errors.ts'
import { endpointUrl } from '../endpoint/endpoint-url.ts'
import { sharedLimits } from '../limits/shared-limits.ts'
import { newEnding, noteDone, readReplyBody, type StreamEnding } from '../reply/stream-ending.ts'
import { failureOf, HttpStatusError, StreamErrorEvent } from './endpoint-failure.ts'
import { boundEvents, usualBounds } from './event-bounds.ts'
import { type HttpAnswer, sendRequest } from './http-transport.ts'
import type { RequestBody } from './request-body.ts'
import { retryAfter } from './retry-after.ts'

export interface HttpEndpoint {
  /** URL without a slash at the end of its path; it may have a query. */
  baseUrl: string
  key: string | undefined
  headers: Readonly<Record<string, string>>
  idleMs: number
  /**
   * Longest wait in milliseconds for the headers of a response, and again for the first byte of its
   * body. Default: `idleMs`.
   */
  firstByteMs?: number | undefined
  /**
   * Largest number of parallel requests to the server over all processes that share a data directory. More
   * requests wait. Default: no limit.
   */
  maxConcurrent?: number | undefined
  /**
   * Path, without an extension, of the files that store what all processes of a user know about the endpoint.
   * Default: nothing is stored.
   */
  memoryPath?: string | undefined
}

/**
 * Factor for the limit of silence. An event, or a response that is one JSON value, must be complete within
 * this product, even if single bytes keep arriving. If `firstByteMs` is longer, it is the limit for events.
 */
const trickle = 10

/**
 * Posts `body` (already JSON) and yields each event. Throws the errors of `sendRequest`, `boundEvents` and,
 * for a response that is one JSON value, `readWhole`; `HttpStatusError` for an unsuccessful response or a web
 * page, `StreamErrorEvent` for an error event, and SyntaxError for an event that is not a JSON object. The
 * caller sets `ending.state`. After the last event of a response the iteration ends, even if the connection
 * stays open or is lost.
 */
export async function* streamEvents<Event>(
  endpoint: HttpEndpoint,
  path: string,
  body: RequestBody,
  signal: AbortSignal,
  ending: StreamEnding = newEnding(),
): AsyncGenerator<Event> {
  // The client class of the openai package would load the Headers of global fetch (about 20 ms and 10 MB),
  // which this request does not use. So only the stream decoder of the package is loaded.
  const decoder = import('openai/core/streaming')
  const url = endpointUrl(endpoint.baseUrl, path)
  const headers = { ...headersOf(endpoint), 'content-type': 'application/json', accept: 'text/event-stream' }
  const { idleMs, firstByteMs } = endpoint
  const sending = { url, method: 'POST', headers, body, signal, idleMs, firstByteMs } as const
  const answer = await sendRequest(sending).catch((error: unknown) => {
    learnLimits(endpoint)
    throw error
  })
  if (answer.status < 200 || answer.status > 299) throw await readRefusal(endpoint, answer, url)
  learnLimits(endpoint, answer)
  const type = answer.headers['content-type'] ?? ''
  if (/\btext\/html\b/.test(type)) {
    // some proxies and web applications answer every path with a web page
    await textOf(answer, 1000, endpoint.idleMs)
    throw new HttpStatusError(
      answer.status,
      answer.headers,
      'a web page came instead of a reply; is the address right?',
    )
  }
  if (/\bapplication\/json\b/.test(type)) {
    // an endpoint that does not stream sends the complete response as one JSON value
    const event: unknown = JSON.parse(await readWhole(answer, endpoint.idleMs))
    const error = (event as { error?: unknown } | null)?.error
    if (error) throw new StreamErrorEvent(error)
    yield checkEvent(event) as Event
    ending.isWhole = true
    return
  }
  const { Stream } = await decoder
  // The decoder reads only `body` and, for an error event, `headers.get`, and its log is turned off.
  const bounds = { ...usualBounds, eventMs: Math.max(idleMs * trickle, firstByteMs ?? 0) }
  const events = noteDone(boundEvents(readReplyBody(answer, ending, signal), bounds), ending)
  const response = { body: events, headers: new Map<string, string>() } as unknown as Response
  const silent = { logLevel: 'off' } as unknown as OpenAI
  const stream = Stream.fromSSEResponse<Event>(response, new AbortController(), silent)
  try {
    for await (const event of stream) yield checkEvent(event) as Event
  } catch (error) {
    // errors after the last event do not affect the response
    if (ending.state === 'closed' && !signal.aborted) return
    throw isErrorEvent(error) ? new StreamErrorEvent(error.error) : error
  }
}

/** Pending writes of rate limits, by the path of the file. */
const learning = new Map<string, Promise<void>>()

/** Resolves once all rate limits that this process has received are written to `limitsFile`. */
export const limitsLearned = async (limitsFile: string): Promise<void> => learning.get(limitsFile)

/** Returns the error of a response with an error status, and stores the wait that it requests. */
async function readRefusal(
  endpoint: HttpEndpoint,
  answer: HttpAnswer,
  url: string,
): Promise<HttpStatusError> {
  // The text of the response can take long, so a wait that the headers name is stored before it.
  const isStated = retryAfter(answer.headers) !== undefined
  if (isStated) learnLimits(endpoint, answer)
  const error = await toStatusError(answer, endpoint.idleMs)
  if (!isStated) learnLimits(endpoint, answer, failureOf(error, url, []).retryAfterMs)
  return error
}

/**
 * Starts to store the rate limits of a response, or without `answer` the fact that no response came. The
 * response does not wait for this write, but the next request does. Does nothing for an endpoint without a
 * memory path, or without a shared store if the response names no limits and none are stored.
 * `waitMs` is the wait that an error requests.
 */
function learnLimits({ memoryPath }: HttpEndpoint, answer?: HttpAnswer, waitMs?: number): void {
  if (memoryPath === undefined) return
  const limitsFile = `${memoryPath}.limits`
  const namesLimit =
    answer?.status === 429 || Object.keys(answer?.headers ?? {}).some((name) => /ratelimit/.test(name))
  if (!namesLimit && !sharedLimits() && !existsSync(limitsFile)) return
  const now = Date.now()
  const before = learning.get(limitsFile)
  const learned = import('../limits/rate-bucket.ts').then(async ({ learnRateLimit }) => {
    await before
    await learnRateLimit(limitsFile, answer?.status ?? 0, answer?.headers, now, waitMs)
    if (learning.get(limitsFile) === learned) learning.delete(limitsFile)
  })
  learning.set(limitsFile, learned)
}

/**
 * Requests `path` with GET and returns the JSON of the response, for example a list of models. Throws the
 * errors of `sendRequest` and `readWhole`, `HttpStatusError` for an unsuccessful response, and SyntaxError
 * for a response that is not JSON.
 */
export async function getJson(endpoint: HttpEndpoint, path: string, signal: AbortSignal): Promise<unknown> {
  const { idleMs, baseUrl } = endpoint
  const answer = await sendRequest({
    url: endpointUrl(baseUrl, path),
    method: 'GET',
    headers: headersOf(endpoint),
    signal,
    idleMs,
  })
  if (answer.status < 200 || answer.status > 299) throw await toStatusError(answer, endpoint.idleMs)
  return JSON.parse(await readWhole(answer, idleMs))
}

/** Posts JSON and returns the JSON that comes back. Throws like `getJson`. */
export async function sendJson(
  endpoint: HttpEndpoint,
  path: string,
  value: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { idleMs, baseUrl } = endpoint
  const headers = { ...headersOf(endpoint), 'content-type': 'application/json' }
  const body = [JSON.stringify(value)]
  const url = endpointUrl(baseUrl, path)
  const answer = await sendRequest({ url, method: 'POST', headers, body, signal, idleMs })
  if (answer.status < 200 || answer.status > 299) throw await toStatusError(answer, endpoint.idleMs)
  return JSON.parse(await readWhole(answer, idleMs))
}

/**
 * Returns the text of a response that is one JSON value. Throws `EndlessReplyError` above 4 MiB,
 * `BrokenConnectionError` if it takes more than ten times `idleMs`, and the errors of its body.
 */
async function readWhole(answer: HttpAnswer, idleMs: number): Promise<string> {
  const parts: Uint8Array[] = []
  const until = Date.now() + idleMs * trickle
  let size = 0
  for await (const part of answer.body) {
    parts.push(part)
    size += part.length
    if (size > usualBounds.eventBytes) throw new EndlessReplyError('the answer is longer than 4 MiB')
    if (Date.now() > until)
      throw new BrokenConnectionError(false, new Error('the answer does not come to its end'))
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Returns the event. Throws SyntaxError for JSON that is not an object, which no later stage could read. */
function checkEvent(event: unknown): object {
  if (typeof event === 'object' && event !== null) return event
  throw new SyntaxError('an event is not a JSON object')
}

function headersOf(endpoint: HttpEndpoint): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'anode', ...endpoint.headers }
  if (endpoint.key !== undefined) headers.authorization ??= `Bearer ${endpoint.key}`
  return headers
}

async function toStatusError(answer: HttpAnswer, idleMs: number): Promise<HttpStatusError> {
  const body = await textOf(answer, 64_000, idleMs)
  const moved = answer.headers.location
  const words = answer.status < 400 && moved ? `the endpoint moved to ${moved}` : body
  return new HttpStatusError(answer.status, answer.headers, words)
}

/**
 * Returns the text of the first `max` bytes of a body. Reading also ends at an error, and with the first part
 * that arrives after `ms` milliseconds.
 */
async function textOf(answer: HttpAnswer, max: number, ms: number): Promise<string> {
  const parts: Uint8Array[] = []
  const until = Date.now() + ms
  let size = 0
  try {
    for await (const part of answer.body) {
      parts.push(part)
      size += part.length
      if (size >= max || Date.now() > until) break
    }
  } catch {
    // Reading stopped with an error. It is ignored, because the HTTP status without its text is still more
    // useful to the caller.
    return Buffer.concat(parts).toString('utf8')
  }
  return Buffer.concat(parts).subarray(0, max).toString('utf8')
}

/** Returns true for an APIError of the package, recognized by its fields so that its module is not loaded. */
function isErrorEvent(error: unknown): error is { error: unknown } {
  return error instanceof Error && 'requestID' in error && 'error' in error
}
