// A box around lines. Its upper edge has a title at the left and a note at the right.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { penOfLook } from './look-pen.ts'

/** Number of cells that edges and spaces of the box take from a line. */
export const boxCells = 4

interface BoxEdge {
  title: string
  note?: string
}

/**
 * Returns the rows of the box. Lines must be sanitized and at most `look.width - boxCells` cells wide. They
 * may have styles.
 */
export function drawTitledBox(
  lines: readonly string[],
  { title, note = '' }: BoxEdge,
  look: RenderLook,
): string[] {
  const pen = penOfLook(look)
  const b = pen.glyphs.borders.single
  const inner = look.width - boxCells
  const right = note === '' ? '' : ` ${pen.clip(note, Math.max(0, inner - 4))} ${b.top}`
  const left = ` ${pen.clip(sanitizeText(title), Math.max(1, inner - pen.cells(right)))} `
  const rule = Math.max(0, look.width - 2 - pen.cells(left) - pen.cells(right))
  const dim = pen.paint({ dim: true })
  const top = dim(b.topLeft) + pen.paint({ bold: true })(left) + dim(b.top.repeat(rule) + right + b.topRight)
  const body = lines.map((line) => {
    const free = Math.max(0, inner - pen.cells(stripStyles(line)))
    return `${dim(b.side)} ${line}${' '.repeat(free)} ${dim(b.side)}`
  })
  return [top, ...body, dim(b.bottomLeft + b.top.repeat(look.width - 2) + b.bottomRight)]
}

/** Returns the line without its styles. */
export const stripStyles = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '')
