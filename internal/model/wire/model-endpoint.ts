// The endpoint of a model for all wire formats, with the steps around each request: rate limit, parallel
// requests, errors and token counts.

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { countOf } from '../../base/untrusted-json.ts'
import { awaitRateLimit } from '../limits/rate-bucket.ts'
import { enterSharedQueue } from '../limits/request-slots.ts'
import { sharedLimits } from '../limits/shared-limits.ts'
import type { ModelEvent, ModelFailure, ModelNotice, ModelRequest, TokenUsage } from '../model.ts'
import type { ModelPrice } from '../model-price.ts'
import { computeCost } from '../prices.ts'
import { estimateRequest, tokensOf } from '../tokens.ts'
import type { CacheLifetime } from './cache-mark.ts'
import { type HttpEndpoint, limitsLearned } from './endpoint-client.ts'
import { failureOf } from './endpoint-failure.ts'
import type { EndpointQuirks } from './endpoint-quirks.ts'
import { hasReachedServer } from './http-transport.ts'

/** A model at an endpoint. */
export interface ModelEndpoint {
  id: string
  provider: string
  /** The name of the model as the endpoint knows it. */
  model: string
  endpoint: HttpEndpoint
  quirks: EndpointQuirks
  window: number
  /**
   * True if the size of the window is a guess, because neither configuration, nor catalog, nor
   * server contains it.
   */
  isWindowGuessed?: boolean
  /** True if the endpoint reads PDFs as documents. */
  takesDocuments?: boolean
  /** True if responses of the endpoint may end without a finish reason. */
  isFinishOptional?: boolean
  /**
   * How long the endpoint caches a prefix, if the wire format supports a choice; false: no prefix is marked
   * for the cache. Default: that of the wire format.
   */
  cache?: CacheLifetime | false
  price: ModelPrice | undefined
  /** Keys and other secret values that must never be shown. */
  keys: readonly string[]
  /** How the user replaces a refused key. Default: `anode login` with the provider. */
  newKey?: string
}

/**
 * Reason for the abort of a request whose response failed or is no longer read. All requests share this
 * error, because creating an error with a stack each time is slow.
 */
const replyIsOver = new Error('the reply is over')

/**
 * Waits for the rate limit and for a free slot of the endpoint's parallel requests, then yields the events of
 * `reply`. The signal of `reply` aborts with `signal`, or when the caller stops reading. Any thrown error
 * becomes the last event, a failure.
 */
export async function* guardReply(
  endpoint: ModelEndpoint,
  signal: AbortSignal,
  reply: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  // the outer signal lives for a whole run, so the listener must be removed after the request
  const inner = new AbortController()
  const abort = () => inner.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  let leave: (() => void) | undefined
  let isOver = false
  try {
    yield* waitForRateLimit(endpoint, inner.signal)
    // no time limit of the request runs while it is in the queue
    leave = yield* waitForSlot(endpoint, inner.signal)
    const join = surrogateJoiner()
    for await (const event of reply(inner.signal)) {
      const whole = join(event)
      // The consumer may leave with the last event, when the request has already ended and nothing needs
      // to be aborted.
      if (event.type === 'end') isOver = true
      if (Array.isArray(whole)) yield* whole
      else if (whole) yield whole
    }
  } catch (error) {
    const failure = signal.aborted
      ? cancelledFailure(!hasReachedServer(inner.signal))
      : failureOf(error, describeEndpoint(endpoint), endpoint.keys)
    yield { type: 'failure', failure }
  } finally {
    signal.removeEventListener('abort', abort)
    if (!isOver) inner.abort(replyIsOver)
    leave?.()
  }
}

function cancelledFailure(unsent: boolean): ModelFailure {
  const failure = { kind: 'cancelled', message: 'the request was cancelled' } as const
  return unsent ? { ...failure, unsent } : failure
}

/**
 * Waits until the rate limit of the provider allows a request, and announces a long wait once. Returns at
 * once if no response has reported a limit, or if the endpoint stores nothing on disk.
 */
async function* waitForRateLimit(
  { provider, endpoint: { memoryPath } }: ModelEndpoint,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (memoryPath === undefined) return
  const limitsFile = `${memoryPath}.limits`
  await limitsLearned(limitsFile)
  if (!sharedLimits() && !existsSync(limitsFile)) return
  yield* announceWait((say) =>
    awaitRateLimit(limitsFile, signal, (ms) => {
      const text = `the rate limit of ${provider} is used up: waiting ${Math.ceil(ms / 1000)} s`
      say({ code: 'rate_limit_wait', text })
    }),
  )
}

/**
 * Waits for one of the endpoint's slots for parallel requests, and announces a wait once. Returns a function
 * that frees the slot, or undefined for an endpoint without a limit.
 */
