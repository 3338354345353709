// Lines that a user reviews, broken into terminal rows without the loss of a character.

import type { CodeKind, CodeRun } from '../../base/code/code-runs.ts'
import { appendLines } from '../../base/text/append-lines.ts'
import { codeStyles } from '../../render/code/code-style.ts'
import type { Pen } from '../../render/pen.ts'
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { TextStyle } from '../../render/text/color.ts'

/** One line before it is broken into rows. */
export interface SourceLine {
  /** Text of the line, with invisible characters escaped and without line ends. */
  text: string
  style?: TextStyle
  /**
   * True if the text comes from others. It is shown after a bar, so that it cannot imitate Anode's own text.
   */
  foreign?: boolean
  /** Text of Anode before the bar of foreign text. Further rows of the line have spaces there. */
  lead?: string
  /** True if foreign text is broken between words if possible. */
  wraps?: boolean
  /**
   * Changed ranges of the text, in UTF-16 code units and in order. They are shown in reverse video or with
   * a stronger tint.
   */
  marks?: readonly (readonly [number, number])[]
  /** The text of the line as code. All runs together equal `text`. */
  runs?: readonly CodeRun[] | undefined
}

/** One row of output, with the index of the line that the row is a part of. */
export interface ScreenRow {
  text: string
  line: number
}

/**
 * Breaks lines into rows of at most `width` cells. Text of Anode wraps between words; text from others breaks
 * at the end of the row, unless `wraps` is set.
 */
export const breakLines = (lines: Iterable<SourceLine>, width: number, pen: Pen): ScreenRow[] => [
  ...eachRow(lines, width, pen),
]

/** Yields the rows of the lines. Each row is made only when it is requested. */
export function* eachRow(lines: Iterable<SourceLine>, width: number, pen: Pen): Generator<ScreenRow> {
  const bars = pen.look.unicode ? ['│ ', '╎ '] : ['| ', ': ']
  const gutter = pen.paint({ dim: true })
  let line = 0
  for (const source of lines) {
    const { text, style = {}, foreign = false, lead = '', wraps = false } = source
    if (foreign) {
      // The bar before foreign text may take two cells, if the terminal draws characters of
      // ambiguous width wide.
      const room = Math.max(2, width - 3 - lead.length)
      const rows = wraps ? eachSentenceRow(text, room) : eachMarkedRow(source, room)
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
  kind?: CodeKind | undefined
}

type MarkedText = Pick<SourceLine, 'text' | 'marks' | 'runs'>

/** Returns the rows of `breakText`, each split into pieces that have one mark and one kind of code. */
export const splitMarked = (line: MarkedText, width: number): MarkedPiece[][] => [
  ...eachMarkedRow(line, width),
]

function* eachMarkedRow(
  { text, marks = [], runs = [] }: MarkedText,
  width: number,
): Generator<MarkedPiece[]> {
  const ends = runEnds(runs)
  let at = 0
  let mark = 0
  let run = 0
  for (const row of eachPiece(text, width)) {
    const end = at + row.length
    const pieces: MarkedPiece[] = []
    while (at < end) {
      while ((marks[mark]?.[1] ?? Infinity) <= at) mark++
      while ((ends[run] ?? Infinity) <= at) run++
      const [from = Infinity, to = Infinity] = marks[mark] ?? []
      const isMarked = from <= at
      const next = Math.min(end, isMarked ? to : from, ends[run] ?? Infinity)
      pieces.push({ text: text.slice(at, next), isMarked, kind: runs[run]?.kind })
      at = next
    }
    yield pieces
  }
}

function runEnds(runs: readonly CodeRun[]): number[] {
  let end = 0
  return runs.map(({ text }) => {
    end += text.length
    return end
  })
}

/** Text styles of code in a line that already has the color of its change. */
const changedStyles: Partial<Record<CodeKind, TextStyle>> = {
  keyword: { bold: true },
  comment: { italic: true },
}

/** Returns the side of a change that has this color in a diff; undefined for other colors. */
function sideOf({ color }: TextStyle): 'added' | 'removed' | undefined {
  return color === 'green' ? 'added' : color === 'red' ? 'removed' : undefined
}

export function paintMarked(pieces: readonly MarkedPiece[], style: TextStyle, pen: Pen): string {
  const side = sideOf(style)
  const tints = side && pen.look.color > 1 ? pen.look.tints : undefined
  return pieces
    .map(({ text, isMarked, kind }) => {
      const code = kind ? codeStyles[kind] : {}
      if (side === undefined) return pen.paint({ ...style, ...code, inverse: isMarked })(text)
      if (!tints) {
        const own = kind ? changedStyles[kind] : {}
        return pen.paint({ ...style, ...own, inverse: isMarked })(text)
      }
      const backgroundColor = tints[isMarked ? (`${side}Words` as const) : side]
      return pen.paint({ ...code, backgroundColor })(text)
    })
    .join('')
}

/**
 * Splits a text into pieces that have room in `width` cells on every terminal, except a single character that
 * is wider. All pieces together equal the text.
 */
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

/** Splits a text into rows after spaces. A word that has room in a row is not split. */
export function breakSentence(text: string, width: number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.match(/ *[^ ]* ?/g) ?? []) {
    const pieces = breakText(row + word, width)
    // The space after the last word of a row need not have room in it.
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
 * Matches characters that some terminals draw wide: halves of flags, skin tones, pictographs, parts
 * of Hangul syllables.
 */
const WIDE = /[\p{RI}\p{EMod}\p{ExtPict}\u1160-\u11ff\ud7b0-\ud7ff]/u

/**
 * Returns the largest width that a text has on any terminal, in cells. Terminals differ in the characters
 * that they join or draw wide.
 */
function maxCells(text: string): number {
  if (ASCII.test(text)) return text.length
  let sum = 0
  for (const char of text) {
    if (ASCII.test(char)) sum += 1
    else if (!NO_CELL.test(char)) sum += WIDE.test(char) ? 2 : Math.max(1, countCells(char, 2))
  }
  // Some terminals draw a cluster of zero-width characters as one pictograph.
  return Math.max(sum, countCells(text, 2))
}
