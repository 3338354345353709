// Decides what an experiment's measurements mean: asks for pairs until a verdict stands, from its arguments alone.

import { seededRandom } from '../stats/seeded-random.ts'
import {
  bootstrapInterval,
  type MetricDirection,
  medianOf,
  type PairDifferences,
  pairDifferences,
  rawChange,
  signFlipTest,
} from '../stats/statistics.ts'
import { type GuardOutcome, type GuardrailMetric, judgeGuard } from './guardrail-metric.ts'

/** Primary value of one execution and its secondary ones. */
export interface MetricSample {
  value: number
  metrics: Readonly<Record<string, number>>
}

/** Best and candidate measured back to back. */
export interface SamplePair {
  base: MetricSample
  cand: MetricSample
}

export interface JudgeRules {
  direction: MetricDirection
  /** Ascending numbers of pairs after which a decision may fall. */
  looks: readonly number[]
  alpha: number
  /** Least improvement as a share; undefined: 1 %, and 0 for a deterministic metric. */
  minEffect?: number
  /** Fresh pairs that must repeat a gain; 0: none. */
  confirm: number
  /** An improvement beyond this factor is not believed. */
  maxPlausible: number
  guards: readonly GuardrailMetric[]
  /** What must be asked after the statistics before a keep. */
  after: readonly AcceptanceGate[]
  seed: number
}

export type AcceptanceGate = 'checks' | 'holdout'

/** Everything that is known about one candidate. `nextStep` reads it and never changes it. */
export interface CandidateEvidence {
  /** Number of the run; part of the label of every random stream. */
  run: number
  /** The candidate's tree equals best. */
  unchanged?: boolean
  /** Samples of the baseline tree, and of best when that is another tree. */
  baseline: readonly MetricSample[]
  best: readonly MetricSample[]
  /** Samples of the candidate alone, asked for while the metric looks deterministic. */
  alone: readonly MetricSample[]
  pairs: readonly SamplePair[]
  confirmation: readonly SamplePair[]
  /** Best over baseline for each guard metric, from the verdict that kept best; absent: 1. */
  carry?: Readonly<Record<string, number>>
  checks?: 'ok' | 'failed' | 'timeout'
  holdout?: 'ok' | 'failed'
  /** The file whose lock does not hold. */
  lockBroken?: string
  /** Changed paths outside of the scope. */
  outOfScope?: readonly string[]
  accepted?: { implausible?: boolean }
  /** The candidate's difference makes the tree smaller. */
  smaller?: boolean
}

/** What has to be measured or asked next; `count` is how many more are needed. */
type Need = { need: 'pairs' | 'confirmation' | 'alone'; count: number } | { need: AcceptanceGate }

export type VerdictReason =
  | 'gain'
  | 'deterministic'
  | 'worse'
  | 'noise'
  | 'below_min_effect'
  | 'not_confirmed'
  | 'implausible'
  | 'no_change'
  | 'holdout'
  | 'checks'
  | 'timeout'
  | 'scope'
  | 'lock_violation'
  | `guard:${string}`

/** `pct` and `ci` are changes of the raw metric in percent, of scale `absolute` in its own unit. */
export interface MeasuredEffect {
  pct: number
  ci: [number, number]
  p: number
  pairs: number
  confirmed: boolean
  confirm_p?: number
  unit?: 'absolute'
}

export interface CandidateVerdict {
  status: 'keep' | 'discard' | 'crash' | 'checks_failed'
  reason: VerdictReason
  effect?: MeasuredEffect
  guards: GuardOutcome[]
  /** Equal within the noise and smaller: a person may prefer it. */
  offer?: 'simpler'
  /** Kept although it is better than `maxPlausible` allows: fresh pairs and checks have borne it out. */
  suspect?: true
  detail?: string
}

type Step = Need | CandidateVerdict

/** Fresh pairs that an effect beyond belief has to repeat at least, and for a metric that never moves. */
const suspectPairs = 10
const constantSuspectPairs = 3

/** Level of the confirmation's test. */
const confirmAlpha = 0.1
const defaultEffect = 0.01

/**
 * The next step for a candidate. Calling it again with the same arguments gives the same answer, and with more pairs
 * than were asked for the earliest look that settles the matter counts, so a verdict can be recomputed from a ledger.
 */
