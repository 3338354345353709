// Lines for a person to judge, broken into rows of a terminal without losing a character.

import type { Pen } from '../../render/pen.ts'
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { TextStyle } from '../../render/text/color.ts'

/** One line before it is broken. */
export interface SourceLine {
  /** Revealed already, without line ends. */
  text: string
  style?: TextStyle
  /**
   * Text of others: it stands behind a bar at the left, where nothing of it can pass for the program's own
   * words.
   */
  foreign?: boolean
  /** Words of our own before the bar of foreign text; the rows below it have blanks there. */
  lead?: string
  /** Foreign text that is broken between its words, where the row has one. */
  wraps?: boolean
  /** Pieces of it that are drawn in reverse: start and end in code units, in order. */
  marks?: readonly (readonly [number, number])[]
}

/** One row as it goes out, and the line it belongs to. */
export interface ScreenRow {
  text: string
  line: number
}

/** Rows of at most `width` cells. Words of our own are wrapped; foreign text is broken where the row ends. */
export function breakLines(lines: readonly SourceLine[], width: number, pen: Pen): ScreenRow[] {
  const bars = pen.look.unicode ? ['│ ', '╎ '] : ['| ', ': ']
  const gutter = pen.paint({ dim: true })
  return lines.flatMap(
    ({ text, style = {}, foreign = false, lead = '', wraps = false, marks = [] }, line) => {
      const paint = pen.paint(style)
      if (!foreign) return pen.wrap(text, width).map((part) => ({ text: paint(part), line }))
      // a bar may take two cells where characters of ambiguous width do
      const room = Math.max(2, width - 3 - lead.length)
      const rows = wraps
        ? breakSentence(text, room).map((part) => [{ text: part.trimEnd(), isMarked: false }])
        : splitMarked(text, marks, room)
      return rows.map((pieces, i) => {
        const before = i === 0 ? gutter(lead) : ' '.repeat(lead.length)
        const bar = gutter(bars[i === 0 ? 0 : 1] as string)
        return { text: before + bar + paintMarked(pieces, style, pen), line }
      })
    },
  )
}

interface MarkedPiece {
  text: string
  isMarked: boolean
}

/** The rows of a text as `breakText` gives them, each in pieces that are marked or not. */
export function splitMarked(text: string, marks: SourceLine['marks'] = [], width: number): MarkedPiece[][] {
  let start = 0
  return breakText(text, width).map((row) => {
    const end = start + row.length
    const pieces: MarkedPiece[] = []
    let at = start
    for (const [from, to] of marks) {
      const [first, last] = [Math.max(from, at), Math.min(to, end)]
      if (first >= last) continue
      pieces.push({ text: text.slice(at, first), isMarked: false })
      pieces.push({ text: text.slice(first, last), isMarked: true })
      at = last
    }
    pieces.push({ text: text.slice(at, end), isMarked: false })
    start = end
    return pieces.filter((piece) => piece.text !== '')
  })
}

export const paintMarked = (pieces: readonly MarkedPiece[], style: TextStyle, pen: Pen): string =>
  pieces.map(({ text, isMarked }) => pen.paint(isMarked ? { ...style, inverse: true } : style)(text)).join('')

/** The pieces of a text that each fit into `width` cells on every terminal; joined they are the text. */
export function breakText(text: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const cluster of splitClusters(text)) {
    const size = maxCells(cluster.text)
    if (used + size > width && piece !== '') {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += cluster.text
    used += size
  }
  return [...pieces, piece]
}

/** The same broken behind blanks: a word that fits into a row stands whole. */
export function breakSentence(text: string, width: number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.match(/ *[^ ]* ?/g) ?? []) {
    const pieces = breakText(row + word, width)
    // the blank behind the last word of a row may have no room
    if (pieces.length === 1 || maxCells((row + word).trimEnd()) <= width) row += word
    else {
      if (row !== '') rows.push(row)
      const own = breakText(word, width)
      rows.push(...own.slice(0, -1))
      row = own.at(-1) ?? ''
    }
  }
  return row === '' && rows.length > 0 ? rows : [...rows, row]
}

const ASCII = /^[\x20-\x7e]*$/
const NO_CELL = /[\p{Mn}\p{Me}]/u
/** Drawn wide by some: halves of flags, skin tones, pictures, parts of Hangul syllables. */
const WIDE = /[\p{RI}\p{EMod}\p{ExtPict}\u1160-\u11ff\ud7b0-\ud7ff]/u

/** Terminals differ in what they join and in what they draw wide: the most that any of them takes. */
function maxCells(text: string): number {
  if (ASCII.test(text)) return text.length
  let sum = 0
  for (const char of text) {
    if (ASCII.test(char)) sum += 1
    else if (!NO_CELL.test(char)) sum += WIDE.test(char) ? 2 : Math.max(1, countCells(char, 2))
  }
  // a cluster of signs that take none may be drawn as one picture
  return Math.max(sum, countCells(text, 2))
}
