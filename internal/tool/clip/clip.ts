// The truncation of a text to a limit of characters and lines, with the size of the omitted part.

import { type ClippedText, clipHalves } from '../../base/text/clip-halves.ts'
import { countLines } from '../../base/text/line-count.ts'
import type { ClipLimit } from '../tool.ts'

/**
 * Returns the text, truncated with a note if it exceeds the limit, and the size of the omitted part. Unless
 * `keep` is `halves`, cuts at line ends, or inside a line if whole lines would fill at most half of the
 * limit. `chars` then counts UTF-16 units, and a surrogate pair is never split. With `keep: 'ends'`, the
 * beginning gets two thirds of the limit.
 */
export function clip(text: string, limit: ClipLimit): ClippedText {
  if (limit.keep === 'halves') return clipHalves(text, limit)
  const total = countLines(text)
  if (text.length <= limit.chars && total <= limit.lines) return { text, lines: 0, chars: 0 }
  const share = limit.keep === 'head' ? 1 : 2 / 3
  const head = takeFirst(text, Math.floor(limit.chars * share), Math.floor(limit.lines * share))
  const rest = text.slice(head.length)
  const tail =
    limit.keep === 'head'
      ? ''
      : takeLast(rest, limit.chars - head.length, Math.max(0, limit.lines - countLines(head)))
  const omittedText = rest.slice(0, rest.length - tail.length)
  const lines = countLines(omittedText)
  const note = `… ${lines} line${lines === 1 ? '' : 's'} (${omittedText.length} characters) left out …`
  const before = head === '' || head.endsWith('\n') ? head : `${head}\n`
  return {
    text: tail === '' ? `${before}${note}` : `${before}${note}\n${tail}`,
    lines,
    chars: omittedText.length,
  }
}

function takeFirst(text: string, chars: number, lines: number): string {
  let end = 0
  for (let n = 0; n < lines && end < text.length; n++) {
    const next = text.indexOf('\n', end)
    const stop = next === -1 ? text.length : next + 1
    if (stop > chars) return end > chars / 2 ? text.slice(0, end) : text.slice(0, alignCut(text, chars))
    end = stop
  }
  return text.slice(0, end)
}

function takeLast(text: string, chars: number, lines: number): string {
  let start = text.length
  for (let n = 0; n < lines && start > 0; n++) {
    const previous = text.lastIndexOf('\n', start - 2) + 1
    if (text.length - previous > chars) {
      return text.length - start > chars / 2
        ? text.slice(start)
        : text.slice(alignCut(text, text.length - chars))
    }
    start = previous
  }
  return text.slice(start)
}

/** Returns a cut position near `at` that is not inside a surrogate pair. */
function alignCut(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