export function nextStep(rules: JudgeRules, evidence: CandidateEvidence): Step {
  const barred = bar(evidence)
  if (barred) return barred
  return isDeterministic(evidence) ? single(rules, evidence) : paired(rules, evidence)
}

function bar({
  lockBroken,
  outOfScope = [],
  unchanged,
  checks,
}: CandidateEvidence): CandidateVerdict | undefined {
  const guards: GuardOutcome[] = []
  if (lockBroken !== undefined) {
    return { status: 'crash', reason: 'lock_violation', detail: lockBroken, guards }
  }
  if (outOfScope.length > 0) {
    return { status: 'checks_failed', reason: 'scope', detail: outOfScope.join(', '), guards }
  }
  if (checks === 'failed' || checks === 'timeout') {
    return { status: 'checks_failed', reason: checks === 'timeout' ? 'timeout' : 'checks', guards }
  }
  return unchanged ? { status: 'discard', reason: 'no_change', guards } : undefined
}

/** At least 3 values of the baseline, all equal, all known values of best equal, and the candidate's so far too. */
function isDeterministic({ baseline, best, alone, pairs }: CandidateEvidence): boolean {
  const equal = (samples: readonly MetricSample[]) => samples.every((one) => one.value === samples[0]?.value)
  return baseline.length >= 3 && pairs.length === 0 && [baseline, best, alone].every(equal)
}

/** One value decides: there is no noise to test against. */
function single(rules: JudgeRules, evidence: CandidateEvidence): Step {
  const { baseline, best, alone } = evidence
  if (alone.length < 2) return { need: 'alone', count: 2 - alone.length }
  const base = best[0] ?? (baseline[0] as MetricSample)
  const cand = alone[0] as MetricSample
  const moved = pairDifferences([base.value], [cand.value], rules.direction)
  const d = moved.d[0] as number
  const pct = rawChange(d, moved.scale, rules.direction)
  const effect: MeasuredEffect = {
    ...unit(moved),
    pct,
    ci: [pct, pct],
    p: d < 0 ? 0 : 1,
    pairs: 1,
    confirmed: true,
  }
  const least = rules.minEffect ?? 0
  if (d > 0) return discard('worse', effect)
  if (d === 0 || !(d < threshold(moved, least))) return discard('below_min_effect', effect, evidence.smaller)
  const pairs = alone.map((sample, i) => ({ base: best[i] ?? baseline[i] ?? base, cand: sample }))
  const gain: Gain = { moved, d, effect, pairs, reason: 'deterministic' }
  if (d < 0 && believe(rules, evidence, gain) === 'ask') {
    const lacking = constantSuspectPairs - evidence.confirmation.length
    if (lacking > 0) return { need: 'confirmation', count: lacking }
    const isSame = (pair: SamplePair) => pair.base.value === base.value && pair.cand.value === cand.value
    if (!evidence.confirmation.every(isSame)) return discard('not_confirmed', effect)
  }
  return admit(rules, evidence, gain)
}

function paired(rules: JudgeRules, evidence: CandidateEvidence): Step {
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
    const effect = () => effectOf(rules, moved, p, label)
    if (p < level && d < threshold(moved, least))
      return confirm(rules, evidence, { moved, d, effect: effect(), pairs })
    if (d > least) return discard('worse', effect())
    if (last) return discard(p < level ? 'below_min_effect' : 'noise', effect(), evidence.smaller)
  }
  throw new Error('rules without looks')
}

interface Gain {
  moved: PairDifferences
  d: number
  effect: MeasuredEffect
  pairs: readonly SamplePair[]
  reason?: 'gain' | 'deterministic'
}

function confirm(rules: JudgeRules, evidence: CandidateEvidence, gain: Gain): Step {
  const belief = believe(rules, evidence, gain)
  if (belief === 'no') return discard('implausible', gain.effect)
  const count = belief === 'ask' ? Math.max(rules.confirm, suspectPairs) : rules.confirm
  if (count === 0) return admit(rules, evidence, gain)
  const lacking = count - evidence.confirmation.length
  if (lacking > 0) return { need: 'confirmation', count: lacking }
  const fresh = evidence.confirmation.slice(0, count)
  const { d } = differencesOf(fresh, rules.direction)
  const p = signFlipTest(d, seededRandom(rules.seed, `run ${evidence.run}/confirm`))
  const confirmed = p < confirmAlpha && medianOf(d) < 0
  const effect = { ...gain.effect, confirmed, confirm_p: p }
  return confirmed ? admit(rules, evidence, { ...gain, effect }) : discard('not_confirmed', effect)
}

