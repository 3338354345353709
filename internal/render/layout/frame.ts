// Frame around the contents of a Box or Card: margin, border, title, padding, background.

import { blankLine, joinLines, makeSpaces, type Pen, padLine, type RenderedLine } from '../pen.ts'
import type { BorderGlyphs } from '../text/glyphs.ts'
import type { LayoutBlock } from './layout.ts'

export interface BoxEdges {
  top: number
  right: number
  bottom: number
  left: number
}

export interface BoxFrame {
  margin: BoxEdges
  padding: BoxEdges
  /** Sides with a border: 0 or 1 each. */
  border: BoxEdges
  glyphs: BorderGlyphs
  borderColor: string | undefined
  borderDim: boolean
  backgroundColor: string | undefined
  /** Title in the upper border; empty for no title. */
  title: string
}

/** Returns the number of cells to the left and right of the contents, including the margin. */
export function sideCells({ margin, padding, border }: BoxFrame): number {
  return [margin, padding, border].reduce((sum, edges) => sum + edges.left + edges.right, 0)
}

/**
 * Returns the number of lines that padding and border add above and below the contents, without the margin.
 */
export function crossLines({ padding, border }: BoxFrame): number {
  return padding.top + padding.bottom + border.top + border.bottom
}

/**
 * Returns a frame whose left and right sides fit in `width` cells: padding is reduced first, then both
 * borders are removed. Margins stay, even if they alone are wider than `width`.
 */
export function fitFrame(frame: BoxFrame, width: number): BoxFrame {
  const { margin, padding } = frame
  const room = Math.max(0, width - margin.left - margin.right)
  const bordered = room >= frame.border.left + frame.border.right
  const border = bordered ? frame.border : { ...frame.border, left: 0, right: 0 }
  const free = room - border.left - border.right
  const leftPadding = Math.min(padding.left, free)
  return {
    ...frame,
    border,
    padding: { ...padding, left: leftPadding, right: Math.min(padding.right, free - leftPadding) },
  }
}

/**
 * Renders contents in their frame, in `width` cells and `height` lines without the margin. `fixed`: the
 * height was set, so the frame does not grow.
 */
export function drawFrame(
  frame: BoxFrame,
  content: LayoutBlock,
  width: number,
  height: number,
  fixed: boolean,
  pen: Pen,
): LayoutBlock {
  const { margin, border, padding } = frame
  const inner = width - border.left - border.right - padding.left - padding.right
  const verticalMargins = margin.top + margin.bottom
  const edge = pen.paint({ color: frame.borderColor, dim: frame.borderDim })
  const fill = frame.backgroundColor ? pen.paint({ backgroundColor: frame.backgroundColor }) : undefined
  const leftEdge = joinLines(
    border.left ? { text: edge(frame.glyphs.side), cells: 1 } : blankLine,
    makeSpaces(padding.left),
  )
  const right = border.right ? { text: edge(frame.glyphs.side), cells: 1 } : blankLine
  const outside = makeSpaces(margin.left)

  const body = (line: RenderedLine): RenderedLine => {
    if (right.cells === 0 && !fill)
      return line.cells === 0 && border.left === 0 ? blankLine : joinLines(leftEdge, line)
    return joinLines(leftEdge, padLine(line, inner), makeSpaces(padding.right), right)
  }
  const finish = (line: RenderedLine): RenderedLine => {
    const full = fill ? padLine(line, width) : line
    return full.cells === 0 ? blankLine : joinLines(outside, fill ? { ...full, text: fill(full.text) } : full)
  }
  return {
    height: height + verticalMargins,
    fixed,
    place(totalHeight) {
      const lines = totalHeight - verticalMargins
      const room = lines - crossLines(frame)
      const rows = content.place(Math.max(0, room))
      const top = border.top + padding.top
      return (y) => {
        const at = y - margin.top
        if (at < 0 || at >= lines) return blankLine
        if (border.top && at === 0) return finish(drawTopEdge(frame, width, edge, pen))
        if (border.bottom && at === lines - 1) return finish(drawBottomEdge(frame, width, edge))
        return finish(body(at >= top && at < top + room ? rows(at - top) : blankLine))
      }
    },
  }
}

function drawTopEdge(frame: BoxFrame, width: number, edge: (text: string) => string, pen: Pen): RenderedLine {
  const { border, glyphs, title } = frame
  const corners = border.left + border.right
  const run = width - corners
  const titleText = title && run > 4 ? pen.clip(title, run - 4) : ''
  const begin = (border.left ? glyphs.topLeft : '') + (titleText ? glyphs.top : '')
  const titleCells = titleText ? pen.cells(titleText) + 3 : 0
  const end = glyphs.top.repeat(Math.max(0, run - titleCells)) + (border.right ? glyphs.topRight : '')
  const middle = titleText ? ` ${pen.paint({ bold: true })(titleText)} ` : ''
  return { text: titleText ? edge(begin) + middle + edge(end) : edge(begin + end), cells: width }
}

function drawBottomEdge(
  { border, glyphs }: BoxFrame,
  width: number,
  edge: (text: string) => string,
): RenderedLine {
  const run = glyphs.top.repeat(Math.max(0, width - border.left - border.right))
  const text = (border.left ? glyphs.bottomLeft : '') + run + (border.right ? glyphs.bottomRight : '')
  return { text: edge(text), cells: width }
}
