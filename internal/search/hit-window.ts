// Part of the results of a search, from an offset up to a limit. Results are lines, files, or
// files with counts.

import { bytesOfText } from '../base/text/byte-name.ts'
import { groupDigits } from '../base/text/count-noun.ts'
import { shownName } from '../base/text/invisible-chars.ts'
import type { FileHits } from './hit-buffer.ts'
import { formatHits, matchList, windowOfHits } from './hit-format.ts'
import type { TextSearchResult } from './text-query.ts'

interface HitWindow {
  output: 'lines' | 'files' | 'count'
  limit?: number | undefined
  offset?: number | undefined
  max_chars?: number | undefined
}

interface ContextLines {
  before: number
  after: number
}

/**
 * Returns a part of the results as text and as objects; `max_chars` limits only the text. `total` counts
 * the results of all files, even those that were not stored. `closing` is a line such as `[1-20 of 55]`;
 * empty without results.
 */
export function windowResults(
  searchResult: TextSearchResult,
  prefix: string,
  contextLines: ContextLines,
  order: HitWindow,
) {
  const { output, offset = 0, limit = Number.POSITIVE_INFINITY } = order
  const foundFiles = searchResult.files
  const lineCount = foundFiles.reduce((sum, file) => sum + countMatches(file), 0)
  const total =
    output === 'lines' ? lineCount + searchResult.left.matches : foundFiles.length + searchResult.left.files
  const files =
    output === 'lines'
      ? windowOfHits(foundFiles, { offset, limit }, contextLines)
      : foundFiles.slice(offset, offset + limit)
  const name = (file: FileHits) => shownName(bytesOfText(prefix) + file.name)
  const whole =
    output === 'lines'
      ? formatHits(files, prefix, contextLines.before + contextLines.after > 0)
      : files.map((file) => (output === 'files' ? name(file) : `${name(file)}:${file.matches}`)).join('\n')
  const text = cutLines(whole, order.max_chars)
  const count = output === 'lines' ? files.reduce((sum, file) => sum + countMatches(file), 0) : files.length
  const range =
    count === 0
      ? `none from ${groupDigits(offset + 1)} on`
      : `${groupDigits(offset + 1)}-${groupDigits(offset + count)}`
  const cutNotice = text === whole ? '' : `; cut at ${order.max_chars} characters`
  return {
    text,
    matches: output === 'lines' ? matchList(files, prefix, contextLines) : [],
    counts: output === 'lines' ? [] : files.map((file) => ({ path: name(file), matches: file.matches })),
    total,
    shown: text === whole ? count : Math.min(count, text.split('\n').length),
    closing:
      total > 0
        ? `[${range} of ${groupDigits(total)}${searchResult.left.more ? ' or more' : ''}${cutNotice}]`
        : '',
  }
}

const countMatches = (file: FileHits) => file.lines.filter((line) => line.match).length

/**
 * Returns the whole lines that fit into `max` UTF-16 code units; undefined means no limit. If the first line
 * does not fit, it is truncated.
 */
function cutLines(text: string, max: number | undefined): string {
  if (max === undefined || text.length <= max) return text
  const end = text.lastIndexOf('\n', max)
  return end > 0 ? text.slice(0, end) : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}