/** A gain by the numbers still has to pass the guards, the checks and the holdout, in this order. */
function admit(rules: JudgeRules, evidence: CandidateEvidence, gain: Gain): Step {
  const { effect, pairs, reason = 'gain' } = gain
  const belief = believe(rules, evidence, gain)
  if (belief === 'no') return discard('implausible', effect)
  const guards = rules.guards.map((guard) => {
    const of = (side: 'base' | 'cand') =>
      pairs.map((pair) =>
        Object.hasOwn(pair[side].metrics, guard.metric) ? pair[side].metrics[guard.metric] : undefined,
      )
    const samples = { base: of('base'), cand: of('cand'), carry: evidence.carry?.[guard.metric] ?? 1 }
    return judgeGuard(guard, samples, seededRandom(rules.seed, `run ${evidence.run}/guard ${guard.metric}`))
  })
  const failed = guards.find((guard) => !guard.ok)
  if (failed) return { ...discard(`guard:${failed.metric}`, effect), guards }
  for (const gate of rules.after) if (evidence[gate] === undefined) return { need: gate }
  if (evidence.holdout === 'failed') return { ...discard('holdout', effect), guards }
  return { status: 'keep', reason, effect, guards, ...(belief === 'ask' && { suspect: true }) }
}

const discard = (reason: VerdictReason, effect: MeasuredEffect, smaller?: boolean): CandidateVerdict => ({
  status: 'discard',
  reason,
  effect,
  guards: [],
  ...(smaller ? { offer: 'simpler' as const } : {}),
})

const unit = ({ scale }: PairDifferences) => (scale === 'absolute' ? { unit: 'absolute' as const } : {})

/** Differences below this are an improvement of at least the share `least`. */
function threshold({ scale }: PairDifferences, least: number): number {
  return scale === 'ratio' ? Math.log(1 - least) : -least
}

/**
 * Whether an effect is believed. `ask`: it is larger than is plausible, and fresh pairs together with checks or a
 * holdout may bear it out; without those nothing says that the program still does its work. A value that has reached
 * or passed zero has no ratio to the old one, so nothing can bear it out but a person.
 */
function believe(rules: JudgeRules, { accepted }: CandidateEvidence, gain: Gain): 'yes' | 'ask' | 'no' {
  if (accepted?.implausible) return 'yes'
  if (crossesZero(rules, gain)) return 'no'
  const { moved, d } = gain
  // nothing can be called too good on a scale that has no size
  if (moved.scale === 'absolute') return 'yes'
  const least = moved.scale === 'ratio' ? -Math.log(rules.maxPlausible) : -rules.maxPlausible
  if (d >= least) return 'yes'
  return rules.after.length > 0 ? 'ask' : 'no'
}

/** Costs do not become nothing or less, and a metric that was never below zero does not go there by an improvement. */
function crossesZero({ direction }: JudgeRules, { pairs }: Gain): boolean {
  const s = direction === 'lower' ? 1 : -1
  const best = s * medianOf(pairs.map(({ base }) => base.value))
  const candidate = s * medianOf(pairs.map(({ cand }) => cand.value))
  if (best > 0) return candidate <= 0
  return best === 0 && direction === 'lower' && candidate < 0
}

export function differencesOf(pairs: readonly SamplePair[], direction: MetricDirection): PairDifferences {
  return pairDifferences(
    pairs.map((pair) => pair.base.value),
    pairs.map((pair) => pair.cand.value),
    direction,
  )
}

/** Effect of a set of pairs as it is shown and stored; the interval decides nothing. */
export function effectOf(
  { direction, seed }: Pick<JudgeRules, 'direction' | 'seed'>,
  moved: PairDifferences,
  p: number,
  label: string,
): MeasuredEffect {
  const shown = (d: number) => rawChange(d, moved.scale, direction)
  const ends = bootstrapInterval(moved.d, seededRandom(seed, `${label}/interval`)).map(shown)
  const ci: [number, number] = [Math.min(...ends), Math.max(...ends)]
  return { ...unit(moved), pct: shown(medianOf(moved.d)), ci, p, pairs: moved.d.length, confirmed: false }
}
