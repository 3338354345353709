// Reader of the wait that an endpoint requests: in a header, in a field of its error, or only
// in its sentence.
import type { IncomingHttpHeaders } from 'node:http'

/** Milliseconds per unit of time, found by the first letters of the unit. */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
]

const unit = 'ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?'
const part = String.raw`\d+(?:\.\d+)?\s*(?:${unit})(?![a-z])`
/** Pattern of a duration: `11.5s`, `1m30s`, `2 minutes`, `1 hour and 5 minutes`. */
const duration = String.raw`${part}(?:(?:\s|,|\band\b)*${part})*`
const sentence = new RegExp(
  String.raw`\b(?:retry|try|again|wait|resets?)\b[^.\n]{0,60}?(?<![\d.])(${duration})`,
  'i',
)
const bare = /\b(?:retry|try again)\s+(?:after|in)\s+(\d+(?:\.\d+)?)(?![\d.]*\d|\s*[a-z])/i
const moment = /\b(?:retry|again|resets?)\b[^.\n]{0,60}?(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))/i
const field = /^retry[-_]?(after|delay|in)([-_]?(ms|milliseconds|s|secs?|seconds?))?$/i

/**
 * Returns the milliseconds to wait by the headers `retry-after-ms` or else `Retry-After`, which has a number
 * of seconds, a duration or a date; undefined without a wait.
 */
export function retryAfter(headers: IncomingHttpHeaders, now = Date.now()): number | undefined {
  return waitOf(headers['retry-after-ms'], 1, now) ?? waitOf(headers['retry-after'], 1000, now)
}

/**
 * Returns the milliseconds of a header's text: seconds, a duration, or the time until a date from `now`.
 * Undefined for other text.
 */
export const parseWait = (text: unknown, now: number): number | undefined => waitOf(text, 1000, now)

/**
 * Returns the milliseconds to wait by an error body: from a field such as `retry_after` or `retryDelay`, else
 * from `words`, its message; undefined if neither contains a wait.
 */
export function waitInBody(body: unknown, words: string, now = Date.now()): number | undefined {
  return waitInFields(body, now, 5) ?? waitInWords(words, now)
}

function waitInWords(words: string, now: number): number | undefined {
  const wait = sentence.exec(words)?.[1] ?? bare.exec(words)?.[1] ?? moment.exec(words)?.[1]
  return wait === undefined ? undefined : waitOf(wait, 1000, now)
}

function waitInFields(value: unknown, now: number, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const [key, item] of Object.entries(value)) {
    const form = field.exec(key)
    const wait = form
      ? waitOf(item, /^m/i.test(form[3] ?? '') ? 1 : 1000, now)
      : waitInFields(item, now, depth - 1)
    if (wait !== undefined) return wait
  }
  return undefined
}

/**
 * Returns the milliseconds of a value: a plain number multiplied by `each`, a duration, or the time until a
 * date with a time of day (0 for a past one). Undefined for any other value.
 */
function waitOf(value: unknown, each: number, now: number): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (text === '') return undefined
  const number = Number(text)
  if (Number.isFinite(number)) return Math.max(0, Math.ceil(number * each))
  if (new RegExp(`^${duration}$`, 'i').test(text)) return lengthOf(text)
  // Date.parse accepts almost anything, so only text with a time of day such as 12:30 counts
  const isWhole = /\d{1,2}:\d{2}/.test(text)
  // the oldest form of HTTP dates has no zone and means GMT
  const zoned = /(GMT|UTC?|Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} GMT`
  const date = isWhole ? Date.parse(zoned) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function lengthOf(text: string): number {
  let ms = 0
  for (const [, count, name] of text.matchAll(new RegExp(`(\\d+(?:\\.\\d+)?)\\s*(${unit})(?![a-z])`, 'gi'))) {
    ms += Number(count) * (units.find(([form]) => form.test(name as string))?.[1] ?? 0)
  }
  return Math.ceil(ms)
}
