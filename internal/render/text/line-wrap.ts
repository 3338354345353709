// Wrapping of text into lines of a maximum number of cells.
import { type AmbiguousWidth, countCells, splitClusters } from './cell-width.ts'

/**
 * Returns the lines of `text` at `width` cells (at least 1), at least one line. Breaks at line feeds and
 * between words, drops the spaces at a break, keeps indentation if the first word fits after it, and breaks
 * words that are longer than a line.
 */
export function wrapText(text: string, width: number, ambiguous: AmbiguousWidth = 1): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    if (countCells(paragraph, ambiguous) <= width) lines.push(paragraph)
    else breakWords(paragraph, width, ambiguous, lines)
  }
  return lines
}

function breakWords(paragraph: string, width: number, ambiguous: AmbiguousWidth, lines: string[]): void {
  let line = ''
  let lineCells = 0
  let gap = ''
  const before = lines.length
  for (const [word] of paragraph.matchAll(/ +|[^ ]+/g)) {
    if (word[0] === ' ') {
      gap = word
      continue
    }
    const size = countCells(word, ambiguous)
    if (lineCells + gap.length + size <= width) {
      line += gap + word
      lineCells += gap.length + size
    } else {
      if (line !== '') lines.push(line)
      const rest = size <= width ? { line: word, used: size } : breakWord(word, width, ambiguous, lines)
      line = rest.line
      lineCells = rest.used
    }
    gap = ''
  }
  if (line !== '' || lines.length === before) lines.push(line)
}

/**
 * Pushes all full lines of a long word to `lines` and returns the rest of the word. A cluster wider than the
 * line becomes a space.
 */
function breakWord(word: string, width: number, ambiguous: AmbiguousWidth, lines: string[]) {
  let line = ''
  let lineCells = 0
  for (const cluster of splitClusters(word, ambiguous)) {
    const fits = cluster.cells <= width
    const size = fits ? cluster.cells : 1
    if (lineCells + size > width) {
      lines.push(line)
      line = ''
      lineCells = 0
    }
    line += fits ? cluster.text : ' '
    lineCells += size
  }
  return { line, used: lineCells }
}
