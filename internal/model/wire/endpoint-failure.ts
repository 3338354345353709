// The conversion of an endpoint's or a connection's error into a failure, in the provider's own words.

import { codeOf, messageOf } from '../../base/errors.ts'
import { localHosts } from '../../base/local-address.ts'
import { isObject, objectOf, parseJson } from '../../base/untrusted-json.ts'
import { phraseNetworkError } from '../../net/network-phrase.ts'
import {
  BrokenConnectionError,
  EndlessReplyError,
  StalledConnectionError,
} from '../endpoint/connection-errors.ts'
import type { FailureKind, ModelFailure } from '../model.ts'
import { redactLine } from './key-redaction.ts'
import { retryAfter, waitInBody } from './retry-after.ts'

/** An unsuccessful HTTP response, or a web page in place of a response. */
export class HttpStatusError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  constructor(status: number, headers: HttpStatusError['headers'], body: string) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/**
 * An error that an endpoint sent in a stream or in the JSON of a successful response, also by a finish reason
 * that reports an error.
 */
export class StreamErrorEvent extends Error {
  readonly error: unknown
  constructor(error: unknown) {
    super('the endpoint sent an error inside its stream')
    this.error = error
  }
}

/**
 * Returns the failure of any error that a request threw. `where` is the endpoint in the form for users;
 * `keys` are removed from the texts of the provider and of the connection.
 */
export function failureOf(error: unknown, where: string, keys: readonly string[]): ModelFailure {
  if (error instanceof HttpStatusError) return toStatusFailure(error, where, keys)
  if (error instanceof StreamErrorEvent) return toStreamFailure(error.error, keys)
  if (error instanceof StalledConnectionError)
    return { kind: 'stalled', message: `${where}: ${error.message}` }
  if (error instanceof BrokenConnectionError) {
    const code = codeOf(error.cause)
    const phrase = code === undefined ? undefined : phraseNetworkError(code)
    const reason = phrase ? `${phrase} (${code})` : `${code ? `${code} ` : ''}${error.message}`
    const message = redactLine(`${where}: ${reason}${nextStep(code, where)}`, keys)
    // The refused connection is to a server on this machine. The user knows whether that server runs, so no
    // attempt is repeated.
    const isFinal = code === 'ECONNREFUSED' && loopback.test(where)
    return { kind: error.early ? 'unreachable' : 'broken', message, final: isFinal ? true : undefined }
  }
  if (error instanceof EndlessReplyError)
    return { kind: 'broken', message: redactLine(`${where}: ${error.message}`, keys), final: true }
  // A SyntaxError means that the bytes are not an event stream, or that an event is not JSON.
  if (error instanceof SyntaxError) {
    return {
      kind: 'broken',
      message: redactLine(`${where}: the stream holds invalid JSON (${error.message})`, keys),
    }
  }
  return { kind: 'internal', message: redactLine(`${where}: ${messageOf(error)}`, keys) }
}

function nextStep(code: string | undefined, where: string): string {
  if (code === 'ECONNREFUSED' && near.test(where)) return '; is it running?'
  return code === 'EAI_AGAIN' || code === 'ENETUNREACH' ? '; is this machine connected?' : ''
}

/** Matches `name (host:port)` on this machine. */
const loopback = /\((?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)[:)]/i

/**
 * Matches `name (host:port)` of a server on this machine or the local network, which the
 * user probably starts.
 */
const near = new RegExp(String.raw`\((?:${localHosts})[:)]`, 'i')

function toStatusFailure(error: HttpStatusError, where: string, keys: readonly string[]): ModelFailure {
  const words = wordsOf(error.body)
  const message = redactLine(`${error.status} ${words || `${where} gave no reason`}`, keys)
  const failure: ModelFailure = {
    kind: failureKind(error.status, `${codesOf(error.body)} ${words}`),
    message,
  }
  failure.status = error.status
  const wait = retryAfter(error.headers) ?? waitInBody(parseJson(error.body), words)
  if (wait !== undefined) failure.retryAfterMs = wait
  return failure
}

function toStreamFailure(error: unknown, keys: readonly string[]): ModelFailure {
  const body = JSON.stringify({ error })
  const words = wordsOf(body)
  const message = redactLine(words || 'the endpoint reported an error', keys)
  const hint = `${codesOf(body)} ${words}`
  const wait = waitInBody(parseJson(body), words)
  const waiting = wait === undefined ? {} : { retryAfterMs: wait }
  const code = statusIn(error)
  if (code !== undefined) return { kind: failureKind(code, hint), message, status: code, ...waiting }
  // The error has no HTTP status. Only clear words of the provider show a failure that no attempt fixes; all
  // others can be repeated.
  const kind = failureKind(400, hint)
  if (kind !== 'bad_request') return { kind, message, ...waiting }
  return { kind: /rate.?limit|too many requests/i.test(hint) ? 'rate_limit' : 'server', message, ...waiting }
}

