// A table as CSV by RFC 4180. Spreadsheets do not run any of its text as a formula.
import { isFilled, type StudyTable } from './study-table.ts'

/**
 * Returns the CSV: `document`, then `NAME,NAME_quote,NAME_place` for each column, all three empty for a
 * rejected or missing cell. If any document was not read, the last column `why` has the reason. Lines end
 * in CR LF.
 */
export function renderTableCsv({ columns, rows }: StudyTable): string {
  const isWhole = rows.every(({ why }) => why === null)
  const names = columns.flatMap(({ name }) => [name, `${name}_quote`, `${name}_place`])
  const head = isWhole ? names : [...names, 'why']
  const lines = rows.map(({ document, cells, why }) => [
    document,
    ...cells.flatMap((cell) => {
      if (cell === null || cell.state === 'not_found') return ['', '', '']
      return [isFilled(cell) ? cell.value : '', cell.quote, cell.place]
    }),
    ...(isWhole ? [] : [why ?? '']),
  ])
  return [['document', ...head], ...lines].map((line) => `${line.map(writeField).join(',')}\r\n`).join('')
}

/** Matches characters with which a text begins that a spreadsheet would read as a formula. */
const formula = /^[=+\-@\t\r＝＋－＠]/
const plainNumber = /^[-+]?\d+(?:\.\d+)?$/

/**
 * Returns a field of the CSV. Text that begins like a formula gets an apostrophe before it; a number
 * stays a number.
 */
function writeField(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns whether the first line of a text has the column names of a table that a study writes. */
export const isTableCsv = (text: string): boolean => {
  const [head = ''] = text.split('\r\n', 1)
  return /^document,.+/.test(head) && /^document(?:,[^,"]+,[^,"]+_quote,[^,"]+_place)+(?:,why)?$/.test(head)
}
