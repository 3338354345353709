// Lines for a person to judge, broken into rows of a terminal without losing a character.

import { appendLines } from '../../base/text/append-lines.ts'
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
export const breakLines = (lines: Iterable<SourceLine>, width: number, pen: Pen): ScreenRow[] => [
  ...eachRow(lines, width, pen),
]

/** The same, each made when it is asked for. */
export function* eachRow(lines: Iterable<SourceLine>, width: number, pen: Pen): Generator<ScreenRow> {
  const bars = pen.look.unicode ? ['│ ', '╎ '] : ['| ', ': ']
  const gutter = pen.paint({ dim: true })
  let line = 0
  for (const { text, style = {}, foreign = false, lead = '', wraps = false, marks = [] } of lines) {
    if (foreign) {
      // a bar may take two cells where characters of ambiguous width do
      const room = Math.max(2, width - 3 - lead.length)
      const rows = wraps ? eachSentenceRow(text, room) : eachMarkedRow(text, marks, room)
      let before = gutter(lead) + gutter(bars[0] as string)
      for (const pieces of rows) {
        yield { text: before + paintMarked(pieces, style, pen), line }
        before = ' '.repeat(lead.length) + gutter(bars[1] as string)
      }
    } else {
      const paint = pen.paint(style)
      for (const part of pen.wrap(text, width)) yield { text: paint(part), line }
    }
    line++
  }
}

interface MarkedPiece {
  text: string
  isMarked: boolean
}

/** The rows of a text as `breakText` gives them, each in pieces that are marked or not. */
export const splitMarked = (text: string, marks: SourceLine['marks'], width: number): MarkedPiece[][] => [
  ...eachMarkedRow(text, marks, width),
]

function* eachMarkedRow(
  text: string,
  marks: SourceLine['marks'] = [],
  width: number,
): Generator<MarkedPiece[]> {
  let start = 0
  for (const row of eachPiece(text, width)) {
    const end = start + row.length
    const pieces: MarkedPiece[] = []
    let at = start
    for (const [from, to] of marks) {
      const first = Math.max(from, at)
      const last = Math.min(to, end)
      if (first >= last) continue
      pieces.push({ text: text.slice(at, first), isMarked: false })
      pieces.push({ text: text.slice(first, last), isMarked: true })
      at = last
    }
    pieces.push({ text: text.slice(at, end), isMarked: false })
    start = end
    yield pieces.filter((piece) => piece.text !== '')
  }
}

export const paintMarked = (pieces: readonly MarkedPiece[], style: TextStyle, pen: Pen): string =>
  pieces.map(({ text, isMarked }) => pen.paint(isMarked ? { ...style, inverse: true } : style)(text)).join('')

/** The pieces of a text that each fit into `width` cells on every terminal; joined they are the text. */
export const breakText = (text: string, width: number): string[] => [...eachPiece(text, width)]

function* eachPiece(text: string, width: number): Generator<string> {
  if (ASCII.test(text)) {
    for (let start = 0; start < text.length; start += width) yield text.slice(start, start + width)
    if (text === '') yield ''
    return
  }
  let start = 0
  let end = 0
  let used = 0
  for (const cluster of splitClusters(text)) {
    const size = maxCells(cluster.text)
    if (used + size > width && end > start) {
      yield text.slice(start, end)
      start = end
      used = 0
    }
    end += cluster.text.length
    used += size
  }
  yield text.slice(start)
}

function* eachSentenceRow(text: string, width: number): Generator<MarkedPiece[]> {
  for (const part of breakSentence(text, width)) yield [{ text: part.trimEnd(), isMarked: false }]
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
      appendLines(rows, own.slice(0, -1))
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
