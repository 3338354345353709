// Remote approval over HTTP: the question is posted with a signature, and its signed answer is polled.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError, messageOf } from '../base/errors.ts'
import { createId } from '../base/ids.ts'
import type { FetchResponse, GuardedFetch } from '../net/guarded-fetch.ts'
import { answeredElsewhere } from '../tool/authorization/answered-elsewhere.ts'
import type { RelayTransport } from './question-relay.ts'
import { parseAnswer } from './relay-answer.ts'
import type { RelayDocument } from './relay-document.ts'
import { findSignatureFault, signMessage } from './webhook-signature.ts'

interface HttpRelayOptions {
  url: URL
  key: Buffer
  fetch: GuardedFetch
  maxMs: number
}

const maxAnswerBytes = 64 << 10
/**
 * Milliseconds until the next request after an answer without a valid Retry-After header. After a network
 * error, the pause is a quarter of this.
 */
const usualPauseMs = 2_000
const maxPauseMs = 30_000
/**
 * Number of network errors and HTTP statuses 429 or 5xx without a 202 or 204 between them, after which the
 * question is given up.
 */
const maxFailures = 5
const maxNoticeMs = 5_000

export function createHttpRelay(options: HttpRelayOptions): RelayTransport {
  const { url, maxMs } = options
  const notices = new Set<Promise<unknown>>()
  return {
    name: `the relay ${url.host}`,
    maxMs,
    async send(document, signal) {
      const tell = () => {
        const notice = sendNotice(options, document, signal)
        notices.add(notice)
        void notice.then(() => notices.delete(notice))
      }
      signal.addEventListener('abort', tell, { once: true })
      try {
        return await awaitAnswer(options, document, signal)
      } finally {
        signal.removeEventListener('abort', tell)
      }
    },
    close: async () => void (await Promise.all(notices)),
  }
}

/**
 * Sends a question and polls for its answer: 200 contains it, 202 and 204 mean that it is not ready. After a
 * network error, 429 or 5xx the same request is sent again; the server recognizes the question by its id.
 * Throws at the fifth such failure in a row, and at once for another error or status.
 */
async function awaitAnswer(
  options: HttpRelayOptions,
  document: RelayDocument,
  signal: AbortSignal,
): Promise<unknown> {
  const { id, nonce } = document
  const until = Date.now() + options.maxMs
  let message: object = document
  for (let failures = 0; ; ) {
    const response = await sendMessage(options, message, {
      signal,
      timeoutMs: Math.max(1, until - Date.now()),
    }).catch((error: unknown) => {
      if (signal.aborted || !isPassing(error) || ++failures >= maxFailures) throw error
      return undefined
    })
    if (response?.status === 200) return readSigned(options, document, response)
    if (response?.status === 202 || response?.status === 204) {
      failures = 0
      message = { version: 1, kind: 'poll', id, nonce }
    } else if (response && (!isServerTrouble(response.status) || ++failures >= maxFailures))
      throw createFailure(`it answered with HTTP ${response.status}`)
    await sleep(response ? pauseOf(response) : usualPauseMs / 4, undefined, { signal })
  }
}

const isPassing = (error: unknown) => error instanceof FailureError && error.failure.code === 'network'
const isServerTrouble = (status: number) => status === 429 || status >= 500

function pauseOf({ headers }: FetchResponse): number {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(maxPauseMs, seconds * 1000) : usualPauseMs
}

/**
 * Returns the parsed JSON body. Throws if it is too long, is not JSON, or has another nonce than the
 * question, or if its signature is missing, wrong or more than ten minutes from now.
 */
function readSigned({ key }: HttpRelayOptions, { nonce }: RelayDocument, response: FetchResponse): unknown {
  if (response.cut) throw createFailure(`its answer has more than ${maxAnswerBytes} bytes`)
  const body = response.bytes.toString('utf8')
  const fault = findSignatureFault(key, response.headers, body, Date.now())
  if (fault !== undefined) throw createFailure(`its answer was refused: ${fault}`)
  const answer = parseAnswer(body)
  const answerNonce =
    typeof answer === 'object' && answer !== null ? (answer as { nonce?: unknown }).nonce : undefined
  if (answerNonce !== nonce) throw createFailure('its answer was refused: it is for another question')
  return answer
}

/**
 * Sends the server a notice that a question needs no answer any more. If that fails, it is not sent again.
 */
async function sendNotice(
  options: HttpRelayOptions,
  { id, nonce }: RelayDocument,
  signal: AbortSignal,
): Promise<void> {
  const text = answeredElsewhere(signal)?.text ?? messageOf(signal.reason)
  await sendMessage(
    options,
    { version: 1, kind: 'settled', id, nonce, text },
    { timeoutMs: maxNoticeMs },
  ).catch(() => undefined)
}

function sendMessage(
  { url, key, fetch }: HttpRelayOptions,
  message: object,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<FetchResponse> {
  const body = JSON.stringify(message)
  const signed = signMessage(key, createId('msg'), body, Date.now())
  return fetch({
    url: url.href,
    method: 'POST',
    body,
    maxBytes: maxAnswerBytes,
    ...limits,
    headers: { ...signed, 'content-type': 'application/json', accept: 'application/json' },
    // The user has configured this URL, so its server may have any address.
    allows: (to) => to.origin === url.origin,
    judge: async (to) => {
      throw createFailure(`it leads on to ${to.host}, where nothing is sent`)
    },
  })
}

const createFailure = (message: string) => new FailureError({ code: 'denied', message })
