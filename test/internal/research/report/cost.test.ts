// Costs of experiments: added up without making an unknown price one of nothing, and named by kind.
import { expect, test } from 'vitest'
import { addCosts, costWords, experimentCost, noCost } from '../../../../internal/research/report/cost.ts'
import { statusLines } from '../../../../internal/research/report/status-lines.ts'
import { lines, viewOf } from './sample.ts'

const spent = experimentCost({ input: 1000, cached: 900, cacheWrite: 60, output: 20, usd: 0.5 })
const unknown = experimentCost({ input: 10, output: 1, usd: null })

test('an unknown price makes the sum unknown, whichever comes first', () => {
  expect(addCosts(addCosts(noCost, spent), unknown).usd).toBeNull()
  expect(addCosts(unknown, spent).usd).toBeNull()
  expect(addCosts(spent, spent)).toEqual({
    usd: 1,
    tokens: 2040,
    fresh: 80,
    cache_read: 1800,
    cache_write: 120,
    output: 40,
  })
})

test.each([
  [noCost, ''],
  [{ usd: 0.5, tokens: 30 }, '30 tokens, $0.5000'],
  [spent, '1020 tokens, $0.5000 (40 fresh, 900 cache read, 60 cache write, 20 output)'],
  [unknown, '11 tokens, cost unknown (10 fresh, 0 cache read, 0 cache write, 1 output)'],
  [
    { usd: 0, tokens: 3, stand_ins: ['b/two'] },
    '3 tokens, $0.0000; b/two replied where the model named could not',
  ],
])('%j', (cost, words) => expect(costWords(cost)).toBe(words))

test('the status of a session whose price is unknown never says $0', () => {
  const paid = lines.map((line) => (line.type === 'run' ? { ...line, cost: unknown } : line))
  const text = statusLines(viewOf(paid), true).join('\n')
  expect(text).toContain('cost unknown')
  expect(text).not.toContain('$0.0000')
})

test('models that took over are named once', () => {
  const one = experimentCost({ input: 1, output: 1, usd: 0 }, ['b/two', 'b/two'])
  expect(one.stand_ins).toEqual(['b/two'])
  expect(addCosts(addCosts(noCost, one), one).stand_ins).toEqual(['b/two'])
  expect(addCosts(noCost, noCost)).not.toHaveProperty('stand_ins')
})
