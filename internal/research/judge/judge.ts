// Judge that requests measurements until it reaches a verdict. It depends on its arguments only.
import { seededRandom } from '../stats/seeded-random.ts'
import { medianOf, pairDifferences, rawChange, signFlipTest } from '../stats/statistics.ts'
import { differencesOf, effectThreshold, effectUnit, measuredEffectOf } from './effect.ts'
import type {
  AcceptanceGate,
  CandidateEvidence,
  CandidateVerdict,
  JudgeRules,
  MeasuredEffect,
  MetricSample,
  VerdictReason,
} from './evidence.ts'
import { type GuardOutcome, judgeGuard } from './guardrail-metric.ts'
import { isPlausible, type MeasuredGain } from './plausibility.ts'

/**
 * What the judge needs next: samples, of which `count` are missing, or the result of a further check of the
 * candidate, such as the holdout (a secret second check).
 */
type JudgeNeed = { need: 'pairs' | 'confirmation' | 'alone'; count: number } | { need: AcceptanceGate }

type JudgeStep = JudgeNeed | CandidateVerdict

/** Significance level of the test that confirms a gain. */
const confirmAlpha = 0.1
const defaultEffect = 0.01

/**
 * Returns the next step for a candidate. Equal arguments always give the same step. If there are more pairs
 * than were requested, the first look that decides counts, so that a verdict can be recomputed from a ledger.
 */
export function nextStep(rules: JudgeRules, evidence: CandidateEvidence): JudgeStep {
  const barred = findRejection(evidence)
  if (barred) return barred
  return isDeterministic(rules, evidence) ? judgeSingle(rules, evidence) : judgePairs(rules, evidence)
}

function findRejection({
  outOfScope = [],
  unchanged,
  checks,
}: CandidateEvidence): CandidateVerdict | undefined {
  const guards: GuardOutcome[] = []
  if (outOfScope.length > 0) {
    return { status: 'checks_failed', reason: 'scope', detail: outOfScope.join(', '), guards }
  }
  if (checks === 'failed' || checks === 'timeout') {
    return { status: 'checks_failed', reason: checks === 'timeout' ? 'timeout' : 'checks', guards }
  }
  return unchanged ? { status: 'discard', reason: 'no_change', guards } : undefined
}

/**
 * Returns true if the metric is deterministic: it is not `cpu_ms` or `wall_ms`, the baseline has at least 3
 * values, nothing was measured in pairs, and all known values of each tree are equal.
 */
function isDeterministic(
  { measured }: JudgeRules,
  { baseline, best, alone, pairs }: CandidateEvidence,
): boolean {
  if (measured) return false
  const equal = (samples: readonly MetricSample[]) => samples.every((one) => one.value === samples[0]?.value)
  return baseline.length >= 3 && pairs.length === 0 && [baseline, best, alone].every(equal)
}

/**
 * Judges a deterministic metric. Two equal values of the candidate decide without a test, because the metric
 * has no noise.
 */
function judgeSingle(rules: JudgeRules, evidence: CandidateEvidence): JudgeStep {
  const { baseline, best, alone } = evidence
  if (alone.length < 2) return { need: 'alone', count: 2 - alone.length }
  const base = best[0] ?? (baseline[0] as MetricSample)
  const cand = alone[0] as MetricSample
  const moved = pairDifferences([base.value], [cand.value], rules.direction)
  const d = moved.d[0] as number
  const pct = rawChange(d, moved.scale, rules.direction)
  const effect: MeasuredEffect = {
    ...effectUnit(moved),
    pct,
    ci: [pct, pct],
    p: d < 0 ? 0 : 1,
    pairs: 1,
    confirmed: true,
  }
  const least = rules.minEffect ?? 0
  if (d > 0) return discardFor('worse', effect)
  if (d === 0 || !(d < effectThreshold(moved, least))) return discardFor('below_min_effect', effect)
  const pairs = alone.map((sample, i) => ({ base: best[i] ?? baseline[i] ?? base, cand: sample }))
  const gain: MeasuredGain = { moved, d, effect, pairs, reason: 'deterministic' }
  return admitGain(rules, evidence, gain)
}

