// Types of the evidence about a candidate, of the rules by which it is judged, and of the verdict.
import type { MetricDirection } from '../stats/statistics.ts'
import type { GuardOutcome, GuardrailMetric } from './guardrail-metric.ts'

/** What Anode itself has measured of one execution, in fields that are named like metrics. */
export interface OwnMeasurement {
  cpu_ms?: number
  wall_ms?: number
  /**
   * Largest memory in KiB that one process used. If the benchmark prints a value with this name, the two
   * values are not compared.
   */
  max_rss_kb?: number
}

/** Values of one execution: the primary metric, and the secondary ones. */
export interface MetricSample {
  value: number
  metrics: Readonly<Record<string, number>>
  /** What Anode itself has measured; undefined if the execution could not be measured from outside. */
  own?: OwnMeasurement
}

/**
 * Samples of the two sides of a measurement, such as the best tree and the candidate, taken directly
 * after each other.
 */
export interface SamplePair {
  base: MetricSample
  cand: MetricSample
}

export interface JudgeRules {
  direction: MetricDirection
  /** Numbers of pairs, in ascending order, after which a verdict is possible. */
  looks: readonly number[]
  alpha: number
  /** Smallest improvement that counts, as a share. Default: 1 %, and 0 for a deterministic metric. */
  minEffect?: number
  /** Number of fresh pairs that have to confirm a gain; 0: a gain needs no confirmation. */
  confirm: number
  /** Factor above which an improvement counts as implausible. */
  maxPlausible: number
  guards: readonly GuardrailMetric[]
  /** Further checks that a candidate has to pass after the statistics have shown a gain, in this order. */
  after: readonly AcceptanceGate[]
  /**
   * True for `cpu_ms` and `wall_ms`, which Anode measures itself. Equal printed values then do not make
   * the metric deterministic.
   */
  measured?: boolean
  seed: number
}

export type AcceptanceGate = 'voice' | 'checks' | 'holdout'
export type ChecksOutcome = 'ok' | 'failed' | 'timeout'
export type HoldoutOutcome = 'ok' | 'failed'
/** Everything that is known about one candidate. `nextStep` reads it and never changes it. */
export interface CandidateEvidence {
  /** Number of the run. It is part of the label from which each stream of random numbers is made. */
  run: number
  /** True if the candidate has the same files as the best tree so far. */
  unchanged?: boolean
  /** Samples of the baseline tree. `best` has samples of the best tree so far if that is another tree. */
  baseline: readonly MetricSample[]
  best: readonly MetricSample[]
  /** Samples of the candidate without pairs, which are used while the metric seems deterministic. */
  alone: readonly MetricSample[]
  pairs: readonly SamplePair[]
  confirmation: readonly SamplePair[]
  /**
   * Ratio of the best tree to the baseline for each guard metric (a secondary metric with a limit), from the
   * verdict that kept that tree. Default: 1.
   */
  carry?: Readonly<Record<string, number>>
  /** Result of the check whether the benchmark itself printed the values: `ok`, or the reason for doubt. */
  voice?: 'ok' | { detail: string }
  checks?: ChecksOutcome
  holdout?: HoldoutOutcome
  /** Changed paths that the candidate may not change, such as those outside of the scope. */
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
/**
 * The effect of a candidate. `pct` and `ci` are changes of the raw metric in percent, or in its own unit
 * for scale `absolute`.
 */
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
  /**
   * Set if the candidate is equal to the best tree within the noise and has less code, so that a user
   * may prefer it.
   */
  offer?: 'simpler'
  detail?: string
}

export type SampleAdvice = 'better' | 'worse' | 'within_noise' | 'undecided'
