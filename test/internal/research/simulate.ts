// Simulated experiments for the judge: noise with a heavy tail and a known effect, so that its errors can be
// counted.
import { isNaiveGain } from '../../../internal/research/judge/baseline-rules.ts'
import type {
  CandidateEvidence,
  JudgeRules,
  MetricSample,
  SamplePair,
} from '../../../internal/research/judge/evidence.ts'
import { nextStep } from '../../../internal/research/judge/judge.ts'
import { type SeededRandom, seededRandom } from '../../../internal/research/stats/seeded-random.ts'

interface Simulation {
  seed: number
  trials: number
  /** True change of the candidate as a share: 0 for a no-op, -0.1 for one that takes a tenth less. */
  effect: number
  /** Standard deviation of the logarithm of a sample. */
  sd: number
  /** Share of samples in the heavy tail. */
  tail: number
  /**
   * `slow`: those take longer by a factor of 1 plus an exponential with mean 0.5; `wide`: their sd is
   * threefold.
   */
  shape: 'slow' | 'wide'
}

interface Count {
  trials: number
  /** Kept by the judge without and with confirmation, on the same samples, and by one sample against one. */
  without: number
  confirmed: number
  naive: number
  /** Mean number of pairs that were measured per trial, with confirmation. */
  pairs: number
}

export const rules: JudgeRules = {
  direction: 'lower',
  looks: [8, 16, 32],
  alpha: 0.05,
  confirm: 10,
  maxPlausible: 10,
  guards: [],
  after: [],
  seed: 1,
}

export function simulate({ seed, trials, effect, ...spread }: Simulation): Count {
  const count = { trials, without: 0, confirmed: 0, naive: 0, pairs: 0 }
  for (let run = 1; run <= trials; run++) {
    const chance = seededRandom(seed, `simulated run ${run}`)
    const draw = (size: number) => sample(size * noise(chance, spread))
    const one = (): SamplePair => ({ base: draw(100), cand: draw(100 * (1 + effect)) })
    const baseline = Array.from({ length: 8 }, () => draw(100))
    const evidence = {
      run,
      baseline,
      best: [],
      alone: [],
      pairs: [] as SamplePair[],
      confirmation: [] as SamplePair[],
    }
    const judged = { ...rules, seed }
    if (settle({ ...judged, confirm: 0 }, evidence, one)) count.without++
    if (settle(judged, evidence, one)) count.confirmed++
    const first = evidence.pairs[0] as SamplePair
    if (isNaiveGain(first.base.value, first.cand.value, 'lower')) count.naive++
    count.pairs += (evidence.pairs.length + evidence.confirmation.length) / trials
  }
  return count
}

const sample = (value: number): MetricSample => ({ value, metrics: {} })

/** Feeds the judge until its verdict: true for a keep. */
function settle(
  judged: JudgeRules,
  evidence: CandidateEvidence & { pairs: SamplePair[]; confirmation: SamplePair[] },
  one: () => SamplePair,
): boolean {
  for (;;) {
    const step = nextStep(judged, evidence)
    if ('status' in step) return step.status === 'keep'
    if (step.need !== 'pairs' && step.need !== 'confirmation') throw new Error(`unexpected need ${step.need}`)
    for (let i = 0; i < step.count; i++) evidence[step.need].push(one())
  }
}

/**
 * Returns normal noise by Box and Muller (1958) on the logarithm, times a slow-down that only
 * some samples have.
 */
function noise(chance: SeededRandom, { sd, tail, shape }: Pick<Simulation, 'sd' | 'tail' | 'shape'>): number {
  const z = Math.sqrt(-2 * Math.log(1 - chance.unit())) * Math.cos(2 * Math.PI * chance.unit())
  if (chance.unit() >= tail) return Math.exp(sd * z)
  return shape === 'wide' ? Math.exp(3 * sd * z) : Math.exp(sd * z) * (1 - 0.5 * Math.log(1 - chance.unit()))
}
