// Guard expressions and what breaks one.
import { describe, expect, it } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import { judgeGuard, parseGuard } from '../../../../internal/research/judge/guardrail-metric.ts'
import { seededRandom } from '../../../../internal/research/stats/seeded-random.ts'

describe('parseGuard', () => {
  it('reads factors and limits', () => {
    expect(parseGuard('binary_kb<=1.02x')).toEqual({
      metric: 'binary_kb',
      op: '<=',
      ref: 'baseline',
      factor: 1.02,
    })
    expect(parseGuard(' rss_mb <= 512 ')).toEqual({ metric: 'rss_mb', op: '<=', limit: 512 })
    expect(parseGuard('hits>=0.98x')).toMatchObject({ op: '>=', factor: 0.98 })
  })
  it.each(['', 'kb', 'kb<1', 'kb<=', 'kb<=1,5', 'kb<=0x', 'kb<=-1x', '__proto__<=1', 'a b<=1', 'kb=<1'])(
    'rejects %j',
    (text) => {
      expect(() => parseGuard(text)).toThrow(UserError)
    },
  )
})

describe('judgeGuard', () => {
  const factor = parseGuard('m<=1.1x')
  const judge = (
    guard: typeof factor,
    base: (number | undefined)[],
    cand: (number | undefined)[],
    carry = 1,
  ) => judgeGuard(guard, { base, cand, carry }, seededRandom(1, 'guard'))
  const eight = (value: number) => Array<number>(8).fill(value)

  it.each<[string, ReturnType<typeof judge>, boolean, string | undefined]>([
    ['within the factor', judge(factor, eight(10), eight(11)), true, undefined],
    ['beyond it', judge(factor, eight(10), eight(11.5)), false, 'factor'],
    ['beyond it only by chance', judge(factor, eight(10), [9, 12, 9, 12, 9, 12, 12, 9.9]), true, undefined],
    ['crept up since the baseline', judge(factor, eight(10), eight(10.5), 1.08), false, 'factor'],
    ['two pairs: the median decides', judge(factor, [10, 10], [12, 12]), false, 'factor'],
    ['one value is missing', judge(factor, eight(10), [...eight(10).slice(1), undefined]), false, 'missing'],
    [
      'a limit holds for every sample',
      judge(parseGuard('m<=11'), eight(10), [...eight(9), 12]),
      false,
      'limit',
    ],
    ['a limit says nothing of the base', judge(parseGuard('m<=11'), eight(20), eight(9)), true, undefined],
    ['at least', judge(parseGuard('m>=0.9x'), eight(10), eight(8)), false, 'factor'],
    ['values of 0', judge(factor, eight(0), eight(0)), true, undefined],
  ])('%s', (_, outcome, ok, why) => {
    expect(outcome.ok).toBe(ok)
    expect(outcome.why).toBe(why)
  })
})