function judgePairs(rules: JudgeRules, evidence: CandidateEvidence): JudgeStep {
  const least = rules.minEffect ?? defaultEffect
  const level = rules.alpha / rules.looks.length
  for (const n of rules.looks) {
    if (evidence.pairs.length < n) return { need: 'pairs', count: n - evidence.pairs.length }
    const last = n === rules.looks.at(-1)
    const label = `run ${evidence.run}/look ${n}`
    const pairs = evidence.pairs.slice(0, n)
    const moved = differencesOf(pairs, rules.direction)
    const d = medianOf(moved.d)
    const p = signFlipTest(moved.d, seededRandom(rules.seed, `${label}/test`))
    const effect = () => measuredEffectOf(rules, moved, p, label)
    if (p < level && d < effectThreshold(moved, least))
      return confirmGain(rules, evidence, { moved, d, effect: effect(), pairs })
    if (d > least) return discardFor('worse', effect())
    if (last) return discardFor(p < level ? 'below_min_effect' : 'noise', effect())
  }
  throw new Error('rules without looks')
}

function confirmGain(rules: JudgeRules, evidence: CandidateEvidence, gain: MeasuredGain): JudgeStep {
  if (!isPlausible(rules, evidence, gain)) return discardFor('implausible', gain.effect)
  const count = rules.confirm
  if (count === 0) return admitGain(rules, evidence, gain)
  const lacking = count - evidence.confirmation.length
  if (lacking > 0) return { need: 'confirmation', count: lacking }
  const fresh = evidence.confirmation.slice(0, count)
  const { d } = differencesOf(fresh, rules.direction)
  const p = signFlipTest(d, seededRandom(rules.seed, `run ${evidence.run}/confirm`))
  const confirmed = p < confirmAlpha && medianOf(d) < 0
  const effect = { ...gain.effect, confirmed, confirm_p: p }
  return confirmed ? admitGain(rules, evidence, { ...gain, effect }) : discardFor('not_confirmed', effect)
}

/**
 * Checks a candidate whose numbers show a gain: first whether the gain is plausible, then the guards, then
 * the gates in the order of `rules.after`. Returns the verdict, or what has to be measured before it.
 */
function admitGain(rules: JudgeRules, evidence: CandidateEvidence, gain: MeasuredGain): JudgeStep {
  const { effect, pairs, reason = 'gain' } = gain
  if (!isPlausible(rules, evidence, gain)) return discardFor('implausible', effect)
  const guards = rules.guards.map((guard) => {
    const of = (side: 'base' | 'cand') =>
      pairs.map((pair) =>
        Object.hasOwn(pair[side].metrics, guard.metric) ? pair[side].metrics[guard.metric] : undefined,
      )
    const samples = { base: of('base'), cand: of('cand'), carry: evidence.carry?.[guard.metric] ?? 1 }
    return judgeGuard(guard, samples, seededRandom(rules.seed, `run ${evidence.run}/guard ${guard.metric}`))
  })
  const failed = guards.find((guard) => !guard.ok)
  if (failed) return { ...discardFor(`guard:${failed.metric}`, effect), guards }
  for (const gate of rules.after) {
    if (gate === 'voice' && evidence.accepted?.implausible) continue
    if (evidence[gate] === undefined) return { need: gate }
    if (gate === 'voice' && typeof evidence.voice === 'object')
      return { ...discardFor('speaks', effect), guards, detail: evidence.voice.detail }
  }
  if (evidence.holdout === 'failed') return { ...discardFor('holdout', effect), guards }
  return { status: 'keep', reason, effect, guards }
}

const discardFor = (reason: VerdictReason, effect: MeasuredEffect): CandidateVerdict => ({
  status: 'discard',
  reason,
  effect,
  guards: [],
})
