// The evidence about a candidate, the rules it is judged by, and the verdict that follows from them.
import type { MetricDirection } from '../stats/statistics.ts'
import type { GuardOutcome, GuardrailMetric } from './guardrail-metric.ts'

/** Anode's own measurement of one execution, under the names of the metrics that it bounds. */
export interface OwnMeasurement {
  cpu_ms?: number
  wall_ms?: number
}

/** Primary value of one execution and its secondary ones. */
export interface MetricSample {
  value: number
  metrics: Readonly<Record<string, number>>
  /** Absent where the execution could not be measured from outside. */
  own?: OwnMeasurement
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
  /** Anode measures the metric itself, so that equal printed values do not settle it. */
  measured?: boolean
  seed: number
}

export type AcceptanceGate = 'voice' | 'checks' | 'holdout'
export type ChecksOutcome = 'ok' | 'failed' | 'timeout'
export type HoldoutOutcome = 'ok' | 'failed'
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
  /** Whether the benchmark itself printed the values: `ok`, or why that is not sure. */
  voice?: 'ok' | { detail: string }
  checks?: ChecksOutcome
  holdout?: HoldoutOutcome
  /** Changed paths outside of the scope. */
  outOfScope?: readonly string[]
  accepted?: { implausible?: boolean }
}

export type VerdictReason =
  | 'gain'
  | 'deterministic'
  | 'worse'
  | 'noise'
  | 'below_min_effect'
  | 'not_confirmed'
  | 'implausible'
  | 'speaks'
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
  detail?: string
}

export type SampleAdvice = 'better' | 'worse' | 'within_noise' | 'undecided'
