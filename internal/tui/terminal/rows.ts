// Lines that a user reviews, broken into terminal rows. Text that is not from Anode keeps every character.

import type { CodeKind, CodeRun } from '../../base/code/code-runs.ts'
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
   * True if the text is not from Anode. It is shown after a bar, so that it cannot imitate Anode's own text.
   */
  foreign?: boolean
  /** Text of Anode before the bar of a foreign text. Further rows of the line have spaces in its place. */
  lead?: string
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
 * Breaks lines into rows of at most `width` cells, between words. A break in text of Anode drops its spaces;
 * other text keeps them, so that the user sees each character of a command.
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
    const { text, style = {}, foreign = false, lead = '' } = source
    if (foreign) {
      // The bar before foreign text may take two cells, if the terminal draws characters of
      // ambiguous width wide.
      const room = Math.max(2, width - 3 - lead.length)
      let before = gutter(lead) + gutter(bars[0] as string)
      for (const pieces of eachMarkedRow(source, room)) {
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
        const changeStyle = kind ? changedStyles[kind] : {}
        return pen.paint({ ...style, ...changeStyle, inverse: isMarked })(text)
      }
      const backgroundColor = tints[isMarked ? (`${side}Words` as const) : side]
      return pen.paint({ ...code, backgroundColor })(text)
    })
    .join('')
}

/**
 * Splits a text into pieces that have room in `width` cells on every terminal, except a single character that
 * is wider. A piece ends between words; only a word that has no room in a piece is split. All pieces together
 * equal the text.
 */
export const breakText = (text: string, width: number): string[] => [...eachPiece(text, width)]

function* eachPiece(text: string, width: number): Generator<string> {
  const isAscii = ASCII.test(text)
  let start = 0
  do {
    const end = endOfPiece(text, start, width, isAscii)
    yield text.slice(start, end)
    start = end
  } while (start < text.length)
}

/**
 * Returns the end of the piece from `start`: before its last word if only the next piece has room
 * for the word.
 */
function endOfPiece(text: string, start: number, width: number, isAscii: boolean): number {
  const end = endOfRoom(text, start, width, isAscii)
  if (end === text.length || text[end - 1] === ' ') return end
  const word = start + text.slice(start, end).lastIndexOf(' ') + 1
  if (word === start) return end
  // A mark after a space belongs to the space.
  if (!isAscii && splitClusters(text.slice(word - 1, end)).next().value?.text !== ' ') return end
  const wordEnd = endOfRoom(text, word, width, isAscii)
  const hasRoom = wordEnd === text.length || text.slice(end, wordEnd + 1).includes(' ')
  return hasRoom ? word : end
}

/** Returns the end of the longest text from `start` with room in `width` cells, at least one character. */
function endOfRoom(text: string, start: number, width: number, isAscii: boolean): number {
  if (isAscii) return Math.min(text.length, start + width)
  // Only a part of a long text is split into clusters, a larger part if all of it has room.
  for (let units = 16 * width; ; units *= 8) {
    let end = start
    let usedCells = 0
    for (const cluster of splitClusters(text.slice(start, start + units))) {
      usedCells += maxCells(cluster.text)
      if (usedCells > width && end > start) return end
      end += cluster.text.length
    }
    if (start + units >= text.length) return end
  }
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
