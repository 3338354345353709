// Columns of a table: types, names and the errors that name the column.
import { expect, it } from 'vitest'
import { parseColumns } from '../../../../internal/study/table/columns.ts'

it('reads all types', () => {
  expect(
    parseColumns('patients: number; design: rct | cohort;first  visit: DATE; blind: yes/no; funder;'),
  ).toEqual([
    { name: 'patients', type: 'number' },
    { name: 'design', type: 'choice', choices: ['rct', 'cohort'] },
    { name: 'first visit', type: 'date' },
    { name: 'blind', type: 'yes/no' },
    { name: 'funder', type: 'text' },
  ])
  expect(parseColumns(undefined)).toEqual([{ name: 'answer', type: 'text' }])
})

it.each([
  ['', 'no column'],
  [';', 'invalid column name ""'],
  ['a;;b', 'invalid column name ""'],
  ['=cmd', 'invalid column name "=cmd"'],
  ['__proto__', 'invalid column name'],
  ['a,b', 'invalid column name'],
  [`${'x'.repeat(41)}`, 'invalid column name'],
  ['a: int', 'column "a" has the unknown type "int"'],
  ['a: x|x', 'column "a" has the unknown type'],
  ['a: x|X', 'column "a" has the unknown type'],
  ['a: ', 'column "a" has the unknown type ""'],
  ['a; b; A', 'column "A" repeats the heading "a"'],
  ['a_quote; a', 'column "a" repeats the heading "a_quote"'],
  [Array.from({ length: 41 }, (_, i) => `c${i}`).join(';'), 'at most 40'],
])('rejects %j', (text, message) => {
  expect(() => parseColumns(text)).toThrow(message)
})
