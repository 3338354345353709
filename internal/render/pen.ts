// Pen of the components: it measures, cuts and paints text for one terminal, and makes lines of known width.

import type { ColorDepth } from './terminal.ts'
import { type AmbiguousWidth, type ClipSide, clipText, countCells } from './text/cell-width.ts'
import {
  type ChangeTints,
  type ColorPalette,
  makePainter,
  type TextPainter,
  type TextStyle,
} from './text/color.ts'
import { asciiGlyphs, type GlyphSet, unicodeGlyphs } from './text/glyphs.ts'
import { wrapText } from './text/line-wrap.ts'

/** One output line with its color codes, and its width in cells. */
export interface RenderedLine {
  text: string
  cells: number
}

export interface RenderLook {
  width: number
  color: ColorDepth
  unicode: boolean
  ambiguous: AmbiguousWidth
  /** True if the limits on rows and lines do not apply. */
  all: boolean
  /**
   * True if a block of code may start at the left edge when it would not fit with its indent. Default: false,
   * because a block that is still growing cannot change lines that are already shown.
   */
  hasWideCode?: boolean
  /** Colors. Default: the terminal's own colors. */
  palette?: ColorPalette | undefined
  /** Backgrounds of changed lines and words. Default: none, because the terminal's background is unknown. */
  tints?: ChangeTints | undefined
}

export interface Pen {
  look: RenderLook
  glyphs: GlyphSet
  paint(style: TextStyle): TextPainter
  cells(text: string): number
  clip(text: string, width: number, keep?: ClipSide): string
  /** Returns the text, cut at its end if it is wider than `width`, with its width in cells. */
  fit(text: string, width: number): RenderedLine
  wrap(text: string, width: number): string[]
  /** Returns a line of one text in one style. */
  line(text: string, style?: TextStyle): RenderedLine
}

export const blankLine: RenderedLine = { text: '', cells: 0 }

/**
 * Creates a pen for one look. Without `look.unicode`, borders and signs are ASCII, and also if the terminal
 * shows ambiguous characters two cells wide, because other borders would break.
 */
export function makePen(look: RenderLook): Pen {
  const { ambiguous } = look
  const glyphs = look.unicode && ambiguous === 1 ? unicodeGlyphs() : asciiGlyphs()
  const paint = makePainter(look.color, look.palette)
  return {
    look,
    glyphs,
    paint,
    cells: (text) => countCells(text, ambiguous),
    fit: (text, width) => clipText(text, width, glyphs.ellipsis, ambiguous),
    clip: (text, width, keep) => clipText(text, width, glyphs.ellipsis, ambiguous, keep).text,
    wrap: (text, width) => wrapText(text, width, ambiguous),
    line: (text, style) => ({ text: style ? paint(style)(text) : text, cells: countCells(text, ambiguous) }),
  }
}

/** Joins several lines to one line. */
export function joinLines(...parts: readonly RenderedLine[]): RenderedLine {
  let text = ''
  let sum = 0
  for (const part of parts) {
    text += part.text
    sum += part.cells
  }
  return { text, cells: sum }
}

/** Pads the line with spaces to `width` cells. A wider line is returned unchanged. */
export function padLine(line: RenderedLine, width: number): RenderedLine {
  return line.cells >= width ? line : { text: line.text + ' '.repeat(width - line.cells), cells: width }
}

export function makeSpaces(count: number): RenderedLine {
  return count > 0 ? { text: ' '.repeat(count), cells: count } : blankLine
}

/**
 * Returns a lead with a text to its right: the lead is on the first line, and the wrapped text is aligned
 * after it. A lead of more than half the width gets a line for itself, and the text is then indented by two
 * cells, unless both fit next to each other.
 */
export function hangText(
  lead: string,
  leadStyle: TextStyle,
  body: string,
  bodyStyle: TextStyle,
  width: number,
  pen: Pen,
): RenderedLine[] {
  const size = pen.cells(lead)
  const total = () => size + body.split('\n').reduce((max, line) => Math.max(max, pen.cells(line)), 0)
  if (size > 0 && size * 2 > width && total() > width) {
    const indent = Math.min(2, width - 1)
    const leadLines = pen.wrap(lead.trimEnd(), width).map((text) => pen.line(text, leadStyle))
    const below = pen
      .wrap(body, width - indent)
      .map((text) => joinLines(makeSpaces(indent), pen.line(text, bodyStyle)))
    return [...leadLines, ...below]
  }
  return pen
    .wrap(body, Math.max(1, width - size))
    .map((text, i) =>
      joinLines(i === 0 ? pen.line(lead, leadStyle) : makeSpaces(size), pen.line(text, bodyStyle)),
    )
}