async function* waitForSlot(
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, (() => void) | undefined> {
  const { baseUrl, maxConcurrent, memoryPath } = endpoint.endpoint
  if (maxConcurrent === undefined) return undefined
  const folder = memoryPath && dirname(memoryPath)
  let entering: Promise<() => void> | undefined
  let isLeft = true
  try {
    const leave = yield* announceWait((say) => {
      entering = enterSharedQueue(baseUrl, maxConcurrent, folder, signal, () => {
        const times = maxConcurrent === 1 ? 'one request' : `${maxConcurrent} requests`
        const where = describeEndpoint(endpoint)
        const text = `${where} serves ${times} at a time, and other runs came first: waiting`
        say({ code: 'slot_wait', text })
      })
      return entering
    })
    isLeft = false
    return leave
  } finally {
    // The consumer left while the wait was announced. A slot that it gets later is released at once.
    if (isLeft)
      entering?.then(
        (leave) => leave(),
        () => undefined,
      )
  }
}

/** Yields the first notice of `pass` while it runs, and returns its result. */
async function* announceWait<T>(
  pass: (say: (notice: ModelNotice) => void) => Promise<T>,
): AsyncGenerator<ModelEvent, T> {
  let passed: Promise<T> | undefined
  const notice = await new Promise<ModelNotice | undefined>((resolve, reject) => {
    passed = pass(resolve)
    passed.then(() => resolve(undefined), reject)
  })
  if (notice) yield { type: 'notice', ...notice }
  return await (passed as Promise<T>)
}

/**
 * Returns a function that joins the halves of a character that was split between two pieces of text or
 * reasoning. It returns undefined for a piece that is only a first half. A half without the other becomes
 * U+FFFD. A first half that still waits precedes the next event of another type.
 */
function surrogateJoiner(): (event: ModelEvent) => ModelEvent | ModelEvent[] | undefined {
  const firstHalves = { text: '', reasoning: '' }
  return (event) => {
    if (event.type !== 'text' && event.type !== 'reasoning') {
      if (firstHalves.text === '' && firstHalves.reasoning === '') return event
      const halves = (['reasoning', 'text'] as const).filter((type) => firstHalves[type] !== '')
      firstHalves.text = firstHalves.reasoning = ''
      return [...halves.map((type) => ({ type, text: '\ufffd' })), event]
    }
    const { type } = event
    const text = firstHalves[type] + event.text
    firstHalves[type] = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    const whole = (firstHalves[type] === '' ? text : text.slice(0, -1)).toWellFormed()
    return whole === '' ? undefined : { type, text: whole }
  }
}

/** Returns the name of the endpoint for messages to users: `provider (host)`. */
export const describeEndpoint = (endpoint: ModelEndpoint): string =>
  `${endpoint.provider} (${new URL(endpoint.endpoint.baseUrl).host})`

/** Factor by which estimates from characters are too low for numbered lines and JSON. */
const worstUnderestimate = 1.8

/**
 * Smallest number of output tokens to request if more are wanted, even if the prompt seems to
 * leave no tokens.
 */
const minOutputTokens = 256

/**
 * Returns the number of output tokens to request: the smaller of `wantedTokens` and what the window has left
 * if the prompt takes 1.8 times its estimate, but at least 256 unless `wantedTokens` is less. Several servers
 * refuse a request whose prompt and output limit together exceed the window.
 */
export function fitOutput({ window }: ModelEndpoint, request: ModelRequest, wantedTokens: number): number {
  const freeTokens = window - Math.ceil(estimateRequest(request) * worstUnderestimate)
  return Math.min(wantedTokens, Math.max(minOutputTokens, freeTokens))
}

/** Token counts and cost of a request as the provider reports them, not checked yet. */
interface ReportedUsage {
  input?: unknown
  output?: unknown
  cached?: unknown
  cacheWrite?: unknown
  cacheWrite1h?: unknown
  usd?: unknown
}

/**
 * Returns the usage of a request. A missing count of input or output and an input of 0 are estimated
 * from characters. A missing cost is computed from the price (null without one). `text` is all text
 * of the response.
 */
export function usageOf(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  reported: ReportedUsage,
  text: string,
): TokenUsage {
  // a prompt always has tokens, so 0 means that the endpoint did not count
  const counted = { input: countOf(reported.input) || undefined, output: countOf(reported.output) }
  const estimated = counted.input === undefined || counted.output === undefined
  const input = counted.input ?? estimateRequest(request)
  const output = counted.output ?? tokensOf(text)
  const usage: TokenUsage = { input, output, usd: null }
  const cached = countOf(reported.cached)
  if (cached) usage.cached = cached
  const cacheWrite = countOf(reported.cacheWrite)
  if (cacheWrite) usage.cacheWrite = cacheWrite
  const cacheWrite1h = countOf(reported.cacheWrite1h)
  if (cacheWrite1h) usage.cacheWrite1h = cacheWrite1h
  usage.usd = countOf(reported.usd) ?? computeCost(usage, endpoint.price)
  if (estimated) usage.estimated = true
  return usage
}
