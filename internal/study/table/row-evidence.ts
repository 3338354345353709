// Evidence of the cells of a row: the part of the document around each quote, with its hashes.
import { fingerprint } from '../../base/fingerprint.ts'
import type { StudyEvidence } from '../log/entries.ts'
import type { RowCell } from '../log/table-entries.ts'
import { containsQuote } from '../verify/quotation.ts'
import { locateQuote, type TableDocument } from './table-document.ts'

/**
 * Largest number of characters of a part of a document that is stored whole. Of a longer part, only the lines
 * with the quote are stored.
 */
const maxExcerpt = 4000

/** Returns the cells with the ids of their evidence, and the evidence. A rejected cell has none. */
export function fileRowEvidence(
  task: string,
  cells: readonly RowCell[],
  document: TableDocument,
): { cells: RowCell[]; evidence: StudyEvidence[] } {
  const evidence: StudyEvidence[] = []
  const filed = cells.map((cell) => {
    const located = cell.state === 'not_found' ? undefined : locateQuote(document, cell.quote)
    if (!located) return cell
    const id = `E${task.slice(1)}.${evidence.length + 1}`
    const excerpt = trimExcerpt(located.excerpt, cell.quote)
    evidence.push({
      id,
      task,
      tool: 'document',
      canonical: document.path,
      locator: located.place,
      sourceSha256: document.sha256,
      excerpt,
      heading: located.heading,
      excerptSha256: fingerprint(excerpt),
    })
    return { ...cell, evidence: id }
  })
  return { cells: filed, evidence }
}

/**
 * Returns a text of at most `maxExcerpt` characters unchanged, and of a longer text only the lines that
 * contain the quote.
 */
function trimExcerpt(text: string, quote: string): string {
  if (text.length <= maxExcerpt) return text
  const lines = text.split('\n')
  const holds = (from: number, to: number) => containsQuote(lines.slice(from, to).join('\n'), quote)
  const from = findLast(0, lines.length - 1, (at) => holds(at, lines.length))
  const trailingCount = findLast(0, lines.length - from - 1, (less) => holds(from, lines.length - less))
  return lines.slice(from, lines.length - trailingCount).join('\n')
}

/** Returns the largest number from `low` to `high` for which the test is true; it is true for `low`. */
function findLast(low: number, high: number, test: (at: number) => boolean): number {
  let first = low
  let last = high
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (test(middle)) first = middle
    else last = middle - 1
  }
  return first
}
