// Text that the user selects with the mouse on the full screen: its position, its highlight and its copy. The
// functions are pure.
import type { RenderLook } from '../../render/pen.ts'
import { splitClusters } from '../../render/text/cell-width.ts'
import { penOfLook } from '../view/look-pen.ts'

/** A position in the conversation: the index of a line and the number of cells to the left. */
export interface TextPlace {
  line: number
  column: number
}

export interface TextSelection {
  from: TextPlace
  to: TextPlace
}

const styles = /\x1b\[[\d;]*m/g

/** Returns the two ends of the selection, the end that comes earlier in the text first. */
function sortEnds({ from, to }: TextSelection): [TextPlace, TextPlace] {
  const isForward = from.line < to.line || (from.line === to.line && from.column <= to.column)
  return isForward ? [from, to] : [to, from]
}

/**
 * Returns the selected cells of one line as start and exclusive end; undefined if the line is not selected.
 */
function markedCells(selection: TextSelection, line: number): [number, number] | undefined {
  const [first, last] = sortEnds(selection)
  if (line < first.line || line > last.line) return undefined
  const start = line === first.line ? first.column : 0
  return [start, line === last.line ? last.column + 1 : Number.POSITIVE_INFINITY]
}

/** Returns the texts before, inside and after the selected cells of a line, without styles. */
function cutLine(line: string, [start, end]: readonly [number, number]): [string, string, string] {
  const parts: [string, string, string] = ['', '', '']
  let at = 0
  for (const { text, cells } of splitClusters(line.replace(styles, ''))) {
    parts[at < start ? 0 : at < end ? 1 : 2] += text
    at += cells
  }
  return parts
}

/**
 * Returns the visible lines with the selection in reverse video. The first visible line has the index `top`.
 */
export function markSelection(
  lines: readonly string[],
  top: number,
  selection: TextSelection | undefined,
  look: RenderLook,
): readonly string[] {
  if (!selection) return lines
  const paint = penOfLook(look).paint({ inverse: true })
  return lines.map((line, i) => {
    const cells = markedCells(selection, top + i)
    if (!cells) return line
    const [before, marked, behind] = cutLine(line, cells)
    return before + paint(marked) + behind
  })
}

/**
 * Returns the selected text without spaces at line ends. Lines that are selected from their first cell lose
 * the left margin.
 */
export function readSelection(lines: readonly string[], selection: TextSelection): string {
  const [first, last] = sortEnds(selection)
  const marked = lines.slice(first.line, last.line + 1).map((line, i) => {
    const cells = markedCells(selection, first.line + i)
    return cells ? cutLine(line, cells)[1].trimEnd() : ''
  })
  const isCut = (i: number) => i === 0 && first.column > 0
  return marked.map((line, i) => (isCut(i) ? line : line.replace(/^ /, ''))).join('\n')
}
