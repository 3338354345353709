// What the parts draw with: measuring, cutting and painting for one terminal, and lines of known width.
import { ascii, type Glyphs, unicode } from './glyph.ts'
import { type Paint, painter, type Style } from './paint.ts'
import type { Depth } from './terminal.ts'
import { type Ambiguous, cells, clip, type Keep } from './width.ts'
import { wrap } from './wrap.ts'

/** One line as it goes out, our colour codes included, and the cells it takes. */
export interface Line {
  text: string
  cells: number
}

export interface Look {
  width: number
  color: Depth
  unicode: boolean
  ambiguous: Ambiguous
  /** Lifts the limits on rows and lines. */
  all: boolean
}

export interface Pen {
  look: Look
  glyphs: Glyphs
  paint(style: Style): Paint
  cells(text: string): number
  clip(text: string, width: number, keep?: Keep): string
  /** Clipped at its end, with the cells it takes. */
  fit(text: string, width: number): Line
  wrap(text: string, width: number): string[]
  /** A line of one text in one style. */
  line(text: string, style?: Style): Line
}

export const blank: Line = { text: '', cells: 0 }

/** A pen for one look. Where ambiguous characters are wide our own would tear borders: then we draw in ASCII. */
export function makePen(look: Look): Pen {
  const { ambiguous } = look
  const glyphs = look.unicode && ambiguous === 1 ? unicode : ascii
  const paint = painter(look.color)
  return {
    look,
    glyphs,
    paint,
    cells: (text) => cells(text, ambiguous),
    fit: (text, width) => clip(text, width, glyphs.ellipsis, ambiguous),
    clip: (text, width, keep) => clip(text, width, glyphs.ellipsis, ambiguous, keep).text,
    wrap: (text, width) => wrap(text, width, ambiguous),
    line: (text, style) => ({ text: style ? paint(style)(text) : text, cells: cells(text, ambiguous) }),
  }
}

/** Lines one after the other on one line. */
export function join(...parts: readonly Line[]): Line {
  let text = ''
  let sum = 0
  for (const part of parts) {
    text += part.text
    sum += part.cells
  }
  return { text, cells: sum }
}

/** The line with spaces up to `width` cells. */
export function pad(line: Line, width: number): Line {
  return line.cells >= width ? line : { text: line.text + ' '.repeat(width - line.cells), cells: width }
}

export function spaces(count: number): Line {
  return count > 0 ? { text: ' '.repeat(count), cells: count } : blank
}

/**
 * A text that hangs beside a lead: the lead stands on the first line, the wrapped text right of it. A lead that
 * takes more than half the width stands above, and the text is indented by two cells.
 */
export function hang(
  lead: string,
  leadStyle: Style,
  body: string,
  bodyStyle: Style,
  width: number,
  pen: Pen,
): Line[] {
  const size = pen.cells(lead)
  const total = () => size + body.split('\n').reduce((most, line) => Math.max(most, pen.cells(line)), 0)
  if (size > 0 && size * 2 > width && total() > width) {
    const indent = Math.min(2, width - 1)
    const above = pen.wrap(lead.trimEnd(), width).map((text) => pen.line(text, leadStyle))
    const below = pen
      .wrap(body, width - indent)
      .map((text) => join(spaces(indent), pen.line(text, bodyStyle)))
    return [...above, ...below]
  }
  return pen
    .wrap(body, Math.max(1, width - size))
    .map((text, i) => join(i === 0 ? pen.line(lead, leadStyle) : spaces(size), pen.line(text, bodyStyle)))
}
