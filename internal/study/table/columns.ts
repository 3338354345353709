// Parser of a table's columns on the command line: `patients: number; design: rct|cohort; funder`.
import { UserError } from '../../base/errors.ts'
import type { StudyColumn } from '../log/table-entries.ts'

/** Name of the only column in a table without `--columns`. */
export const answerName = 'answer'

/** Largest number of columns of a table. More columns are an error. */
const maxColumns = 40

const plainTypes = ['text', 'number', 'date', 'yes/no'] as const
const columnName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _-]{0,39}$/u
const hint = 'for example --columns "patients: number; design: rct|cohort; funder"'

/**
 * Parses the columns; without a text, returns the column `answer`. Throws UserError for an invalid or
 * repeated name, for an unknown type, and for no column or more than `maxColumns`.
 */
export function parseColumns(text: string | undefined): StudyColumn[] {
  if (text === undefined) return [{ name: answerName, type: 'text' }]
  const parts = text.split(';').map((part) => part.trim())
  if (parts.at(-1) === '') parts.pop()
  if (parts.length === 0) throw new UserError('--columns has no column', { hint })
  if (parts.length > maxColumns)
    throw new UserError(`--columns has ${parts.length} columns, at most ${maxColumns} are allowed`, { hint })
  const columns = parts.map(parseColumn)
  refuseRepeated(columns.map(({ name }) => name))
  return columns
}

function parseColumn(part: string): StudyColumn {
  const at = part.indexOf(':')
  const name = (at < 0 ? part : part.slice(0, at)).trim().replace(/\s+/g, ' ')
  const type = at < 0 ? 'text' : part.slice(at + 1).trim()
  if (!columnName.test(name))
    throw new UserError(`--columns: invalid column name "${name}"`, {
      hint: 'a name has up to 40 letters, digits, spaces, - and _',
    })
  const plain = plainTypes.find((one) => one === type.toLowerCase())
  if (plain) return { name, type: plain }
  const choices = type.split('|').map((choice) => choice.trim())
  const isList = choices.length > 1 && choices.every((choice) => choice !== '')
  const folded = new Set(choices.map((choice) => choice.toLowerCase()))
  if (isList && folded.size === choices.length) return { name, type: 'choice', choices }
  throw new UserError(`--columns: column "${name}" has the unknown type "${type}"`, {
    hint: 'types are text, number, date, yes/no, or a list of values such as rct|cohort',
  })
}

/** Throws UserError if two headings of the table would have the same name. */
function refuseRepeated(names: readonly string[]): void {
  const headings = new Set(['document', 'why'])
  for (const name of names) {
    for (const heading of [name, `${name}_quote`, `${name}_place`].map((one) => one.toLowerCase())) {
      if (headings.has(heading))
        throw new UserError(`--columns: column "${name}" repeats the heading "${heading}"`, {
          hint: 'give each column another name',
        })
      headings.add(heading)
    }
  }
}
