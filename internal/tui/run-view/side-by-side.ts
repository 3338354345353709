// A file change in two columns, with the old lines at the left and the new lines at the right.
import { pairRuns } from '../../base/code/word-diff.ts'
import type { Pen } from '../../render/pen.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { TextLook } from '../approval/argument-lines.ts'
import { paintMarked, splitMarked } from '../terminal/rows.ts'
import { type DiffLine, diffHeader, diffStyles, digitsOf, readDiffLines } from './diff-lines.ts'

/** Smallest number of cells of a row that has room for two columns of code. */
export const sideBySideCells = 130

/**
 * Returns a file change in two columns, as rows of at most `width` cells. The first row is the header
 * of the file.
 */
export function drawSideBySide(file: FileDiff, look: TextLook, width: number, pen: Pen): string[] {
  const lines = readDiffLines(file, look)
  const digits = digitsOf(file)
  const half = Math.floor((width - 3) / 2)
  const edge = pen.paint({ dim: true })(` ${pen.glyphs.borders.single.side} `)
  const rows = pairLines(lines).flatMap((pair): string[] => {
    if ('whole' in pair) return pieceRows(pair.whole, 0, width, pen).map(({ text }) => text)
    const left = pair.left ? pieceRows(pair.left, digits, half, pen) : []
    const right = pair.right ? pieceRows(pair.right, digits, half, pen) : []
    return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
      const { text = '', cells = 0 } = left[i] ?? {}
      return `${text}${' '.repeat(Math.max(0, half - cells))}${edge}${right[i]?.text ?? ''}`.trimEnd()
    })
  })
  return [pen.paint({ bold: true })(pen.clip(diffHeader(file), width)), ...rows]
}

type LinePair = { whole: DiffLine } | { left: DiffLine | undefined; right: DiffLine | undefined }

/**
 * Pairs old and new lines of a change. An unchanged line appears on both sides, each time with its number
 * on that side.
 */
function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const runs = new Map(
    pairRuns(lines.map(({ sign }) => sign)).map((run) => [run.removed[0] ?? run.added[0], run]),
  )
  const pairs: LinePair[] = []
  // Number of added minus removed lines so far, by which new line numbers differ from old ones.
  let shift = 0
  for (let i = 0; i < lines.length; ) {
    const run = runs.get(i)
    const line = lines[i] as DiffLine
    if (run) {
      const count = Math.max(run.removed.length, run.added.length)
      for (let at = 0; at < count; at++) {
        const left = run.removed[at]
        const right = run.added[at]
        pairs.push({
          left: left === undefined ? undefined : lines[left],
          right: right === undefined ? undefined : lines[right],
        })
      }
      i += run.removed.length + run.added.length
      shift += run.added.length - run.removed.length
      continue
    }
    if (line.sign === '@') shift = readShift(line.text)
    const isKept = line.number !== undefined
    if (isKept) pairs.push({ left: { ...line, number: Number(line.number) - shift }, right: line })
    else pairs.push({ whole: line })
    i++
  }
  return pairs
}

/**
 * Returns the difference between new and old line numbers according to the header of a hunk; 0 for
 * any other text.
 */
function readShift(text: string): number {
  const [, before, after] = /-(\d+)(?:,\d+)? \+(\d+)/.exec(text) ?? []
  return before === undefined ? 0 : Number(after) - Number(before)
}

/**
 * Returns the rows of a line. The first row begins with its sign and, if `digits` is not 0, with its number.
 */
function pieceRows(
  { sign, text, number, marks, runs }: DiffLine,
  digits: number,
  width: number,
  pen: Pen,
): { text: string; cells: number }[] {
  const lead = digits === 0 ? sign : `${sign} ${String(number ?? '').padStart(digits)}  `
  const style = diffStyles[sign] ?? {}
  return splitMarked({ text, marks, runs }, Math.max(4, width - lead.length)).map((pieces, i) => {
    const before = i === 0 ? lead : ' '.repeat(lead.length)
    const plain = pieces.map((piece) => piece.text).join('')
    return {
      text: pen.paint(style)(before) + paintMarked(pieces, style, pen),
      cells: pen.cells(before + plain),
    }
  })
}
