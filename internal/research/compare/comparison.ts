// Types of a comparison of two trees: what is compared, what was measured, and the verdict.
import type { BenchmarkFormat } from '../measure/benchmark-readers.ts'
import type { MetricDirection } from '../stats/statistics.ts'

export type ComparisonVerdict = 'gain' | 'loss' | 'same' | 'undecided'

/** Why a metric is undecided. `control moved`: the base differed from itself in the same rounds. */
export type UndecidedReason = 'control moved' | 'not repeated' | 'budget' | 'noise'

export interface ComparedMetric {
  name: string
  direction: MetricDirection
  /** True if the metric decides the verdict of the comparison; false if it is only shown. */
  decides: boolean
}

export type MetricValues = Readonly<Record<string, number>>

/** The values of three executions that follow each other in random order. */
export interface ComparisonRound {
  base: MetricValues
  /** Values of the other execution of the base, the control. */
  control: MetricValues
  head: MetricValues
}

export interface ComparisonEvidence {
  /** All rounds in the order of their measurement, with those that confirm a change. */
  rounds: readonly ComparisonRound[]
  /** True if no more rounds can be measured. */
  isBudgetSpent?: boolean
}

export interface ComparisonRules {
  metrics: readonly ComparedMetric[]
  /** Numbers of rounds, in ascending order, after which a verdict is possible. */
  looks: readonly number[]
  /** Significance level of the whole test, which is divided among the looks. */
  alpha: number
  /** Smallest change that counts, as a share of the base. */
  minEffect: number
  /** Least number of fresh rounds that have to confirm a change; 0: a change needs no confirmation. */
  confirm: number
  /** Share of the base within which the interval of a change has to be for `same`. */
  margin: number
  seed: number
}

/**
 * The result for one metric. `pct` and `ci` (90 %) are changes in percent, or in the metric's own unit
 * for `unit: absolute`.
 */
export interface MetricComparison extends ComparedMetric {
  verdict: ComparisonVerdict
  reason?: UndecidedReason
  /** Median of the metric on the base. `head` is its median on the head. */
  base: number
  head: number
  pct: number
  ci: [number, number]
  unit?: 'absolute'
  p: number
  rounds: number
  confirmed: boolean
  confirm_p?: number
  spread_pct: number
  /** About how many rounds are needed for a verdict on an undecided metric. */
  rounds_needed?: number
  /** Result of comparing the base with itself. It shows how far noise alone moves the metric. */
  control: { pct: number; ci: [number, number]; moved: boolean }
}

export interface ComparisonOutcome {
  verdict: ComparisonVerdict
  metrics: MetricComparison[]
}

/**
 * Which side provides the files that the command names: the base or the head for both, or each side its own.
 */
type BenchmarkSource = 'base' | 'head' | 'each'

export interface ComparisonOrder {
  /**
   * The base. Default: the latest common commit of the head and another branch, which is the target branch of
   * a pull request or else the default branch.
   */
  base?: string
  /** The head. Default: `.`, which is the working tree with its untracked files. */
  head?: string
  command: string
  build?: string
  metrics: readonly Pick<ComparedMetric, 'name' | 'direction'>[]
  format?: BenchmarkFormat
  /**
   * File to which the command writes its results. Default: results are read from the output of the command.
   */
  results?: string
  benchFrom: BenchmarkSource
  minEffect: number
  margin: number
  /**
   * Milliseconds that all executions may take together, without the builds. One round is measured
   * in any case.
   */
  budgetMs: number
  carry: readonly string[]
  env: readonly string[]
  isolate?: 'auto' | 'off' | 'require'
  seed: number
}

/** One of the two sides: its name as the user wrote it, its tree and its commit. */
export interface ComparisonSide {
  name: string
  tree: string
  /** Commit of this side; undefined for the working tree, and if `name` is that of a tree. */
  commit?: string
}

/** A finished comparison, as it is stored and printed with --json. */
export interface ComparisonRecord extends ComparisonOutcome {
  v: 1
  id: string
  timestamp: string
  base: ComparisonSide
  head: ComparisonSide
  command: string
  build?: string
  /** False if both sides have the same files, or differ only in files of the benchmark that they share. */
  measured: boolean
  rounds: number
  executions: number
  /** Seconds from the first execution to the verdict, without the builds; 0 without a measurement. */
  seconds: number
  isolation?: string
  /** Paths of the benchmark's files, which both sides shared. */
  sealed: string[]
  notes: string[]
}
