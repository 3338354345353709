// A few numbered lines of a file around one line.

import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** Number of lines before and after the given line. */
const contextLines = 1

/**
 * Returns three lines, fewer at the ends of the file, and no lines for a missing line. Long lines are cut
 * to the width.
 */
export function drawExcerpt(text: string, line: number, pen: Pen): string[] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  if (line < 1 || line > lines.length) return []
  const first = Math.max(1, line - contextLines)
  const last = Math.min(lines.length, line + contextLines)
  const digits = String(last).length
  const mark = pen.look.unicode ? '▸' : '>'
  return lines.slice(first - 1, last).map((code, i) => {
    const number = first + i
    const isMeant = number === line
    const lead = `${isMeant ? mark : ' '} ${String(number).padStart(digits)}  `
    const shown = pen.clip(lead + sanitizeText(code), pen.look.width)
    return pen.paint(isMeant ? { bold: true } : { dim: true })(shown)
  })
}
