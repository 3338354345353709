// Lines and paragraphs of PDF pages, built from runs of characters and their positions.
import type { PdfTextRun } from '../media/pdf-thread.ts'

/** A line of a page; `n` counts the lines with text, from 1. */
export interface PdfLine {
  n: number
  text: string
  x: number
  y: number
  height: number
}

/**
 * Returns lines: runs at nearly one height form a line, and a gap between runs is a space. A small raised
 * figure follows a `^`, and text drawn twice appears once.
 */
export function pdfLines(runs: readonly PdfTextRun[]): PdfLine[] {
  const isDrawn = createDuplicateFinder()
  const lines: PdfLine[] = []
  let line: PdfLine | undefined
  let begin = 0
  let end = 0
  const finish = () => {
    if (line && line.text.trim() !== '') lines.push({ ...line, n: lines.length + 1, text: line.text.trim() })
    line = undefined
  }
  for (const run of runs) {
    const { x, y, width, height, endsLine } = run
    const text = isDrawn(run) ? '' : run.text
    const size = height || line?.height || 0
    const isOver = Math.min(end, x + width) - Math.max(begin, x) > size && text.trim().length > 1
    if (line && text !== '' && (isOver || Math.abs(y - line.y) > Math.max(line.height, size) * 0.6)) finish()
    if (text !== '') {
      line ??= { n: 0, text: '', x, y, height: 0 }
      const least = Math.max(size, line.height) * 0.15
      // in text from right to left the next run is to the left
      const gap = line.text !== '' && (x - end > least || begin - (x + width) > least)
      if (gap && !/\s$/.test(line.text) && !/^\s/.test(text)) line.text += ' '
      else if (isRaised(line, text, { y, height })) line.text += '^'
      line.text += text
      // a footnote's small figure does not make the line smaller
      if (text.trim() !== '') line.height = Math.max(line.height, height)
      begin = x
      end = x + width
    }
    if (endsLine) finish()
  }
  finish()
  return lines
}

/**
 * Returns a detector of duplicates: the same text at nearly the same position, which some programs draw for
 * bold. Single characters never count as duplicates.
 */
function createDuplicateFinder(): (run: PdfTextRun) => boolean {
  const drawn = new Map<string, { x: number; y: number }[]>()
  return ({ text, x, y, height }) => {
    if (text.trim().length < 2) return false
    const near = height * 0.15
    const places = drawn.get(text)
    if (places?.some((place) => Math.abs(place.x - x) < near && Math.abs(place.y - y) < near)) return true
    if (places) places.push({ x, y })
    else drawn.set(text, [{ x, y }])
    return false
  }
}

/**
 * Returns whether text is a small figure raised above the line after a letter, figure or closing bracket.
 * `10` with a raised `6` must not become `106`.
 */
function isRaised(line: PdfLine, text: string, { y, height }: { y: number; height: number }): boolean {
  const isSmall = height > 0 && height < line.height * 0.85 && y - line.y > line.height * 0.15
  return isSmall && /^[-+−]?\p{N}/u.test(text) && /[\p{L}\p{N})]$/u.test(line.text)
}

/**
 * Removes headers and footers: first or last two lines that are on more than half of the pages of a document
 * with at least four pages; their numbers may differ. A page with no other lines is unchanged. `dropped`
 * lists each line once.
 */
export function dropRepeatedLines(pages: readonly PdfLine[][]): { pages: PdfLine[][]; dropped: string[] } {
  if (pages.length < 4) return { pages: pages.map((page) => [...page]), dropped: [] }
  const count = new Map<string, number>()
  const edges = (page: readonly PdfLine[]) => [...new Set([...page.slice(0, 2), ...page.slice(-2)])]
  for (const page of pages)
    for (const key of new Set(edges(page).map(maskNumbers))) count.set(key, (count.get(key) ?? 0) + 1)
  const dropped = new Map<string, string>()
  const rest = pages.map((page) => {
    const isRepeated = (line: PdfLine) => (count.get(maskNumbers(line)) ?? 0) > pages.length / 2
    const isEdge = new Set(edges(page))
    if (page.every((line) => isEdge.has(line) && isRepeated(line))) return [...page]
    return page.filter((line) => {
      const key = maskNumbers(line)
      if (!isEdge.has(line) || !isRepeated(line)) return true
      dropped.set(key, dropped.get(key) ?? line.text)
      return false
    })
  })
  return { pages: rest, dropped: [...dropped.values()] }
}

const maskNumbers = ({ text }: PdfLine) => text.replace(/\d+/g, '#')

/** Returns the height of most letters, rounded to half a unit; 1 without text. */
export function usualHeight(pages: readonly PdfLine[][]): number {
  const letters = new Map<number, number>()
  for (const { height, text } of pages.flat()) {
    const step = Math.round(height * 2) / 2
    letters.set(step, (letters.get(step) ?? 0) + text.length)
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] || 1
}

const maxHeadingLines = 3
const maxHeadingChars = 160

/**
 * Returns whether the lines are a heading: at most three lines and 160 characters, with at least two
 * adjacent letters, and without a period, comma or semicolon at the end. Each line has to be at least 12 %
 * higher than `usual`.
 */
export function isHeading(lines: readonly PdfLine[], usual: number): boolean {
  const text = lines.map((line) => line.text).join(' ')
  if (lines.length > maxHeadingLines || text.length > maxHeadingChars || !/\p{L}{2}/u.test(text)) return false
  return lines.every(({ height }) => height >= usual * 1.12) && !/[.,;]$/.test(text)
}

/**
 * Groups lines into paragraphs of at most `maxParagraphLines`. A wider gap or another letter size begins a
 * paragraph. Another column does too, unless the previous line ends in a small letter or a hyphen.
 */
export function paragraphsOf(lines: readonly PdfLine[]): PdfLine[][] {
  const paragraphs: PdfLine[][] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    const current = paragraphs.at(-1)
    if (!before || !current || startsParagraph(before, line, current)) paragraphs.push([line])
    else current.push(line)
  }
  return paragraphs
}

const maxParagraphLines = 40

function startsParagraph(before: PdfLine, line: PdfLine, current: readonly PdfLine[]): boolean {
  const size = Math.max(before.height, line.height, 1)
  const drop = before.y - line.y
  if (current.length >= maxParagraphLines || Math.abs(before.height - line.height) > size * 0.12) return true
  // a line above the previous one begins the next column
  if (drop < 0) return !/[\p{Ll}-]$/u.test(before.text)
  const pitch = current.length > 1 ? (current[0] as PdfLine).y - before.y : 0
  const usual = pitch > 0 ? pitch / (current.length - 1) : size * 1.5
  return drop > Math.max(usual * 1.25, size * 1.2)
}
