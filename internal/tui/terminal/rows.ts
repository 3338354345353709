// Lines that a user reviews, broken into terminal rows without losing a character.

import { appendLines } from '../../base/text/append-lines.ts'
import type { Pen } from '../../render/pen.ts'
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { TextStyle } from '../../render/text/color.ts'

/** One line before it is broken. */
export interface SourceLine {
  /** Text with escaped invisible characters and without line ends. */
  text: string
  style?: TextStyle
  /**
   * Whether the text comes from others. It is shown after a bar, so that it cannot imitate the
   * program's own text.
   */
  foreign?: boolean
  /** Text of the program before the bar of foreign text. Further rows have spaces there. */
  lead?: string
  /** Whether foreign text is broken between words if possible. */
  wraps?: boolean
  /** Ranges that are drawn in reverse video, in UTF-16 code units and in order. */
  marks?: readonly (readonly [number, number])[]
}

/** One row of output, with the index of its line. */
export interface ScreenRow {
  text: string
  line: number
}

/**
 * Breaks lines into rows of at most `width` cells. Text of the program wraps between words, foreign text
 * breaks at the end of the row.
 */
export const breakLines = (lines: Iterable<SourceLine>, width: number, pen: Pen): ScreenRow[] => [
  ...eachRow(lines, width, pen),
]

/** Yields the rows, each made when it is requested. */
export function* eachRow(lines: Iterable<SourceLine>, width: number, pen: Pen): Generator<ScreenRow> {
  const bars = pen.look.unicode ? ['│ ', '╎ '] : ['| ', ': ']
  const gutter = pen.paint({ dim: true })
  let line = 0
  for (const { text, style = {}, foreign = false, lead = '', wraps = false, marks = [] } of lines) {
    if (foreign) {
      // a bar may take two cells if characters of ambiguous width do
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

/** Returns the rows of `breakText`, each split into marked and unmarked pieces. */
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

/** Splits a text into pieces that fit into `width` cells on every terminal. Joined pieces equal the text. */
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

/** Splits a text after spaces. A word that fits into a row stays whole. */
export function breakSentence(text: string, width: number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.match(/ *[^ ]* ?/g) ?? []) {
    const pieces = breakText(row + word, width)
    // the space after the last word of a row may not fit
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
/**
 * Characters that some terminals draw wide: halves of flags, skin tones, pictographs, parts
 * of Hangul syllables.
 */
const WIDE = /[\p{RI}\p{EMod}\p{ExtPict}\u1160-\u11ff\ud7b0-\ud7ff]/u

/**
 * Returns the largest width of a text on any terminal. Terminals differ in the characters that they join
 * or draw wide.
 */
function maxCells(text: string): number {
  if (ASCII.test(text)) return text.length
  let sum = 0
  for (const char of text) {
    if (ASCII.test(char)) sum += 1
    else if (!NO_CELL.test(char)) sum += WIDE.test(char) ? 2 : Math.max(1, countCells(char, 2))
  }
  // a cluster of zero-width characters may be drawn as one pictograph
  return Math.max(sum, countCells(text, 2))
}
