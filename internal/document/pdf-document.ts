// Reader of PDF files: paragraphs with their page and lines, headings detected by letter size.
import { countNoun } from '../base/text/count-noun.ts'
import { type PdfPages, readPdfPages } from '../media/pdf.ts'
import { createBlockList, isoDate } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { listPlaces } from './gap-list.ts'
import {
  dropRepeatedLines,
  isHeading,
  type PdfLine,
  paragraphsOf,
  pdfLines,
  usualHeight,
} from './pdf-lines.ts'
import { joinHyphenated } from './pdf-words.ts'
import { collectBlocks, DocumentCut, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

const maxPages = 3_000

export async function readPdfDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const { limits, signal } = budget
  const pdfPages = await readPdfPages(bytes, {
    chars: limits.chars,
    pages: maxPages,
    ms: budget.msLeft(),
    memory: limits.memory,
    signal,
  })
  if (typeof pdfPages === 'string')
    throw new UnreadableDocument(pdfPages === 'it is protected by a password' ? 'it is encrypted' : pdfPages)
  const { pages, dropped } = dropRepeatedLines(pdfPages.runs.map(pdfLines))
  demandLetters(pages)
  const facts = factsOf(pdfPages)
  const list = createBlockList(budget)
  const content = await collectBlocks(list, async () => {
    const usual = usualHeight(pages)
    const words = joinHyphenated(pages)
    for (const [i, page] of pages.entries()) {
      if (i % 20 === 19) await budget.pause()
      for (const lines of paragraphsOf(page)) {
        const level = isHeading(lines, usual) ? headingLevel(lines, usual) : undefined
        list.add(words(lines), () => placeOf(i + 1, lines), level)
      }
    }
    if (pdfPages.runs.length < pdfPages.pages)
      throw new DocumentCut(`the first ${pdfPages.runs.length} of ${pdfPages.pages} pages`)
    return facts
  })
  if (content.blocks.length === 0) throw new UnreadableDocument(describeScan(pdfPages))
  const notes = notesOf(pdfPages, pages, dropped)
  return { ...facts, ...content, notes: notes.length > 0 ? notes : undefined }
}

const unknownLetter = /\ufffd/g

/** Throws UnreadableDocument if more than 80 % of the characters, without spaces, are unknown letters. */
function demandLetters(pages: readonly PdfLine[][]): void {
  const text = pages.flatMap((page) => page.map((line) => line.text.replace(/\s+/g, ''))).join('')
  const unknown = text.match(unknownLetter)?.length ?? 0
  if (unknown > 0 && unknown > text.length * 0.8)
    throw new UnreadableDocument('its fonts do not say which letters they show')
}

const maxDroppedShown = 3

/**
 * Returns notes about text that is missing or doubtful: unknown or spaced letters, pages without text or with
 * missing text, and removed headers and footers.
 */
function notesOf(pdfPages: PdfPages, pages: readonly PdfLine[][], dropped: readonly string[]): string[] {
  const unknown = pages.map((page) => countUnknown(page))
  const sum = unknown.reduce((all, count) => all + count, 0)
  const { lost } = pdfPages
  const spaced = pages.flatMap((page, i) => (hasSpacedLetters(page) ? [i + 1] : []))
  const empty = pdfPages.runs.flatMap((runs, i) => (runs.some(({ text }) => text.trim()) ? [] : [i + 1]))
  const lines = dropped.slice(0, maxDroppedShown).map((text) => `“${text.slice(0, 60)}”`)
  const more = dropped.length > maxDroppedShown ? `, and ${dropped.length - maxDroppedShown} more` : ''
  return [
    ...(sum === 0
      ? []
      : [
          `${countNoun(sum, 'letter')} on ${pageList(unknown.flatMap((n, i) => (n > 0 ? [i + 1] : [])))} ` +
            'shown as \ufffd: the font does not say which letters they are',
        ]),
    ...(spaced.length === 0
      ? []
      : [`letters on ${pageList(spaced)} are spaced apart, so words may be split`]),
    ...(lost ? [`text is missing on page ${lost.page}: ${lost.why}`] : []),
    ...(empty.length === 0 ? [] : [`no text on ${pageList(empty)}: blank or scanned`]),
    ...(lines.length === 0 ? [] : [`left out, since most pages have it: ${lines.join(', ')}${more}`]),
  ]
}

const countUnknown = (page: readonly PdfLine[]) =>
  page.reduce((sum, { text }) => sum + (text.match(unknownLetter)?.length ?? 0), 0)

/**
 * Returns whether a page has at least 40 words in Latin, Greek or Cyrillic letters, most of them single
 * letters. Text recognition and justified headings write words in this way.
 */
function hasSpacedLetters(page: readonly PdfLine[]): boolean {
  const words = page.flatMap(({ text }) => text.split(/\s+/).filter((word) => spacedScript.test(word)))
  return words.length >= 40 && words.filter((word) => word.length === 1).length > words.length / 2
}

const spacedScript = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u

/** Returns `page 3`, or `pages 3, 5, 8 and 2 more`. */
const pageList = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'page' : 'pages'} ${listPlaces(numbers)}`

function describeScan({ pages, runs }: PdfPages): string {
  const many = countNoun(pages, 'scanned page')
  return runs.length < pages ? `no text in the first ${runs.length} of ${many}` : `no text: ${many}`
}

function factsOf({ title, created }: PdfPages): { title?: string; date?: string } {
  const date = isoDate(created)
  return { title, date }
}

/**
 * Returns the heading level by the size of the letters: 1 from 1.6 times the usual size, 2 from 1.3
 * times, else 3.
 */
function headingLevel(lines: readonly PdfLine[], usual: number): number {
  const size = Math.max(...lines.map(({ height }) => height)) / usual
  return size >= 1.6 ? 1 : size >= 1.3 ? 2 : 3
}

function placeOf(page: number, lines: readonly PdfLine[]): string {
  const from = lines[0]?.n ?? 1
  const to = lines.at(-1)?.n ?? 1
  return `page ${page}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}`
}
