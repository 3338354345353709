// What both wire formats need to know of the model they talk to, and the frame around one request.

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { countOf } from '../../base/untrusted-json.ts'
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
  /** The name the endpoint knows it by. */
  model: string
  endpoint: HttpEndpoint
  quirks: EndpointQuirks
  window: number
  /** Nobody said how large the window is: neither configuration, nor table, nor server. */
  isWindowGuessed?: boolean
  /** It reads PDFs as documents. */
  takesDocuments?: boolean
  /** Its replies may end without a reason for the end. */
  isFinishOptional?: boolean
  /** How long a prefix is kept where the wire format lets one ask for it; absent: as the wire sees fit. */
  cache?: CacheLifetime | false
  price: ModelPrice | undefined
  /** Values that must never be shown. */
  keys: readonly string[]
}

/** One for all: an abort without a reason makes an error, with the stack of where it happened. */
const replyIsOver = new Error('the reply is over')

/**
 * Runs `reply` with a signal of its own, which is aborted when the outer one is or when the consumer leaves,
 * and turns whatever it throws into the one closing failure.
 */
export async function* guardReply(
  endpoint: ModelEndpoint,
  signal: AbortSignal,
  reply: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  // the outer signal lives for a whole run; listening to it must not outlive the request
  const inner = new AbortController()
  const abort = () => inner.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  let leave: (() => void) | undefined
  let isOver = false
  try {
    yield* waitForRateLimit(endpoint, inner.signal)
    // no clock of the request runs while it stands in line
    leave = yield* waitForSlot(endpoint, inner.signal)
    const join = surrogateJoiner()
    for await (const event of reply(inner.signal)) {
      const whole = join(event)
      // whoever listens may leave with the end; nothing is under way by then
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

/** Nothing is loaded, and nobody waits, where no answer has ever named a limit. */
async function* waitForRateLimit(
  { provider, endpoint: { memoryPath } }: ModelEndpoint,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (memoryPath === undefined) return
  const limitsFile = `${memoryPath}.limits`
  await limitsLearned(limitsFile)
  if (!existsSync(limitsFile)) return
  const { awaitRateLimit } = await import('../limits/rate-bucket.ts')
  yield* announceWait((say) =>
    awaitRateLimit(limitsFile, signal, (ms) => {
      const text = `the rate limit of ${provider} is used up: waiting ${Math.ceil(ms / 1000)} s`
      say({ code: 'rate_limit_wait', text })
    }),
  )
}

/** Nothing is loaded where the endpoint takes any number of requests. */
async function* waitForSlot(
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, (() => void) | undefined> {
  const { baseUrl, maxConcurrent, memoryPath } = endpoint.endpoint
  if (maxConcurrent === undefined) return undefined
  const { enterSharedQueue } = await import('../limits/request-slots.ts')
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
    // whoever stops listening while the wait is shown may have been let in a moment ago
    if (isLeft)
      entering?.then(
        (leave) => leave(),
        () => undefined,
      )
  }
}

/** What `pass` resolves to; the first notice that it gives before is shown while it goes on. */
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

/** A character that two pieces of text tear apart comes out whole; a half that stays alone becomes U+FFFD. */
function surrogateJoiner(): (event: ModelEvent) => ModelEvent | ModelEvent[] | undefined {
  const held = { text: '', reasoning: '' }
  return (event) => {
    if (event.type !== 'text' && event.type !== 'reasoning') {
      if (held.text === '' && held.reasoning === '') return event
      const halves = (['reasoning', 'text'] as const).filter((type) => held[type] !== '')
      held.text = held.reasoning = ''
      return [...halves.map((type) => ({ type, text: '\ufffd' })), event]
    }
    const { type } = event
    const text = held[type] + event.text
    held[type] = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    const whole = (held[type] === '' ? text : text.slice(0, -1)).toWellFormed()
    return whole === '' ? undefined : { type, text: whole }
  }
}

/** The endpoint as people know it. */
export const describeEndpoint = (endpoint: ModelEndpoint): string =>
  `${endpoint.provider} (${new URL(endpoint.endpoint.baseUrl).host})`

/** Estimates by characters are this much too low for numbered lines and JSON. */
const worstUnderestimate = 1.8

/** Output tokens that are asked for even where the prompt seems to leave none. */
const minOutputTokens = 256

/**
 * `wanted` output tokens, or as many as the prompt leaves of the window: several servers refuse a request
 * whose prompt and output limit together are longer than it.
 */
export function fitOutput({ window }: ModelEndpoint, request: ModelRequest, wanted: number): number {
  const left = window - Math.ceil(estimateRequest(request) * worstUnderestimate)
  return Math.min(wanted, Math.max(minOutputTokens, left))
}

/** What an endpoint said of a request's size; all of it is foreign. */
interface Reported {
  input?: unknown
  output?: unknown
  cached?: unknown
  cacheWrite?: unknown
  cacheWrite1h?: unknown
  usd?: unknown
}

/**
 * The usage of a request as reported, or by characters when nothing was; `said` is everything the reply said.
 */
export function usageOf(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  reported: Reported,
  text: string,
): TokenUsage {
  // no prompt is of no tokens: who says so has not counted
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
