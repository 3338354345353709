// The conversion of document text into blocks.
import { expect, test } from 'vitest'
import {
  cleanText,
  createBlockList,
  formatRow,
  isoDate,
  namesColumns,
} from '../../../internal/document/block-list.ts'
import { createReadingBudget, documentLimits } from '../../../internal/document/reading-budget.ts'

test('headings form a path, and white space adds no block', () => {
  const list = createBlockList(createReadingBudget(documentLimits, new AbortController().signal))
  const place = () => `paragraph ${list.blocks.length + 1}`
  list.add(' One ', place, 1)
  list.add('Two', place, 2)
  list.add(' \n ', place)
  list.add('text', place)
  list.add('Three', place, 2)
  expect(list.blocks).toEqual([
    { text: 'One', place: 'paragraph 1', heading: 'One' },
    { text: 'Two', place: 'paragraph 2', heading: 'One > Two' },
    { text: 'text', place: 'paragraph 3', heading: 'One > Two' },
    { text: 'Three', place: 'paragraph 4', heading: 'One > Three' },
  ])
})

test.each([
  ['2024-01-31', '2024-01-31'],
  ['2024-01-31T10:00:00Z', '2024-01-31'],
  ['2024-01', '2024-01'],
  [' 1999 ', '1999'],
  ['D:20230914101500Z', '2023-09-14'],
  ['D:2023', '2023'],
  ['2024-13-40', undefined],
  ['2024-02-29', '2024-02-29'],
  ['2024-02-30', undefined],
  ['2023-02-29', undefined],
  ['D:20230431', undefined],
  ['2024-11-31T10:00:00Z', undefined],
  ['0000-00-00', undefined],
  ['last Tuesday', undefined],
  [undefined, undefined],
])('the date %j is %j', (stated, iso) => expect(isoDate(stated)).toBe(iso))

test.each([
  [['site', 'depth'], true],
  [['site', '4 m'], false],
  [['site', ''], false],
  [['site'], false],
  [['2 h', '58.4 %'], false],
])('%j has column names: %s', (cells, named) => expect(namesColumns(cells)).toBe(named))

test('rows contain the names of their columns', () => {
  expect(formatRow(['A3', '', ' 4\n m '], ['site', 'note', 'depth'])).toBe('site: A3; depth: 4 m')
  expect(formatRow(['A3', 'more'], ['site'])).toBe('site: A3; more')
  expect(formatRow(['A3', '', '4 m'], undefined)).toBe('A3 | 4 m')
})

test('removes control and invisible characters from text', () => {
  expect(cleanText('a\r\nb\u00ad\u200bc\u202e \u00a0 d\0\x1b[1m')).toBe('a\nbc d[1m')
})
