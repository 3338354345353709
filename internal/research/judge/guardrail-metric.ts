// Guardrail metrics: secondary metrics that a candidate may not worsen beyond a stated limit.
import { UserError } from '../../base/errors.ts'
import { isMetricName } from '../measure/metric-lines.ts'
import type { SeededRandom } from '../stats/seeded-random.ts'
import { medianOf, signFlipTest } from '../stats/statistics.ts'

/**
 * Limit of a secondary metric: `factor` limits its ratio to the baseline tree, `limit` every single sample.
 * Exactly one of them is set.
 */
export type GuardrailMetric =
  | { metric: string; op: '<=' | '>='; ref: 'baseline'; factor: number }
  | { metric: string; op: '<=' | '>='; limit: number }

/**
 * Values of one guard metric, as pairs of the best tree and the candidate. A value is undefined if a run did
 * not print it.
 */
interface GuardSamples {
  base: (number | undefined)[]
  cand: (number | undefined)[]
  /** Ratio of the best tree to the baseline from earlier verdicts; 1 if the best tree is the baseline. */
  carry: number
}

/**
 * Result for one guardrail metric. `ratio` is candidate over baseline (NaN if unknown). `p` is the p value of
 * the test whether the factor is exceeded; undefined without that test.
 */
export interface GuardOutcome {
  metric: string
  ok: boolean
  why?: 'missing' | 'factor' | 'limit'
  ratio: number
  p?: number
}

const form = /^([^<>=\s]+)\s*(<=|>=)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(x?)$/

/**
 * Parses a guard, which has `<=` or `>=`, such as `binary_kb<=1.02x` (relative to the baseline) or
 * `rss_mb<=512`. Throws UserError for any other text.
 */
export function parseGuard(text: string): GuardrailMetric {
  const [, metric = '', op = '', number = '', relative] = form.exec(text.trim()) ?? []
  const value = Number(number)
  const good = isMetricName(metric) && Number.isFinite(value) && (relative !== 'x' || value > 0)
  if (!good || (op !== '<=' && op !== '>=')) {
    throw new UserError(`guard ${JSON.stringify(text)} cannot be read`, {
      hint: 'Write NAME<=1.02x for a ratio to the baseline, or NAME<=512 for a limit; >= works too.',
    })
  }
  return relative === 'x' ? { metric, op, ref: 'baseline', factor: value } : { metric, op, limit: value }
}

/**
 * Judges one guard on the pairs of a measurement. It fails if a candidate's value is missing; a ratio also if
 * a value of the best tree is missing. A limit fails if any sample of the candidate is beyond it. A ratio
 * fails if its median is beyond the factor and the one-sided sign-flip test of the excess has p < 0.05. With
 * fewer than 5 pairs the test cannot reach that, so the median alone decides. Ratios need values above 0;
 * otherwise the excess over the factor is a plain difference.
 */
export function judgeGuard(
  guard: GuardrailMetric,
  samples: GuardSamples,
  random: SeededRandom,
): GuardOutcome {
  const base = samples.base.filter((value) => value !== undefined)
  const cand = samples.cand.filter((value) => value !== undefined)
  const missing = cand.length < samples.cand.length || cand.length === 0
  const outcome = { metric: guard.metric, ratio: (samples.carry * medianOf(cand)) / medianOf(base) }
  if ('limit' in guard) {
    if (missing) return { ...outcome, ok: false, why: 'missing' }
    const broken = cand.some((value) => (guard.op === '<=' ? value > guard.limit : value < guard.limit))
    return broken ? { ...outcome, ok: false, why: 'limit' } : { ...outcome, ok: true }
  }
  if (missing || base.length < samples.base.length) return { ...outcome, ok: false, why: 'missing' }
  const s = guard.op === '<=' ? 1 : -1
  const allowed = guard.factor / samples.carry
  const positive = base.every((value) => value > 0) && cand.every((value) => value > 0)
  const excess = base.map((a, i) => {
    const b = cand[i] as number
    return s * (positive ? Math.log(b / a / allowed) : b - a * allowed)
  })
  const p = signFlipTest(
    excess.map((value) => -value),
    random,
  )
  // An excess this small is a rounding error of a logarithm and does not count.
  const beyond = medianOf(excess) > 1e-12
  const ok = !(beyond && (excess.length < 5 || p < 0.05))
  return ok ? { ...outcome, ok, p } : { ...outcome, ok, why: 'factor', p }
}
