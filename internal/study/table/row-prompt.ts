// Prompt for one row of a table: the question, the columns, and the document or its best passages.
import { spanPlaces } from '../../document/document-place.ts'
import { tokensOf } from '../../model/tokens.ts'
import type { StudyTask } from '../log/entries.ts'
import type { StudyColumn } from '../log/table-entries.ts'
import { listClaimTerms, readTextWords, weighTerm } from '../verify/claim-terms.ts'
import { fenceMaterial } from '../worker/evidence.ts'
import { describeType } from './cell-check.ts'
import type { TableDocument } from './table-document.ts'

/**
 * Largest number of tokens of a document in a prompt. Of a longer document, the prompt contains only
 * the best passages.
 */
export const maxDocumentTokens = 30_000

/** Largest number of characters up to which blocks are joined to one passage. */
const passageChars = 1500

interface DocumentPassage {
  text: string
  place: string
}

/** Returns the first message of a row. The same document always gives the same message. */
export function buildRowPrompt(
  task: StudyTask,
  columns: readonly StudyColumn[],
  question: string,
  document: TableDocument,
): string {
  const selection = choosePassages(document, columns, question)
  const passages = selection.passages.map(
    ({ text, place }, i) => `[evidence E${task.id.slice(1)}.${i + 1}, ${place}]\n${text}`,
  )
  return [
    `Question: ${question}`,
    ['Columns:', ...columns.map((column) => `- ${column.name}: ${describeType(column)}`)].join('\n'),
    `Document ${document.path}${selection.isWhole ? '' : ', only its passages about the columns'}:`,
    fenceMaterial('document', passages.join('\n\n'), []),
  ].join('\n\n')
}

/**
 * Returns all passages of a document if they fit into `maxDocumentTokens`. Otherwise returns as many as fit:
 * the first two, and those with the most terms of the question and the columns. Later passages without such a
 * term are left out.
 */
function choosePassages(
  document: TableDocument,
  columns: readonly StudyColumn[],
  question: string,
): { passages: DocumentPassage[]; isWhole: boolean } {
  const passages = joinBlocks(document)
  const sizes = passages.map(({ text }) => tokensOf(text))
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxDocumentTokens) return { passages, isWhole: true }
  const termLists = [question, ...columns.map(({ name }) => name)].map(listClaimTerms)
  const scored = passages.map(({ text }, i) => {
    const words = readTextWords(text)
    const scores = termLists.map((terms) => terms.reduce((sum, term) => sum + weighTerm(term, words), 0))
    // The first two passages are preferred, because title and abstract often state what a table asks for.
    return { i, score: Math.max(...scores) * 2 + scores.reduce((a, b) => a + b, 0) + (i < 2 ? 100 : 0) }
  })
  let remainingTokens = maxDocumentTokens
  const passageIndexes = new Set<number>()
  for (const { i, score } of scored.sort((a, b) => b.score - a.score || a.i - b.i)) {
    const size = sizes[i] ?? 0
    if (score === 0 || size > remainingTokens) continue
    remainingTokens -= size
    passageIndexes.add(i)
  }
  return { passages: passages.filter((_, i) => passageIndexes.has(i)), isWhole: false }
}

function joinBlocks({ blocks }: TableDocument): DocumentPassage[] {
  const out: DocumentPassage[] = []
  for (const { text, place } of blocks) {
    const last = out.at(-1)
    if (last && last.text.length + text.length < passageChars) {
      last.text += `\n${text}`
      last.place = spanPlaces(last.place, place)
    } else out.push({ text, place })
  }
  return out
}
