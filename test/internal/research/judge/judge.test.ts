// Verdicts from tables of measurements, and the error rate of the judge when the truth is known.
import { describe, expect, it } from 'vitest'
import type {
  CandidateEvidence,
  JudgeRules,
  SamplePair,
} from '../../../../internal/research/judge/evidence.ts'
import { nextStep } from '../../../../internal/research/judge/judge.ts'
import { rules, simulate } from '../simulate.ts'

const one = (value: number, metrics: Record<string, number> = {}) => ({ value, metrics })
/** Returns pairs whose candidate is the base times each ratio. The base varies so that no value repeats. */
const pairs = (ratios: number[]): SamplePair[] =>
  ratios.map((ratio, i) => ({ base: one(100 + i), cand: one((100 + i) * ratio) }))
const same = (ratio: number, n: number) => pairs(Array(n).fill(ratio))
const noisy = [100, 101, 99, 102].map((value) => one(value))
const evidence = (part: Partial<CandidateEvidence>): CandidateEvidence => ({
  run: 1,
  baseline: noisy,
  best: [],
  alone: [],
  pairs: [],
  confirmation: [],
  ...part,
})
const brief = (judged: JudgeRules, part: Partial<CandidateEvidence>) => {
  const step = nextStep(judged, evidence(part))
  return 'need' in step ? `need ${step.need}` : `${step.status} ${step.reason}`
}

const mixed = [0.9, 1.1]
const even = (n: number) => pairs(Array.from({ length: n }, (_, i) => mixed[i % 2] as number))

describe('next, paired', () => {
  it.each<[string, Partial<CandidateEvidence>, string]>([
    ['nothing measured', {}, 'need pairs'],
    ['a clear gain is confirmed', { pairs: same(0.8, 8) }, 'need confirmation'],
    ['confirmed', { pairs: same(0.8, 8), confirmation: same(0.85, 10) }, 'keep gain'],
    ['not confirmed', { pairs: same(0.8, 8), confirmation: even(10) }, 'discard not_confirmed'],
    ['worse stops at the first look', { pairs: same(1.2, 8) }, 'discard worse'],
    ['undecided goes on', { pairs: even(8) }, 'need pairs'],
    ['noise after the last look', { pairs: even(32) }, 'discard noise'],
    ['sure but too small', { pairs: same(0.995, 32) }, 'discard below_min_effect'],
    ['too good to be true', { pairs: same(0.05, 8) }, 'discard implausible'],
    ['believed by a person', { pairs: same(0.05, 8), accepted: { implausible: true } }, 'need confirmation'],
    [
      'the earliest look that settles counts',
      { pairs: [...same(1.2, 8), ...same(0.5, 24)] },
      'discard worse',
    ],
    ['no change is not measured', { unchanged: true }, 'discard no_change'],
    ['outside of the scope', { outOfScope: ['a', 'b'] }, 'checks_failed scope'],
    ['checks fail', { pairs: same(0.8, 8), checks: 'failed' }, 'checks_failed checks'],
    ['checks time out', { checks: 'timeout' }, 'checks_failed timeout'],
  ])('%s', (_, part, expected) => {
    expect(brief(rules, part)).toBe(expected)
  })

  it.each<[string, 'lower' | 'higher', number, number, string]>([
    ['a cost of nothing', 'lower', 100, 0, 'discard implausible'],
    ['a cost below nothing', 'lower', 100, -3, 'discard implausible'],
    ['less than nothing where nothing was', 'lower', 0, -1, 'discard implausible'],
    ['a score that passes zero', 'higher', -5, 1, 'discard implausible'],
    ['a score that reaches zero', 'higher', -5, 0, 'discard implausible'],
    ['a first success', 'higher', 0, 5, 'need confirmation'],
    ['a signed metric on its own side', 'lower', -5, -6, 'need confirmation'],
    ['the smallest positive cost', 'lower', 100, 1e-150, 'discard implausible'],
    ['a tiny cost made smaller', 'lower', 1e-140, 0.8e-140, 'need confirmation'],
    ['a tiny cost made nothing', 'lower', 1e-140, 0, 'discard implausible'],
    ['the largest score', 'higher', 1, 1e150, 'discard implausible'],
  ])('does not accept %s without a user', (_, direction, base, cand, expected) => {
    const taken = Array.from({ length: 8 }, () => ({ base: one(base), cand: one(cand) }))
    const judged = { ...rules, direction }
    expect(brief(judged, { pairs: taken })).toBe(expected)
    // passing checks do not change that
    if (cand * base <= 0)
      expect(brief({ ...judged, after: ['checks'] }, { pairs: taken, checks: 'ok' })).toBe(expected)
    expect(brief(judged, { pairs: taken, accepted: { implausible: true } })).toBe('need confirmation')
    expect(brief(judged, { baseline: Array(4).fill(one(base)), alone: [one(cand), one(cand)] })).toBe(
      expected === 'need confirmation' ? 'keep deterministic' : expected,
    )
  })

  it('accepts no effect beyond the limit without a user, with any checks and pairs', () => {
    const outcomes = [undefined, 'ok', 'failed'] as const
    for (const after of [[], ['checks'], ['holdout'], ['checks', 'holdout']] as const)
      for (const checks of outcomes)
        for (const fresh of [0, 3, 10, 50])
          for (const factor of [0.09, 0.05, 0.001, 0])
            for (const still of [false, true]) {
              const judged = { ...rules, after, confirm: 0 }
              const pairs = same(factor, still ? 0 : 8)
              const known = still
                ? { baseline: Array(4).fill(one(100)), alone: [one(100 * factor), one(100 * factor)] }
                : { pairs }
              const part = { ...known, confirmation: same(factor, fresh), ...(checks && { checks }) }
              const verdict = brief(judged, part)
              expect(verdict).toBe(checks === 'failed' ? 'checks_failed checks' : 'discard implausible')
              const accepted = { ...part, checks: 'ok' as const, holdout: 'ok' as const }
              expect(brief(judged, { ...accepted, accepted: { implausible: true } })).toMatch(/^keep /)
            }
  })

  it('requests the missing samples up to each look', () => {
    const count = (n: number) => nextStep(rules, evidence({ pairs: even(n) }))
    expect([count(0), count(5), count(8), count(16)]).toEqual(
      [8, 3, 8, 16].map((missing) => ({ need: 'pairs', count: missing })),
    )
  })

  it('shows effect and interval as a change of the raw metric', () => {
    const step = nextStep({ ...rules, confirm: 0 }, evidence({ pairs: same(0.8, 8) }))
    expect(step).toMatchObject({ effect: { p: 1 / 256, pairs: 8, confirmed: false } })
    expect('effect' in step ? step.effect?.pct : 0).toBeCloseTo(-20, 8)
    const higher = nextStep({ ...rules, confirm: 0, direction: 'higher' }, evidence({ pairs: same(1.2, 8) }))
    expect(higher).toMatchObject({ status: 'keep', reason: 'gain' })
    expect('effect' in higher ? higher.effect?.ci[1] : 0).toBeCloseTo(20, 8)
  })

  it('requests checks and holdout only for candidates that would be kept, in order', () => {
    const gated: JudgeRules = { ...rules, confirm: 0, after: ['checks', 'holdout'] }
    const won = { pairs: same(0.8, 8) }
    expect(brief(gated, { pairs: same(1.2, 8) })).toBe('discard worse')
    expect(brief(gated, won)).toBe('need checks')
    expect(brief(gated, { ...won, checks: 'ok' })).toBe('need holdout')
    expect(brief(gated, { ...won, checks: 'ok', holdout: 'failed' })).toBe('discard holdout')
    expect(brief(gated, { ...won, checks: 'ok', holdout: 'ok' })).toBe('keep gain')
  })

  it('compares a gain with its guards', () => {
    const guarded: JudgeRules = {
      ...rules,
      confirm: 0,
      guards: [{ metric: 'kb', op: '<=', ref: 'baseline', factor: 1.02 }],
    }
    const with_ = (kb: number | undefined) =>
      same(0.8, 8).map(({ base, cand }) => ({
        base: one(base.value, { kb: 100 }),
        cand: one(cand.value, kb === undefined ? {} : { kb }),
      }))
    expect(brief(guarded, { pairs: with_(101) })).toBe('keep gain')
    expect(brief(guarded, { pairs: with_(110) })).toBe('discard guard:kb')
    expect(brief(guarded, { pairs: with_(undefined) })).toBe('discard guard:kb')
    expect(brief(guarded, { pairs: with_(101), carry: { kb: 1.02 } })).toBe('discard guard:kb')
  })
})

