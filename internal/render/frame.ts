// What stands around the contents of a Box or Card: margin, border, title, padding, background.
import type { Border } from './glyph.ts'
import type { Laid } from './layout.ts'
import { blank, join, type Line, type Pen, pad, spaces } from './pen.ts'

export interface Edges {
  top: number
  right: number
  bottom: number
  left: number
}

export interface Frame {
  margin: Edges
  padding: Edges
  /** Which sides have a border: 0 or 1 each. */
  border: Edges
  glyphs: Border
  borderColor: string | undefined
  borderDim: boolean
  backgroundColor: string | undefined
  /** Stands in the upper border. */
  title: string
}

/** Cells to the left and right of the contents, margin included. */
export function sideCells({ margin, padding, border }: Frame): number {
  return [margin, padding, border].reduce((sum, edges) => sum + edges.left + edges.right, 0)
}

/** Lines above and below the contents within the margin. */
export function crossLines({ padding, border }: Frame): number {
  return padding.top + padding.bottom + border.top + border.bottom
}

/** The frame with no more beside the contents than `width` cells hold: padding gives way first, then borders. */
export function fitFrame(frame: Frame, width: number): Frame {
  const { margin, padding } = frame
  const room = Math.max(0, width - margin.left - margin.right)
  const bordered = room >= frame.border.left + frame.border.right
  const border = bordered ? frame.border : { ...frame.border, left: 0, right: 0 }
  const free = room - border.left - border.right
  const left = Math.min(padding.left, free)
  return { ...frame, border, padding: { ...padding, left, right: Math.min(padding.right, free - left) } }
}

/**
 * Contents within their frame: `width` cells and `height` lines without the margin. `fixed` when the height was
 * asked for.
 */
export function enclose(
  frame: Frame,
  content: Laid,
  width: number,
  height: number,
  fixed: boolean,
  pen: Pen,
): Laid {
  const { margin, border, padding } = frame
  const inner = width - border.left - border.right - padding.left - padding.right
  const around = margin.top + margin.bottom
  const edge = pen.paint({ color: frame.borderColor, dim: frame.borderDim })
  const fill = frame.backgroundColor ? pen.paint({ backgroundColor: frame.backgroundColor }) : undefined
  const left = join(border.left ? { text: edge(frame.glyphs.side), cells: 1 } : blank, spaces(padding.left))
  const right = border.right ? { text: edge(frame.glyphs.side), cells: 1 } : blank
  const outside = spaces(margin.left)

  const body = (line: Line): Line => {
    if (right.cells === 0 && !fill) return line.cells === 0 && border.left === 0 ? blank : join(left, line)
    return join(left, pad(line, inner), spaces(padding.right), right)
  }
  const finish = (line: Line): Line => {
    const full = fill ? pad(line, width) : line
    return full.cells === 0 ? blank : join(outside, fill ? { ...full, text: fill(full.text) } : full)
  }
  return {
    height: height + around,
    fixed,
    place(given) {
      const lines = given - around
      const room = lines - crossLines(frame)
      const rows = content.place(Math.max(0, room))
      const top = border.top + padding.top
      return (y) => {
        const at = y - margin.top
        if (at < 0 || at >= lines) return blank
        if (border.top && at === 0) return finish(upper(frame, width, edge, pen))
        if (border.bottom && at === lines - 1) return finish(lower(frame, width, edge))
        return finish(body(at >= top && at < top + room ? rows(at - top) : blank))
      }
    },
  }
}

function upper(frame: Frame, width: number, edge: (text: string) => string, pen: Pen): Line {
  const { border, glyphs, title } = frame
  const corners = border.left + border.right
  const run = width - corners
  const shown = title && run > 4 ? pen.clip(title, run - 4) : ''
  const begin = (border.left ? glyphs.topLeft : '') + (shown ? glyphs.top : '')
  const used = shown ? pen.cells(shown) + 3 : 0
  const end = glyphs.top.repeat(Math.max(0, run - used)) + (border.right ? glyphs.topRight : '')
  const middle = shown ? ` ${pen.paint({ bold: true })(shown)} ` : ''
  return { text: shown ? edge(begin) + middle + edge(end) : edge(begin + end), cells: width }
}

function lower({ border, glyphs }: Frame, width: number, edge: (text: string) => string): Line {
  const run = glyphs.top.repeat(Math.max(0, width - border.left - border.right))
  const text = (border.left ? glyphs.bottomLeft : '') + run + (border.right ? glyphs.bottomRight : '')
  return { text: edge(text), cells: width }
}
