// The verdict of a comparison over seeded noise: false alarms, found changes, the control, several metrics.
import { describe, expect, it } from 'vitest'
import type {
  ComparisonEvidence,
  ComparisonOutcome,
  ComparisonRound,
  ComparisonRules,
} from '../../../../internal/research/compare/comparison.ts'
import { comparisonJudge } from '../../../../internal/research/compare/comparison-judge.ts'
import { type SeededRandom, seededRandom } from '../../../../internal/research/stats/seeded-random.ts'
import { rounds as sampled } from '../../../support/sample.ts'

const rules: ComparisonRules = {
  metrics: [{ name: 'ms', direction: 'lower', decides: true }],
  looks: [8, 16, 32, 64, 128],
  alpha: 0.05,
  minEffect: 0.01,
  confirm: 10,
  margin: 0.02,
  seed: 1,
}

/** Judges the rounds as a whole. */
const judgeComparison = (by: ComparisonRules, evidence: ComparisonEvidence) => comparisonJudge(by)(evidence)

type Shift = Readonly<Record<string, number>>
interface Noise {
  sd: number
  /** Share of executions that need up to three times as long. */
  tail?: number
  /** Factors on the metrics of head, and of base again. */
  head?: Shift
  control?: Shift
}

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
}

/** Draws a round in which the minute moves all three executions together, as a loaded machine does. */
function drawRound(random: SeededRandom, names: readonly string[], noise: Noise): ComparisonRound {
  const minute = Math.exp(0.1 * normal(random))
  const part = (shift: Shift = {}) =>
    Object.fromEntries(
      names.map((name) => {
        const late = random.unit() < (noise.tail ?? 0) ? 1 + 2 * random.unit() : 1
        return [name, 50 * minute * late * (shift[name] ?? 1) * Math.exp(noise.sd * normal(random))]
      }),
    )
  return { base: part(), control: part(noise.control), head: part(noise.head) }
}

/** Plays a whole comparison. Returns its outcome and everything that was measured for it. */
function play(seed: number, noise: Noise, over: Partial<ComparisonRules> = {}, enough = Infinity) {
  const all = { ...rules, ...over, seed }
  const random = seededRandom(seed, 'test')
  const names = all.metrics.map(({ name }) => name)
  const evidence = { rounds: [] as ComparisonRound[] }
  const judge = comparisonJudge(all)
  for (;;) {
    const step = judge(evidence)
    if ('verdict' in step) return { outcome: step, evidence, all }
    for (let i = 0; i < step.count; i++) {
      if (evidence.rounds.length >= enough) {
        const spent: ComparisonEvidence = { ...evidence, isBudgetSpent: true }
        return { outcome: judge(spent) as ComparisonOutcome, evidence, all }
      }
      evidence.rounds.push(drawRound(random, names, noise))
    }
  }
}

const counted = (trials: number, noise: Noise, over: Partial<ComparisonRules> = {}) => {
  const found = { gain: 0, loss: 0, same: 0, undecided: 0 }
  for (let seed = 1; seed <= trials; seed++) found[play(seed, noise, over).outcome.verdict]++
  return found
}

const trials = sampled(80, 400)
/** Trials of noise that hides a change, which take several times as long because each needs all rounds. */
const noisyTrials = sampled(40, 400)

describe('a comparison of equal sides', () => {
  it.each([
    ['processor time', { sd: 0.006 }],
    ['a noisy machine', { sd: 0.05 }],
    ['rare slow executions', { sd: 0.01, tail: 0.02 }],
    ['the clock', { sd: 0.3, tail: 0.1 }],
  ])('raises at most 1 false alarm in 40: %s', (_, noise) => {
    const count = noise.sd > 0.02 ? noisyTrials : trials
    const { gain, loss } = counted(count, noise)
    expect(gain + loss).toBeLessThanOrEqual(count / 40)
  })

  it('is the same at little noise', () => {
    expect(counted(trials, { sd: 0.006 }).same).toBeGreaterThanOrEqual(0.9 * trials)
  })
})

