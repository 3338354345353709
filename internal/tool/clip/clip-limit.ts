// The limit of characters and lines that a tool's text is held to, and whether a text keeps it.

import { countLines } from '../../base/text/line-count.ts'
import type { ClipLimit } from '../tool.ts'

/** What every tool's text is held to unless it declares something else. */
export const defaultClip: ClipLimit = { chars: 262_144, lines: Number.POSITIVE_INFINITY, keep: 'head' }

/** Most texts are: what clips the others need not be loaded for them. */
function isWithinLimit(text: string, limit: ClipLimit): boolean {
  const chars = limit.keep === 'halves' ? Buffer.byteLength(text) : text.length
  return chars <= limit.chars && (limit.lines === Number.POSITIVE_INFINITY || countLines(text) <= limit.lines)
}

/** The text as it is shown; what is left out is counted. */
export async function clipResult(text: string, limit: ClipLimit) {
  if (isWithinLimit(text, limit)) return { text, lines: 0, chars: 0 }
  return (await import('./clip.ts')).clip(text, limit)
}
