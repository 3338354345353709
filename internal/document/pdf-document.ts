// A PDF as a document: paragraphs with their page and lines, headings by the size of their letters.
import { countNoun } from '../base/text/count-noun.ts'
import { type PdfPages, readPdfPages } from '../media/pdf.ts'
import { createBlockList, isoDate } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
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
  const found = await readPdfPages(bytes, {
    chars: limits.chars,
    pages: maxPages,
    ms: budget.msLeft(),
    memory: limits.memory,
    signal,
  })
  if (typeof found === 'string')
    throw new UnreadableDocument(found === 'it is protected by a password' ? 'it is encrypted' : found)
  const pages = dropRepeatedLines(found.runs.map(pdfLines))
  const facts = factsOf(found)
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
    if (found.runs.length < found.pages)
      throw new DocumentCut(`the first ${found.runs.length} of ${found.pages} pages`)
    return facts
  })
  if (content.blocks.length === 0) throw new UnreadableDocument(describeScan(found))
  return { ...facts, ...content }
}

function describeScan({ pages, runs }: PdfPages): string {
  const many = countNoun(pages, 'scanned page')
  return runs.length < pages ? `no text in the first ${runs.length} of ${many}` : `no text: ${many}`
}

function factsOf({ title, created, lost }: PdfPages): Omit<DocumentContent, 'blocks'> {
  const date = isoDate(created)
  const notes = lost && [`text is missing on page ${lost.page}: ${lost.why}`]
  return {
    ...(title !== undefined && { title }),
    ...(date !== undefined && { date }),
    ...(notes && { notes }),
  }
}

/** Sizes in steps of a tenth: the larger, the higher the heading stands. */
function headingLevel(lines: readonly PdfLine[], usual: number): number {
  const size = Math.max(...lines.map(({ height }) => height)) / usual
  return size >= 1.6 ? 1 : size >= 1.3 ? 2 : 3
}

function placeOf(page: number, lines: readonly PdfLine[]): string {
  const [from, to] = [lines[0]?.n ?? 1, lines.at(-1)?.n ?? 1]
  return `page ${page}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}`
}
