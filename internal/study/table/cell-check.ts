// Check of a table's cell: the value has the form of its column, the quote is in the document, and the quote
// contains the number or date.
import { once } from '../../base/once.ts'
import { listDates } from '../../text-analysis/sentence-values.ts'
import type { RowCell, StudyColumn } from '../log/table-entries.ts'
import { isSameAmount, listAmounts } from '../verify/claim-amounts.ts'
import { judgeClaim } from '../verify/claim-state.ts'
import { answerName } from './columns.ts'
import { locateQuote, type TableDocument } from './table-document.ts'

/** A cell as a worker answers it. */
export interface AnsweredCell {
  value: string
  quote: string
}

interface CheckedCell {
  cell: RowCell
  /** Reason why the cell is rejected, as a text for the worker; undefined if it is accepted. */
  fault?: string
}

/** Checks a cell. A rejected cell has the state `not_found`, any other one `verified` or `quoted`. */
export function checkCell(
  column: StudyColumn,
  { value, quote }: AnsweredCell,
  question: string,
  document: TableDocument,
): CheckedCell {
  const { name } = column
  const reject = (fault: string): CheckedCell => ({
    cell: { column: name, value, quote, place: '', state: 'not_found' },
    fault,
  })
  const read = readValue(column, value)
  if (read === undefined) return reject(`its value is not ${describeType(column)}`)
  const located = quote.trim() === '' ? undefined : locateQuote(document, quote)
  if (!located) return reject('its quote is not in the document')
  const { place, excerpt, heading } = located
  const cell = (state: RowCell['state']): RowCell => ({ column: name, value: read, quote, place, state })
  const missing = describeMissing(column, value, read, quote)
  if (missing !== undefined) return { cell: cell('not_found'), fault: missing }
  const quoted = { quote, excerpt, heading, path: document.path }
  const isVerified = judgeClaim(claimOf(column, read, question), [quoted]) === 'verified'
  return { cell: cell(isVerified ? 'verified' : 'quoted') }
}

/**
 * Returns what a cell claims: a text or a choice as it is, any other value together with the name of its
 * column, or with the question for the column `answer`.
 */
function claimOf({ name, type }: StudyColumn, value: string, question: string): string {
  if (type === 'text' || type === 'choice') return value
  return name === answerName ? `${question} ${value}` : `${name} ${value}`
}

/**
 * Returns the reason why a quote does not fit its value, because the number or date is missing in it;
 * undefined if it fits.
 */
function describeMissing(
  { type }: StudyColumn,
  written: string,
  value: string,
  quote: string,
): string | undefined {
  if (type === 'number' && !holdsNumber(quote, written, value)) return 'its number is not in its quote'
  if (type === 'date' && !holdsDate(quote, value)) return 'its date is not in its quote'
  return undefined
}

/** Returns whether a quote contains the number, as digits or as words. */
function holdsNumber(quote: string, written: string, value: string): boolean {
  const theirs = listAmounts(quote, true)
  const ours = [...listAmounts(written), ...listAmounts(value.replace(/^-/, ''))]
  if (ours.some((amount) => theirs.some((other) => isSameAmount(amount, other)))) return true
  return listNumbers(quote).some(({ value: other }) => other === value)
}

/** Returns whether a quote contains the date. A month or a year may be a part of a longer date. */
const holdsDate = (quote: string, value: string): boolean =>
  listDates(quote).some(({ iso }) => iso === value || iso.startsWith(`${value}-`))

/**
 * Returns the value in the form of the column; undefined if it is empty or cannot be converted to that form.
 */
export function readValue({ type, choices = [] }: StudyColumn, value: string): string | undefined {
  const plain = value.trim()
  if (plain === '') return undefined
  switch (type) {
    case 'text':
      return plain
    case 'number': {
      const [first] = listNumbers(plain)
      const rest = first ? plain.slice(0, first.at) + plain.slice(first.at + first.length) : plain
      return first && /^\s*[\p{L}%°$€£/ ]{0,16}$/u.test(rest) ? first.value : undefined
    }
    case 'date':
      return listDates(plain)[0]?.iso
    case 'yes/no':
      return /^(?:yes|true)\b/i.test(plain) ? 'yes' : /^(?:no|false)\b/i.test(plain) ? 'no' : undefined
    case 'choice':
      return choices.find((choice) => choice.toLowerCase() === plain.toLowerCase())
  }
}

/** Describes the form of a column's values for a worker. */
export function describeType({ type, choices = [] }: StudyColumn): string {
  switch (type) {
    case 'text':
      return 'a short text'
    case 'number':
      return 'a number'
    case 'date':
      return 'a date in ISO form (2021-03-04, 2021-03 or 2021)'
    case 'yes/no':
      return 'yes or no'
    case 'choice':
      return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  }
}

interface WrittenNumber {
  /** Value of the number in digits, with a point: `1204`, `49.7`. */
  value: string
  at: number
  length: number
}

const digits = /(?<![\p{L}\d_])[-−]?(?:\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?/gu

const words = once(() => {
  const small =
    'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|' +
    'seventeen|eighteen|nineteen'
  const tens =
    '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|' +
    'six|seven|eight|nine))?'
  return new RegExp(`\\b(?:${tens}|${small})(?: (?:hundred|thousand|million))?\\b(?!-\\p{L})`, 'giu')
})

/** Returns the numbers from two on that a text contains in words. */
export function listWordNumbers(text: string): WrittenNumber[] {
  return [...text.matchAll(words())].flatMap((match): WrittenNumber[] => {
    const [amount] = listAmounts(match[0], true)
    return amount ? [{ value: String(amount.value), at: match.index, length: match[0].length }] : []
  })
}

/** Returns the numbers that a text contains in digits. */
export function listNumbers(text: string): WrittenNumber[] {
  return [...text.matchAll(digits)].map((match) => {
    const value = match[0].replace('−', '-').replace(/[,\u00a0\u202f]/g, '')
    return { value: String(Number(value)), at: match.index, length: match[0].length }
  })
}
