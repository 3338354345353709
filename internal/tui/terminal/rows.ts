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
  return lines.flatMap(({ text, style = {}, foreign = false }, line) => {
    const paint = pen.paint(style)
    if (!foreign) return pen.wrap(text, width).map((part) => ({ text: paint(part), line }))
    // a bar may take two cells where characters of ambiguous width do
    const parts = breakText(text, Math.max(2, width - 3))
    return parts.map((part, i) => ({ text: gutter(bars[i === 0 ? 0 : 1] as string) + paint(part), line }))
  })
}

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
