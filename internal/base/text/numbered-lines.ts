// A numbered range of lines from a file's bytes, within a limit of bytes.
import { trimCut } from './text-encoding.ts'

interface LineRange {
  /** First line, from 1. */
  start: number
  /** Last line, inclusive. It may be past the end. */
  end: number
  /** Largest number of bytes of numbered text. */
  maxBytes: number
  /** Characters after which a line is truncated. Default: lines are complete. */
  maxLineChars?: number
}

interface NumberedLines {
  /** `N<TAB>text` per line, without a newline at the end. */
  text: string
  bytes: number
  /** Number of the last returned line; `start - 1` if none was returned. */
  last: number
  /** Number of lines in all the bytes. */
  total: number
  /**
   * The part of the range that `maxBytes` excluded: the lines after `last`, or also the rest of line `last`.
   */
  cut: 'lines' | 'line' | undefined
  /**
   * Returned lines that were truncated to `maxLineChars`: number and length of the first one,
   * and their count.
   */
  long: { line: number; chars: number; count: number } | undefined
}

/**
 * Returns the numbered lines of the range. `bytes` are valid UTF-8 without a byte order mark. A carriage
 * return before a line feed is not shown.
 */
export function numberLines(bytes: Buffer, range: LineRange): NumberedLines {
  const out: string[] = []
  let size = 0
  let last = range.start - 1
  let cutKind: NumberedLines['cut']
  let long: NumberedLines['long']
  let n = 0
  for (let from = 0; from < bytes.length; n++) {
    const at = bytes.indexOf(10, from)
    const next = at < 0 ? bytes.length : at + 1
    if (n + 1 >= range.start && n + 1 <= range.end && cutKind === undefined) {
      const end = at < 0 ? bytes.length : at > from && bytes[at - 1] === 13 ? at - 1 : at
      const label = `${n + 1}\t`
      const before = size + label.length + (out.length > 0 ? 1 : 0)
      const room = range.maxBytes - before
      const short = shortenLine(bytes, from, end, range.maxLineChars)
      const length = short ? Buffer.byteLength(short.text) : end - from
      if (length <= room) {
        out.push(label + (short ? short.text : bytes.toString('utf8', from, end)))
        size = before + length
        last = n + 1
        if (short)
          long = long ? { ...long, count: long.count + 1 } : { line: last, chars: short.chars, count: 1 }
      } else if (out.length > 0) {
        cutKind = 'lines'
      } else {
        const part = trimCut(bytes.subarray(from, from + Math.max(0, room)))
        out.push(label + part.toString('utf8'))
        size = before + part.length
        last = n + 1
        cutKind = 'line'
      }
    }
    from = next
  }
  return { text: out.join('\n'), bytes: size, last, total: n, cut: cutKind, long }
}

/**
 * Returns a line that is longer than `max` characters, truncated, and its length; undefined for other lines.
 */
function shortenLine(bytes: Buffer, from: number, end: number, max = Number.POSITIVE_INFINITY) {
  if (end - from <= max) return undefined
  const line = bytes.toString('utf8', from, end)
  if (line.length <= max) return undefined
  const at = /[\ud800-\udbff]/.test(line[max - 1] ?? '') ? max - 1 : max
  return { text: `${line.slice(0, at)}… [${line.length - at} more characters]`, chars: line.length }
}
