// An excerpt of a file: a few numbered lines around one line.

import { languageOfPath } from '../../base/code/code-language.ts'
import { readCodeLines } from '../../base/code/code-reader.ts'
import { paintCode } from '../../render/code/code-style.ts'
import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** Number of lines of an excerpt before and after the given line. */
const contextLines = 1

/**
 * Returns the line with this number and one line before and after it. Without such a line, returns an empty
 * list. Long lines are cut to the width. `path` determines the language for the colors.
 */
export function drawExcerpt(text: string, line: number, pen: Pen, path = ''): string[] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  if (line < 1 || line > lines.length) return []
  const first = Math.max(1, line - contextLines)
  const last = Math.min(lines.length, line + contextLines)
  const digits = String(last).length
  const mark = pen.look.unicode ? '▸' : '>'
  const earlier = lines.slice(Math.max(0, first - 1 - maxEarlierLines), first - 1)
  const codes = lines.slice(first - 1, last).map((code) => sanitizeText(code))
  const runs =
    pen.look.color === 0 ? undefined : readRuns([...earlier, ...codes], path)?.slice(earlier.length)
  return codes.map((code, i) => {
    const number = first + i
    const isMeant = number === line
    const lead = `${isMeant ? mark : ' '} ${String(number).padStart(digits)}  `
    const visibleText = pen.clip(lead + code, pen.look.width)
    const lineRuns = runs?.[i]
    const style = isMeant ? { bold: true } : { dim: true }
    if (!lineRuns || !visibleText.startsWith(lead)) return pen.paint(style)(visibleText)
    const whole = [{ text: lead, kind: undefined }, ...lineRuns]
    // If the line is cut, the sign for omitted text at its end is not painted as code.
    const isCut = visibleText !== lead + code
    const end = isCut ? visibleText.length - pen.glyphs.ellipsis.length : visibleText.length
    return (
      pen.paint(style)(lead) +
      paintCode(whole, lead.length, end, pen) +
      pen.paint(style)(visibleText.slice(end))
    )
  })
}

/**
 * Largest number of lines before the excerpt that are read for its colors, because a comment or a string
 * may start there.
 */
const maxEarlierLines = 60

const readRuns = (lines: readonly string[], path: string) =>
  readCodeLines(lines.map((line) => sanitizeText(line)).join('\n'), languageOfPath(path))
