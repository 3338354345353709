// Reader of the response for one row: its cells are checked against the document, and the worker gets a note
// about rejected ones.
import { isObject } from '../../base/untrusted-json.ts'
import { findJsonObject } from '../../text-analysis/json-object.ts'
import type { RowCell, StudyColumn } from '../log/table-entries.ts'
import { type AnsweredCell, checkCell } from './cell-check.ts'
import type { TableDocument } from './table-document.ts'

type RowAnswer = ReadonlyMap<string, AnsweredCell>

/** Matches values which mean that the document states nothing. */
const noValue =
  /^(?:n\/?a|none|null|unknown|unclear|not (?:stated|reported|given|available|specified)|[-–—]?)\.?$/i

/**
 * Returns the cells of a response by column, without unknown columns and without values such as `n/a`.
 * Undefined if the response contains no object with a row.
 */
export function readRowAnswer(reply: string, columns: readonly StudyColumn[]): RowAnswer | undefined {
  const replyObject = findJsonObject(reply, ['row'])
  const row = replyObject && 'row' in replyObject ? replyObject.row : undefined
  if (!isObject(row)) return undefined
  const cells = new Map<string, AnsweredCell>()
  for (const [key, answer] of Object.entries(row)) {
    const column = columns.find(({ name }) => name.toLowerCase() === key.trim().toLowerCase())
    const cell = column && readCell(answer)
    if (cell) cells.set(column.name, cell)
  }
  return cells
}

function readCell(answer: unknown): AnsweredCell | undefined {
  const { value, quote } = isObject(answer)
    ? (answer as Partial<Record<string, unknown>>)
    : { value: answer, quote: '' }
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : readText(value)
  if (text === undefined || noValue.test(text)) return undefined
  return { value: text, quote: readText(quote) ?? '' }
}

/** Largest number of characters of a value or a quote. A longer text is cut. */
const maxText = 4000

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, maxText) : undefined

interface CheckedRow {
  cells: RowCell[]
  /** One text about each rejected cell, for the worker. */
  faults: string[]
}

/** Checks the cells in the responses for one row. A later response replaces the cells that it contains. */
export function checkRow(
  answers: readonly RowAnswer[],
  columns: readonly StudyColumn[],
  question: string,
  document: TableDocument,
): CheckedRow {
  const joined = new Map(answers.flatMap((answer) => [...answer]))
  const cells: RowCell[] = []
  const faults: string[] = []
  for (const column of columns) {
    const answer = joined.get(column.name)
    if (!answer) continue
    const { cell, fault } = checkCell(column, answer, question, document)
    cells.push(cell)
    if (fault !== undefined) faults.push(`${column.name}: ${fault}.`)
  }
  return { cells, faults }
}

const noteEnd = 'Reply with the corrected cells only; {"row": {}} leaves them empty.'

/** Returns true if a note in the record is about rejected cells, or about a missing row. */
export const isRowNote = (note: string): boolean => note.endsWith(noteEnd) || note === missingRowNote

/** Returns the note about rejected cells; undefined if all cells are accepted. */
export function writeRowNote({ cells, faults }: CheckedRow): string | undefined {
  if (faults.length === 0) return undefined
  const holding = cells.length - faults.length
  return [
    `${holding} of ${cells.length} ${cells.length === 1 ? 'cell holds' : 'cells hold'}.`,
    ...faults,
    noteEnd,
  ].join(' ')
}

/** Note to the worker if its response contains no row. */
export const missingRowNote =
  'That is not the JSON object of the row. Reply with {"row": {…}} and nothing else; {"row": {}} ' +
  'if the document states none of the columns.'
