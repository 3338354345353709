// Tokens by kind: the parts add up to the whole input.
import { expect, test } from 'vitest'
import { cachedShare, formatTokenKinds, splitTokens } from '../../../../internal/base/text/token-kinds.ts'

test.each([
  [{ input: 100, output: 5 }, [100, 0, 0, 5], 0],
  [{ input: 100, output: 5, cached: 60, cacheWrite: 30 }, [10, 60, 30, 5], 0.6],
  // a provider that counts cached tokens separately from the input
  [{ input: 10, output: 0, cached: 60 }, [0, 60, 0, 0], 1],
  [{ input: 0, output: 0 }, [0, 0, 0, 0], undefined],
])('splits the usage %j by kind', (usage, kinds, share) => {
  const split = splitTokens(usage)
  expect(Object.values(split)).toEqual(kinds)
  expect(cachedShare(split)).toBe(share)
})

test('lists all four kinds, also those that are 0', () => {
  const kinds = splitTokens({ input: 1200, output: 5, cached: 1000 })
  expect(formatTokenKinds(kinds)).toBe('200 fresh, 1000 cache read, 0 cache write, 5 output')
  expect(formatTokenKinds(kinds, (n) => `${n / 1000}k`)).toContain('1k cache read')
})