describe('next, deterministic', () => {
  const equal = Array.from({ length: 3 }, () => one(100))
  const alone = (...values: number[]) => ({ baseline: equal, alone: values.map((value) => one(value)) })
  it.each<[string, Partial<CandidateEvidence>, string]>([
    ['asks for the candidate alone', alone(), 'need alone'],
    ['one is not enough', alone(99), 'need alone'],
    ['the smallest improvement counts', alone(99.9, 99.9), 'keep deterministic'],
    ['equal', alone(100, 100), 'discard below_min_effect'],
    ['worse', alone(101, 101), 'discard worse'],
    ['unequal repeats are noise after all', alone(99, 98), 'need pairs'],
    ['against best, not the baseline', { ...alone(95, 95), best: [one(90), one(90)] }, 'discard worse'],
    ['not believed', alone(1, 1), 'discard implausible'],
    ['two equal values are too few', { baseline: equal.slice(1) }, 'need pairs'],
  ])('%s', (_, part, expected) => {
    expect(brief(rules, part)).toBe(expected)
  })
  it('applies a configured minimum effect', () => {
    expect(brief({ ...rules, minEffect: 0.05 }, alone(96, 96))).toBe('discard below_min_effect')
  })
})

describe('errors of the judge on simulated runs', () => {
  const seed = 1
  const noise = { seed, trials: 60, sd: 0.09, tail: 0.08 } as const
  // Limits: the shares of the 2,000-trial table (test/bench/research.mjs) and about four standard errors of
  // 60 trials.
  it.each(['slow', 'wide'] as const)(
    `%s tail: rarely keep a no-op, often find a tenth (seed ${seed})`,
    (shape) => {
      const none = simulate({ ...noise, shape, effect: 0 })
      expect(none.without).toBeLessThanOrEqual(8)
      expect(none.confirmed).toBeLessThanOrEqual(3)
      expect(none.naive).toBeGreaterThan(14)
      const gain = simulate({ ...noise, shape, effect: -0.1 })
      expect(gain.without).toBeGreaterThan(34)
      expect(gain.confirmed).toBeGreaterThan(17)
      expect(gain.confirmed).toBeLessThanOrEqual(gain.without)
    },
  )
})