/** Returns the HTTP status, 400 to 599, in an error inside a stream; undefined without one. */
function statusIn(error: unknown): number | undefined {
  const { code, status, status_code } = objectOf(error) ?? {}
  return [code, status, status_code].map(Number).find((value) => value >= 400 && value < 600)
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

/**
 * Matches how endpoints say that a request does not fit into the window: OpenAI, Azure, vLLM, DeepSeek,
 * OpenRouter ("maximum context length", `context_length_exceeded`, "exceeds the context window"), llama.cpp
 * ("exceeds the available context size", `exceed_context_size_error`), LM Studio ("greater than the context
 * length", "reached context length"), Ollama ("exceeds the context length"), vLLM and SGLang ("longer than
 * the … maximum model length", "model's context length"), TGI and Together ("`inputs` tokens +
 * `max_new_tokens` must be <="), Anthropic ("prompt is too long", "exceed context limit"), Bedrock ("input
 * is too long"), Gemini ("input token count … exceeds the maximum number of tokens"), Groq and Cerebras
 * ("reduce the length of the messages"), Mistral ("too large for model with … context length"), xAI
 * ("maximum prompt length"), Zhipu ("prompt exceeds max length"), Moonshot ("exceeded model token limit"),
 * Cohere ("too many tokens").
 */
const tooLong = new RegExp(
  [
    'context.?(length|window|size|limit)',
    'maximum (context|model length|prompt length|input length)',
    '(prompt|input|request|message)s? (is|are) (too long|longer than)',
    'is longer than the (maximum )?(model|context)',
    'too many (input |prompt )?tokens',
    'reduce the length',
    '(exceed(s|ed)?|over) (the |your )?(maximum|max|model|context)( |_)(number of |' +
      'allowed |input |prompt |token|length|size|limit|context)',
    'tokens? (count )?(of \\d+ )?exceeds? the (limit|maximum)',
    'max_new_tokens`? must be',
  ].join('|'),
  'i',
)

/**
 * Words that show the kind of an error, each with the statuses for which they count. They take precedence
 * over the usual kind of a status, because providers use the status even less consistently.
 */
const wordings: [FailureKind, RegExp, (status: number) => boolean][] = [
  [
    'payment',
    new RegExp(
      [
        'insufficient.?(quota|balance|credit|funds)|credit balance|billing.{0,20}(limit|',
        'hard)|exceeded your current quota',
      ].join(''),
      'i',
    ),
    (s) => s < 500,
  ],
  ['auth', /invalid.{0,12}api.?key|api.?key.{0,12}(invalid|not valid)|incorrect api key/i, (s) => s < 500],
  ['context_too_long', tooLong, (s) => s !== 401 && s !== 403 && s !== 404 && s !== 429],
  // The request is larger than the token limit of a whole minute, so waiting does not help.
  ['context_too_long', /request too large/i, (s) => s === 400 || s === 413 || s === 422 || s === 429],
  [
    'tools_unsupported',
    new RegExp(
      [
        "(tool|function).{0,60}(not support|unsupported|not available|isn't support|",
        'not enabled)|(not support|no endpoints found that support|unsupported|',
        'requires --enable).{0,60}(tool|function)',
      ].join(''),
      'i',
    ),
    (s) => s < 500 && s !== 401 && s !== 429,
  ],
  // A llama.cpp server whose chat template has no tools reports that with the status of a server failure.
  [
    'tools_unsupported',
    /\btool(s|_choice)?\b.{0,30}\brequires? --\w|does not support tools/i,
    (s) => s >= 500,
  ],
  [
    'filter',
    /content.?(filter|policy|management)|safety|flagged/i,
    (s) => s === 400 || s === 403 || s === 451,
  ],
]

/** Returns the kind of a failure with this HTTP status. `words` are its codes and its message. */
export function failureKind(status: number, words: string): FailureKind {
  for (const [kind, form, where] of wordings) if (where(status) && form.test(words)) return kind
  return kinds[status] ?? (status >= 500 ? 'server' : 'bad_request')
}

/**
 * Returns the message of an error body, from any of the fields that providers use. Otherwise returns the
 * title of a web page (empty without one), or the first 2,000 characters of any other body.
 */
function wordsOf(body: string): string {
  const json = parseJson(body)
  if (json === undefined) return /<html|<!doctype/i.test(body) ? titleOf(body) : body.slice(0, 2000)
  return readSentence(Array.isArray(json) ? json[0] : json) || body.slice(0, 2000)
}

function readSentence(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(readSentence).filter(Boolean).join('; ')
  if (!isObject(value)) return ''
  const ownMessage = ['message', 'error', 'detail', 'msg', 'error_description']
    .map((key) => readSentence(value[key]))
    .find(Boolean)
  // a router reports "provider returned error" and puts the provider's message next to it
  const raw = isObject(value.metadata) ? readSentence(value.metadata.raw) : ''
  return [ownMessage, raw && wordsOf(raw)].filter(Boolean).join(': ')
}

function titleOf(page: string): string {
  return /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim() ?? ''
}

/** Returns the codes and types of an error body, joined by spaces; empty without any. */
function codesOf(body: string): string {
  const json = parseJson(body)
  const error = isObject(json) && isObject(json.error) ? json.error : json
  if (!isObject(error)) return ''
  return [error.code, error.type, error.status].filter((code) => typeof code === 'string').join(' ')
}
