// Offers of a waiting call: a list, one alone as in old records, and none; parts by their numbers.
import { expect, it } from 'vitest'
import {
  describePartDenial,
  listOfferChoices,
  readOffers,
  readPartNumbers,
} from '../../../internal/session/permission-offers.ts'

const rule = { tool: 'bash', action: 'allow', command: 'ls' }

it.each([
  [
    [{ rule, covers: 'ls -a too' }, { rule }],
    ['ls -a too', ''],
  ],
  [{ rule, covers: 'all' }, ['all']],
  [undefined, []],
])('%j', (always, covers) => {
  const offers = readOffers({ always })
  expect(offers.map((offer) => offer.covers)).toEqual(covers)
  for (const offer of offers) expect(offer.rule).toEqual(rule)
})

it('offers all rules together, or each rule alone', () => {
  expect([0, 1, 3].map(listOfferChoices)).toEqual([[], [[0]], [[0, 1, 2], [0], [1], [2]]])
})

it('describes denied parts by name, and accepts only numbers of existing parts', () => {
  const parts = ['cat a', 'rm b'].map((name) => ({ name, action: 'ask' as const, why: '' }))
  expect(describePartDenial(parts, [1])).toBe('because of: rm b; the other parts may run without it')
  expect(describePartDenial(parts, [0, 1])).toBe('because of: cat a; rm b')
  expect(readPartNumbers('1, 2', 2)).toEqual([0, 1])
  for (const words of ['0', '3', '1 3', 'two', '2 files', ''])
    expect(readPartNumbers(words, 2)).toBeUndefined()
})
