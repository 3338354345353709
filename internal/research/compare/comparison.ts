// Comparison of two trees: what is asked, what was measured, and the verdict.
import type { BenchmarkFormat } from '../measure/benchmark-readers.ts'
import type { MetricDirection } from '../stats/statistics.ts'

export type ComparisonVerdict = 'gain' | 'loss' | 'same' | 'undecided'

/** Why a metric is undecided. `control moved`: the base differed from itself at the same time. */
export type UndecidedReason = 'control moved' | 'not repeated' | 'budget' | 'noise'

export interface ComparedMetric {
  name: string
  direction: MetricDirection
  /** False for a metric that is only shown. */
  decides: boolean
}

export type MetricValues = Readonly<Record<string, number>>

/** Three executions of the same minute, in random order. */
export interface ComparisonRound {
  base: MetricValues
  /** The base once more: the control. */
  control: MetricValues
  head: MetricValues
}

export interface ComparisonEvidence {
  rounds: readonly ComparisonRound[]
  /** Fresh rounds after a look that showed a change. */
  confirmation: readonly ComparisonRound[]
  /** True if no more rounds can be measured. */
  isBudgetSpent?: boolean
}

export interface ComparisonRules {
  metrics: readonly ComparedMetric[]
  /** Ascending numbers of rounds after which a decision is possible. */
  looks: readonly number[]
  /** Level of the whole test, shared by the looks. */
  alpha: number
  /** Least change that counts, as a share. */
  minEffect: number
  /** Number of fresh rounds that must repeat a change; 0: none. */
  confirm: number
  /** Largest change that counts as the same, as a share. */
  margin: number
  seed: number
}

/** `pct` and `ci` (90 %) are changes in percent, or in the metric's own unit for `unit: absolute`. */
export interface MetricComparison extends ComparedMetric {
  verdict: ComparisonVerdict
  reason?: UndecidedReason
  /** Medians of the metric on the base and on the head. */
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
  /** About how many rounds would settle an undecided metric. */
  rounds_needed?: number
  /** Result of a comparison of the base with itself, which shows how far noise moves the metric. */
  control: { pct: number; ci: [number, number]; moved: boolean }
}

export interface ComparisonOutcome {
  verdict: ComparisonVerdict
  metrics: MetricComparison[]
}

/** Where the files come from that the command names: one side for both, or each side its own. */
type BenchmarkSource = 'base' | 'head' | 'each'

export interface ComparisonOrder {
  /** Default: the common ancestor of HEAD and the default branch. */
  base?: string
  /** Default: `.`, the working tree with its untracked files. */
  head?: string
  command: string
  build?: string
  metrics: readonly Pick<ComparedMetric, 'name' | 'direction'>[]
  format?: BenchmarkFormat
  /** File that the command writes, in place of its standard output. */
  results?: string
  benchFrom: BenchmarkSource
  minEffect: number
  margin: number
  /** Time for all executions, without the builds. */
  budgetMs: number
  carry: readonly string[]
  env: readonly string[]
  isolate?: 'auto' | 'off' | 'require'
  seed: number
}

/** One side as the user named it. */
export interface ComparisonSide {
  name: string
  tree: string
  /** Commit of this side; undefined for the working tree. */
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
  /** False if both sides have the same files. */
  measured: boolean
  rounds: number
  executions: number
  /** Seconds of all executions, without the builds. */
  seconds: number
  isolation?: string
  /** Files of the benchmark that both sides shared. */
  sealed: string[]
  notes: string[]
}
