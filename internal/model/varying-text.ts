// Texts that differ between two equal runs, such as ids, times, ports and temporary directories, with
// functions that replace them.
import { once } from '../base/once.ts'

const ids = [
  /\b(?:[a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
  /(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)\d{2,5}\b/,
  /(?<![\w/])\/tmp\/[^\s"'\\/:;,)\]}]+/,
  // Matches the random part of a directory name that `mktemp` makes.
  /(?<=\/tmp\.)[A-Za-z0-9]{6,}\b/,
]

const times = [
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z\b|[+-]\d{2}:?\d{2}\b)?/,
  /\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d{2}:\d{2}(?::\d{2})?\b/,
  /\b1[6-9]\d{11}(?:\.\d+)?\b/,
  /(?<=\b(?:\w*_?ms|pid|duration|elapsed|created|updated|started|ended)\\?"?\s?[:=]\s?)\d+(?:\.\d+)?\b/,
  /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?)\b/,
]

const join = (patterns: readonly RegExp[]) => patterns.map(({ source }) => `(?:${source})`).join('|')
const idPattern = once(() => new RegExp(join(ids), 'g'))
const anyPattern = once(() => new RegExp(join([...ids, ...times]), 'g'))

/**
 * Matches the line with the number of skipped study reports in a search result. A replay leaves it out,
 * because the number differs from the recording.
 */
const ownReport = /\n?\[\d+ files? skipped: a report of a study\]/g

/**
 * Returns the text with a mark in place of each id. `times`: times, durations and other changing text
 * are replaced too.
 */
export function maskVarying(text: string, { times: hasTimes }: { times: boolean }): string {
  if (!hasTimes) return text.replace(idPattern(), '<varies>')
  return text.replace(ownReport, '').replace(anyPattern(), '<varies>')
}

/** Returns the ids of a text in order, each as often as it occurs. */
export function listIds(text: string): string[] {
  return text.match(idPattern()) ?? []
}

/** Returns the text with the ids in `before` replaced by those in `after`. Both lists have the same order. */
export function translateIds(text: string, before: readonly string[], after: readonly string[]): string {
  const pairs = new Map(before.map((id, i) => [id, after[i] ?? id]))
  return text.replace(idPattern(), (id) => pairs.get(id) ?? id)
}
