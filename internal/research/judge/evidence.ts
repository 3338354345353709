// Evidence about a candidate, the rules of judgment, and the resulting verdict.
import type { MetricDirection } from '../stats/statistics.ts'
import type { GuardOutcome, GuardrailMetric } from './guardrail-metric.ts'

/** Anode's own measurement of one execution, keyed by its metrics. */
export interface OwnMeasurement {
  cpu_ms?: number
  wall_ms?: number
  /** Largest memory of one process. It bounds no metric. */
  max_rss_kb?: number
}

/** Primary value of one execution and its secondary ones. */
export interface MetricSample {
  value: number
  metrics: Readonly<Record<string, number>>
  /** Anode's own measurement; undefined if the execution could not be measured from outside. */
  own?: OwnMeasurement
}

/** Best and candidate, measured one directly after the other. */
export interface SamplePair {
  base: MetricSample
  cand: MetricSample
}

export interface JudgeRules {
  direction: MetricDirection
  /** Ascending numbers of pairs after which a decision is possible. */
  looks: readonly number[]
  alpha: number
  /** Minimum improvement as a share; undefined: 1 %, and 0 for a deterministic metric. */
  minEffect?: number
  /** Number of fresh pairs that must repeat a gain; 0: none. */
  confirm: number
  /** Factor above which an improvement counts as implausible. */
  maxPlausible: number
  guards: readonly GuardrailMetric[]
  /** Gates that a keep has to pass after the statistics. */
  after: readonly AcceptanceGate[]
  /** True if Anode measures the metric itself, so equal printed values do not settle it. */
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
  /** True if the candidate's tree equals the tree of best. */
  unchanged?: boolean
  /** Samples of the baseline tree, and of best if that is another tree. */
  baseline: readonly MetricSample[]
  best: readonly MetricSample[]
  /** Samples of the candidate alone, used while the metric looks deterministic. */
  alone: readonly MetricSample[]
  pairs: readonly SamplePair[]
  confirmation: readonly SamplePair[]
  /** Ratio of best to the baseline for each guard metric, from the verdict that kept best. Default: 1. */
  carry?: Readonly<Record<string, number>>
  /** Whether the benchmark itself printed the values: `ok`, or the reason for doubt. */
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
/** `pct` and `ci` are changes of the raw metric in percent, or in its own unit for scale `absolute`. */
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
  /** Set if the candidate is equal within the noise and smaller, so a user may prefer it. */
  offer?: 'simpler'
  detail?: string
}

export type SampleAdvice = 'better' | 'worse' | 'within_noise' | 'undecided'
