// Words in runs of one style, and citations as numbers.
import { expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { citeInWords, splitTextRuns } from '../../../../internal/study/report/text-runs.ts'
import { reported } from '../../../support/study.ts'

it.each([
  ['plain', [['plain', 'plain']]],
  ['', []],
  ['**all**', [['bold', 'all']]],
  [
    'a **b** `c` d',
    [
      ['plain', 'a '],
      ['bold', 'b'],
      ['plain', ' '],
      ['code', 'c'],
      ['plain', ' d'],
    ],
  ],
  ['src/**/x and 2 ** 3', [['plain', 'src/**/x and 2 ** 3']]],
  ['`**no**`', [['code', '**no**']]],
])('%j', (words, runs) => {
  expect(splitTextRuns(words).map(({ style, text }) => [style, text])).toEqual(runs)
})

it('cites by the number of the source, and says what is not verified', () => {
  const state = reported()
  state.verdicts.delete('C1.2')
  expect(citeInWords(documentOf(state), 'So  it is [C1.1, C1.2]; and\x1b[31m [C9.9].')).toBe(
    'So it is [1, 2 not verified]; and [no source].',
  )
})
