// Cells of a table: the form of the value, the quote, and numbers that must be in their quote.
import { expect, it } from 'vitest'
import type { StudyColumn } from '../../../../internal/study/log/table-entries.ts'
import { checkCell, readValue } from '../../../../internal/study/table/cell-check.ts'

const document = {
  path: 'a.pdf',
  sha256: '',
  blocks: [
    { text: 'In total 1,204 patients were enrolled on\n4 March 2021.', place: 'page 1, lines 1-2' },
    { text: 'The work was funded by the Alder Fund.', place: 'page 1, line 4' },
    { text: 'Fourteen sites took part. Ages were 40–62 years.', place: 'page 2, line 1' },
  ],
}
const column = (type: StudyColumn['type'], name = 'patients'): StudyColumn =>
  type === 'choice' ? { name, type, choices: ['RCT', 'cohort'] } : { name, type }

const enrolled = 'In total 1,204 patients were enrolled on 4 March 2021.'

it.each([
  ['number', '1204', enrolled, 'verified', '1204'],
  ['number', '1,204 patients', enrolled, 'verified', '1204'],
  ['number', '14', 'Fourteen sites took part.', 'quoted', '14'],
  ['number', '1205', enrolled, 'not_found', '1205'],
  ['number', '204', enrolled, 'not_found', '204'],
  ['number', 'many', enrolled, 'not_found', 'many'],
  ['number', '1204', 'In total 1204 patients were enrolled.', 'not_found', '1204'],
  ['number', '1204', '', 'not_found', '1204'],
  ['date', '2021-03-04', enrolled, 'verified', '2021-03-04'],
  ['date', 'March 2021', enrolled, 'verified', '2021-03'],
  ['date', '2021-03-05', enrolled, 'not_found', '2021-03-05'],
  ['text', 'Alder Fund', 'The work was funded by the Alder Fund.', 'verified', 'Alder Fund'],
  ['text', 'Alder Fund', 'The work was paid by the Alder Fund.', 'not_found', 'Alder Fund'],
  ['choice', 'rct', enrolled, 'quoted', 'RCT'],
  ['choice', 'case study', enrolled, 'not_found', 'case study'],
  ['yes/no', 'Yes', enrolled, 'verified', 'yes'],
  ['yes/no', 'perhaps', enrolled, 'not_found', 'perhaps'],
] as const)('%s %j from %j is %s', (type, value, quote, state, stored) => {
  const { cell, fault } = checkCell(
    column(type),
    { value, quote },
    'How many patients were enrolled?',
    document,
  )
  expect(cell).toMatchObject({ state, value: stored })
  expect(fault === undefined).toBe(state !== 'not_found')
})

it('finds quotes that continue in the next block, and states their position', () => {
  const quote = '4 March 2021. The work was funded by the Alder Fund.'
  const { cell } = checkCell(column('text', 'funder'), { value: 'Alder Fund', quote }, 'Who?', document)
  expect(cell).toMatchObject({ state: 'verified', place: 'page 1, lines 1-4' })
})

it.each([
  ['-3.50', '-3.5'],
  ['12 %', '12'],
  ['€ 30', '30'],
  ['3 to 5', undefined],
  ['1 204', undefined],
  ['', undefined],
])('reads the number %j as %j', (value, number) => {
  expect(readValue(column('number'), value)).toBe(number)
})
