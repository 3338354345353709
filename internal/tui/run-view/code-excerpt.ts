// A few lines of a file around one of them, numbered.

import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** Lines shown before and after the one that is meant. */
const contextLines = 1

/**
 * Three lines, fewer at the ends of a file, none for a line that it does not have; long ones are cut at the
 * width.
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
