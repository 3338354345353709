// Rows by rules: the number, date, choice or statement of each column, in sentences of many forms.
import { expect, it } from 'vitest'
import { parseColumns } from '../../../../internal/study/table/columns.ts'
import { fillRowByRule } from '../../../../internal/study/table/rule-row.ts'

const document = (...texts: string[]) => ({
  path: 'a.txt',
  sha256: '',
  blocks: texts.map((text, i) => ({ text, place: `line ${i + 1}` })),
})

const firstValue = (columns: string | undefined, question: string, ...texts: string[]) => {
  const list = parseColumns(columns)
  const [first] = fillRowByRule(list, question, document(...texts))
  return first?.value
}

const howMany = 'How many were enrolled?'

it.each([
  ['We enrolled 83 women.', '83'],
  ['Of 120 patients screened, 83 were enrolled.', '83'],
  ['In 2019, 83 patients were enrolled.', '83'],
  ['Eighty-three patients were enrolled.', '83'],
  ['We enrolled 1,204 patients at 12 sites.', '1204'],
  ['Patients were 18 years or older. Enrollment ended with 83 patients.', '83'],
  ['Patients (n = 83) were enrolled [12].', '83'],
  ['Patients enrolled: 83; sites: 4', '83'],
  ['Tea was served at 4 pm.', undefined],
  ['Patients were enrolled in spring.', undefined],
])('finds the number in %j', (text, value) => {
  expect(firstValue('patients: number', howMany, ...text.split(/(?<=\.) /))).toBe(value)
})

it.each([
  ['funder', 'Funding came from the Alder Fund.', 'Funding came from the Alder Fund.'],
  ['funder', 'We thank our neighbors.', undefined],
  ['dosage: number', 'We enrolled 83 women.', undefined],
  ['dosage: number', 'The dosage was 20 mg in 83 women.', '20'],
  ['design: rct|cohort study', 'This is a cohort study of tea.', 'cohort study'],
  ['design: rct|cohort', 'An RCT and a cohort were compared.', undefined],
  ['design: rct|cohort', 'Cohorts differ.', undefined],
  ['published: date', 'The paper was published on 4 March 2021.', '2021-03-04'],
  ['published: date', 'The paper was published late.', undefined],
  ['blinded: yes/no', 'The arms were not blinded.', ''],
  [undefined, 'We enrolled 83 women.', 'We enrolled 83 women.'],
  [undefined, 'Nothing of the kind.', undefined],
])('fills %j from %j', (columns, text, value) => {
  expect(firstValue(columns, howMany, text)).toBe(value)
})

it('gives each number column its own number', () => {
  const columns = parseColumns('patients: number; sites: number; age: number')
  const cells = fillRowByRule(
    columns,
    howMany,
    document('We enrolled 83 patients at 12 sites.', 'The mean age was 54.5 years.'),
  )
  expect(cells.map(({ column, value }) => [column, value])).toEqual([
    ['patients', '83'],
    ['sites', '12'],
    ['age', '54.5'],
  ])
})
