// CSV of tables, parsed by an independent reader: any text comes back, and none begins like a formula.
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import type { StudyTable } from '../../../../../internal/study/report/table/study-table.ts'
import { isTableCsv, renderTableCsv } from '../../../../../internal/study/report/table/table-csv.ts'
import { choice, rng } from '../../../../support/rng.ts'

type Row = StudyTable['rows'][number]

const tableOf = (names: readonly string[], rows: readonly Row[]) =>
  ({ columns: names.map((name) => ({ name, type: 'text' })), rows }) as unknown as StudyTable

const filled = (value: string, quote = value, place = 'page 1'): Row['cells'][number] => ({
  column: 'a',
  value,
  quote,
  place,
  state: 'verified',
})
const rowOf = (document: string, cells: Row['cells']): Row => ({ document, sha256: '', cells, why: null })

/** Texts that break naive writers and that spreadsheets would run. */
const hostile = [
  '=1+1',
  '=HYPERLINK("http://x","y")',
  '+1 555',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1+1',
  'a,b',
  'say "no"',
  '"',
  '""',
  'two\nlines',
  'two\r\nlines',
  ' space ',
  'naïve 試験 😀',
  "'quoted",
  ';',
  '',
  '-5',
  '3.14',
]

/** Returns the text that a reader gets: an apostrophe before a formula, and nothing else changed. */
const disarmed = (text: string) =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[-+]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text

const read = (csv: string): string[][] => parse(csv, { relax_column_count: false })

it.each(hostile)('returns the cell %j', (text) => {
  const csv = renderTableCsv(tableOf(['a'], [rowOf(text, [filled(text, text, text)])]))
  expect(read(csv)).toEqual([['document', 'a', 'a_quote', 'a_place'], [text, text, text, text].map(disarmed)])
})

it('returns every cell of random tables', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = rng(seed)
    const text = () =>
      Array.from({ length: Math.floor(random() * 4) }, () => choice(random, hostile)).join('')
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, i) => `column ${i}`)
    const rows = Array.from({ length: Math.floor(random() * 5) }, () =>
      rowOf(
        text(),
        names.map(() => (random() < 0.2 ? null : filled(text() || 'x', text(), text()))),
      ),
    )
    const [head, ...lines] = read(renderTableCsv(tableOf(names, rows)))
    expect(head).toEqual(['document', ...names.flatMap((name) => [name, `${name}_quote`, `${name}_place`])])
    expect(lines, `seed ${seed}`).toEqual(
      rows.map(({ document, cells }) => [
        disarmed(document),
        ...cells.flatMap((cell) =>
          cell ? [cell.value, cell.quote, cell.place].map(disarmed) : ['', '', ''],
        ),
      ]),
    )
  }
})

it('leaves cells empty whose quote was not found', () => {
  const missing = { ...filled('83'), state: 'not_found' } as Row['cells'][number]
  expect(read(renderTableCsv(tableOf(['a'], [rowOf('x.pdf', [missing])])))[1]).toEqual(['x.pdf', '', '', ''])
})

it('recognizes tables of studies, and no other CSV', () => {
  expect(isTableCsv(renderTableCsv(tableOf(['a', 'b c'], [])))).toBe(true)
  for (const other of [
    '',
    'document\r\n',
    'document,price\r\nx,3\r\n',
    'document,a,b,c\r\n',
    'name,a,a_quote,a_place\r\n',
  ])
    expect(isTableCsv(other)).toBe(false)
})
