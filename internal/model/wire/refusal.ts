// Turns what an endpoint or the connection to it answered into a failure, in the provider's own words.
import { codeOf, messageOf } from '../../base/errors.ts'
import type { FailureKind, ModelFailure } from '../model.ts'
import { line } from './redact.ts'
import { Broken, Stalled } from './transport.ts'

/** An HTTP answer that is no success. */
export class Refused extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  constructor(status: number, headers: Refused['headers'], body: string) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** What an endpoint said in the middle of a stream instead of going on. */
export class Interjected extends Error {
  readonly error: unknown
  constructor(error: unknown) {
    super('the endpoint sent an error inside its stream')
    this.error = error
  }
}

/** `error` is whatever a request threw; `where` is the endpoint for people, `keys` never appear in the message. */
export function failureOf(error: unknown, where: string, keys: readonly string[]): ModelFailure {
  if (error instanceof Refused) return refused(error, where, keys)
  if (error instanceof Interjected) return interjected(error.error, keys)
  if (error instanceof Stalled) return { kind: 'stalled', message: `${where}: ${error.message}` }
  if (error instanceof Broken) {
    const code = codeOf(error.cause)
    const message = line(`${where}: ${code ? `${code} ` : ''}${error.message}`, keys)
    return { kind: error.early ? 'unreachable' : 'broken', message }
  }
  // bytes that are no event stream, or an event that is no JSON
  if (error instanceof SyntaxError) {
    return {
      kind: 'broken',
      message: line(`${where}: the stream holds invalid JSON (${error.message})`, keys),
    }
  }
  return { kind: 'internal', message: line(`${where}: ${messageOf(error)}`, keys) }
}

function refused(error: Refused, where: string, keys: readonly string[]): ModelFailure {
  const words = wordsOf(error.body)
  const message = line(`${error.status} ${words || `${where} gave no reason`}`, keys)
  const failure: ModelFailure = { kind: kindOf(error.status, `${codesOf(error.body)} ${words}`), message }
  failure.status = error.status
  const wait = retryAfter(error.headers)
  if (wait !== undefined) failure.retryAfterMs = wait
  return failure
}

function interjected(error: unknown, keys: readonly string[]): ModelFailure {
  const body = JSON.stringify({ error })
  const words = wordsOf(body)
  const message = line(words || 'the endpoint reported an error', keys)
  const hint = `${codesOf(body)} ${words}`
  const code = Number((error as { code?: unknown } | null)?.code ?? Number.NaN)
  if (code >= 400 && code < 600) return { kind: kindOf(code, hint), message, status: code }
  // without a status only clear words say that trying again is of no use
  const kind = kindOf(400, hint)
  if (kind !== 'bad_request') return { kind, message }
  return { kind: /rate.?limit|too many requests/i.test(hint) ? 'rate_limit' : 'server', message }
}

const kinds: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'payment',
  403: 'forbidden',
  404: 'not_found',
  408: 'server',
  413: 'context_too_long',
  429: 'rate_limit',
}

/** Wording decides before the status does: providers agree on neither, but less on the status. */
const wordings: [FailureKind, RegExp, (status: number) => boolean][] = [
  [
    'payment',
    /insufficient.?(quota|balance|credit|funds)|credit balance|billing.{0,20}(limit|hard)|exceeded your current quota/i,
    (s) => s < 500,
  ],
  ['auth', /invalid.{0,12}api.?key|api.?key.{0,12}(invalid|not valid)|incorrect api key/i, (s) => s < 500],
  [
    'context_too_long',
    /context.?(length|window)|maximum context|prompt is too long|input is too long|too many (input )?tokens|reduce the length|exceeds? the (maximum|model|context)|request too large/i,
    (s) => s === 400 || s === 413 || s === 422,
  ],
  [
    'tools_unsupported',
    /(tool|function).{0,60}(not support|unsupported|not available|isn't support|not enabled)|(not support|no endpoints found that support|unsupported|requires --enable).{0,60}(tool|function)/i,
    (s) => s < 500 && s !== 401 && s !== 429,
  ],
  [
    'filter',
    /content.?(filter|policy|management)|safety|flagged/i,
    (s) => s === 400 || s === 403 || s === 451,
  ],
]

/** The kind of a refusal with this status; `words` are its codes and its sentence. */
export function kindOf(status: number, words: string): FailureKind {
  for (const [kind, form, where] of wordings) if (where(status) && form.test(words)) return kind
  return kinds[status] ?? (status >= 500 ? 'server' : 'bad_request')
}

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // not JSON: a proxy's page or a plain sentence
    return undefined
  }
}

/** The sentence of an error body, wherever the provider keeps it. */
export function wordsOf(body: string): string {
  const json = parsed(body)
  if (json === undefined) return /<html|<!doctype/i.test(body) ? titleOf(body) : body.slice(0, 2000)
  return sentence(Array.isArray(json) ? json[0] : json) || body.slice(0, 2000)
}

function sentence(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(sentence).filter(Boolean).join('; ')
  if (!isJson(value)) return ''
  const own = ['message', 'error', 'detail', 'msg', 'error_description']
    .map((key) => sentence(value[key]))
    .find(Boolean)
  // a router says "provider returned error" and keeps what the provider said beside it
  const raw = isJson(value.metadata) ? sentence(value.metadata.raw) : ''
  return [own, raw && wordsOf(raw)].filter(Boolean).join(': ')
}

function titleOf(page: string): string {
  return /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim() ?? ''
}

/** Machine-readable codes and types of an error body, as one string to search in. */
function codesOf(body: string): string {
  const json = parsed(body)
  const error = isJson(json) && isJson(json.error) ? json.error : json
  if (!isJson(error)) return ''
  return [error.code, error.type, error.status].filter((code) => typeof code === 'string').join(' ')
}

/** Milliseconds to wait as the headers ask (`retry-after-ms`, then `Retry-After` in seconds or as a date). */
export function retryAfter(headers: Refused['headers'], now = Date.now()): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const value = headers['retry-after']
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