describe('a comparison of a changed side', () => {
  it.each([
    ['+5 %', 1.05, 'loss', 0.95],
    ['-5 %', 1 / 1.05, 'gain', 0.95],
    ['+2 %', 1.02, 'loss', 0.95],
  ] as const)('finds %s of processor time', (_, factor, verdict, share) => {
    const found = counted(trials, { sd: 0.006, head: { ms: factor } })
    expect(found[verdict]).toBeGreaterThanOrEqual(share * trials)
  })

  it.each([
    ['a machine with little noise', 0.014, 0.9],
    ['a loaded machine', 0.025, 0.85],
  ])('finds a change of two percent on %s', (_, sd, share) => {
    const { loss, gain } = counted(noisyTrials, { sd, head: { ms: 1.02 } })
    expect(loss).toBeGreaterThanOrEqual(share * noisyTrials)
    expect(gain).toBe(0)
  })

  it.each([
    ['+5 %', 1.05, 0.9],
    ['+2 %', 1.02, 0.9],
  ] as const)('finds %s although some executions need three times as long', (_, factor, share) => {
    const found = counted(trials, { sd: 0.01, tail: 0.02, head: { ms: factor } })
    expect(found.loss).toBeGreaterThanOrEqual(share * trials)
  })

  it('calls a higher value a gain where higher is better', () => {
    const metrics = [{ name: 'ms', direction: 'higher' as const, decides: true }]
    const { outcome } = play(1, { sd: 0.006, head: { ms: 1.1 } }, { metrics })
    expect(outcome.verdict).toBe('gain')
    expect(outcome.metrics[0]?.pct).toBeGreaterThan(8)
  })

  it('is undecided where the noise hides the change, and says how many rounds would show it', () => {
    const { outcome } = play(1, { sd: 0.3, head: { ms: 1.05 } })
    expect(outcome.verdict).toBe('undecided')
    expect(outcome.metrics[0]).toMatchObject({ reason: 'noise' })
    expect(outcome.metrics[0]?.rounds_needed).toBeGreaterThan(100)
  })

  it('ends early only where the noise is far too strong for the last look', () => {
    const rounds = (sd: number) =>
      Array.from({ length: 11 }, (_, i) => play(i + 1, { sd }).evidence.rounds.length).sort((x, y) => x - y)
    expect(rounds(0.3)[5]).toBe(32)
    expect(rounds(0.05)[5]).toBeGreaterThanOrEqual(64)
  })
})

it('is never a loss or gain where the base differs from itself in the same way', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { outcome } = play(seed, { sd: 0.006, head: { ms: 1.05 }, control: { ms: 1.05 } })
    expect(outcome).toMatchObject({ verdict: 'undecided', metrics: [{ reason: 'control moved' }] })
  }
})

it('is not proven by a change that fresh rounds do not repeat', () => {
  const random = seededRandom(5, 'test')
  const draw = (n: number, factor: number) =>
    Array.from({ length: n }, () => drawRound(random, ['ms'], { sd: 0.006, head: { ms: factor } }))
  const short = { ...rules, looks: [8] }
  const outcome = judgeComparison(short, { rounds: [...draw(8, 1.1), ...draw(10, 1)] })
  expect(outcome).toMatchObject({ verdict: 'undecided', metrics: [{ reason: 'not repeated' }] })
  // with a further look, the fresh rounds count as ordinary ones
  expect(judgeComparison(rules, { rounds: [...draw(8, 1.1), ...draw(8, 1)] })).toMatchObject({ count: 2 })
})

it('does not depend on the order of the rounds within a look', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { outcome, evidence, all } = play(seed, { sd: 0.02, head: { ms: 1 + 0.005 * seed } })
    const { rounds } = evidence
    if (rounds.length === 18) {
      const turned = [...rounds.slice(0, 8).reverse(), ...rounds.slice(8).reverse()]
      expect(judgeComparison(all, { rounds: turned })).toEqual(outcome)
    }
    const last = { ...all, looks: [rounds.length], confirm: 0 }
    expect(judgeComparison(last, { rounds: [...rounds].reverse() })).toEqual(judgeComparison(last, evidence))
  }
})

describe('several metrics', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const metrics = names.map((name) => ({ name, direction: 'lower' as const, decides: true }))

  it('together raise no more false alarms than one', () => {
    const { gain, loss } = counted(sampled(10, 200), { sd: 0.05 }, { metrics })
    expect(gain + loss).toBeLessThanOrEqual(sampled(1, 5))
  })

  it('are a loss where one of them is', () => {
    const { outcome } = play(3, { sd: 0.006, head: { c: 1.08, d: 0.9 } }, { metrics })
    expect(outcome.verdict).toBe('loss')
    const verdicts = Object.fromEntries(outcome.metrics.map(({ name, verdict }) => [name, verdict]))
    expect(verdicts).toMatchObject({ c: 'loss', d: 'gain', a: 'same' })
  })

  it('do not decide where they are only shown', () => {
    const shown = metrics.map((metric) => ({ ...metric, decides: metric.name === 'a' }))
    expect(play(1, { sd: 0.006, head: { b: 2 } }, { metrics: shown }).outcome.verdict).toBe('same')
  })
})

it.each([1, 5, 8, 12])('is undecided by the budget after %i rounds, never a loss or gain', (enough) => {
  const { outcome, evidence } = play(1, { sd: 0.05 }, {}, enough)
  expect(evidence.rounds.length).toBe(enough)
  expect(outcome).toMatchObject({ verdict: 'undecided', metrics: [{ reason: 'budget', rounds: enough }] })
})

it('compares values of 0 and values that never change', () => {
  const round = (base: number, head: number) => ({
    base: { ms: base },
    control: { ms: base },
    head: { ms: head },
  })
  const series = (base: number, head: number) => ({
    rounds: Array.from({ length: 18 }, () => round(base, head)),
  })
  expect(judgeComparison(rules, series(0, 0))).toMatchObject({ verdict: 'same' })
  expect(judgeComparison(rules, series(7, 7))).toMatchObject({ verdict: 'same' })
  expect(judgeComparison(rules, series(100, 103))).toMatchObject({ verdict: 'loss' })
  expect(judgeComparison(rules, series(0, 3))).toMatchObject({
    verdict: 'loss',
    metrics: [{ unit: 'absolute' }],
  })
})
