// The board (the shown state) of an experiment session, which screen, page and API share. Its keys
// must not change.

/**
 * Unit of a change: that of the metric for `absolute`, which a change from a median of 0 has, and
 * percent for null.
 */
type ChangeUnit = 'absolute' | null

/** One logged run of an experiment session. */
export interface BoardRun {
  run: number
  status: string
  reason: string
  description: string
  metric: number | null
  /** Confidence interval of the change as two values of the metric, in the unit of the metric. */
  range: [number, number] | null
  /**
   * Change of the metric against the best run so far, and its confidence interval; null without
   * a valid measurement.
   */
  pct: number | null
  ci: [number, number] | null
  /** Unit of `pct` and `ci`. */
  unit: ChangeUnit
  /** Details about how the run ended, in addition to its reason. */
  detail: string | null
  timestamp: string
  /** Notes of the proposer in the detailed board: its hypothesis, what was learned, what to try next. */
  notes?: { name: string; text: string }[]
}

/** Fields that only the page and the API show. */
interface ResearchDetail {
  /**
   * Repeated measurements of the baseline, oldest first. `drifted`: the unchanged program gives a different
   * value than at the start.
   */
  drifts?: { pct: number; unit: ChangeUnit; drifted: boolean; timestamp: string }[]
  /** Ideas for later experiments, as Markdown; null without ideas or without a loop. */
  ideas?: string | null
  /**
   * The loop that proposes changes and measures them; null if it does not run. `started` is in
   * milliseconds since 1970.
   */
  loop?: { policy: string; isPaused: boolean; started: number } | null
}

export interface ResearchBoard extends ResearchDetail {
  /** Id of the session: `HOME.SESSION`, which are directories in the data directory. */
  id: string
  name: string
  objective: string
  metric: string
  unit: string
  direction: 'lower' | 'higher'
  gate: string
  segment: number
  command: string
  counts: Readonly<Record<string, number>>
  /** Largest number of runs of the session; 0: no limit. */
  max_runs: number
  stopped: boolean
  baseline: { value: number; floor_pct: number } | null
  /** Number of the best run; null if the baseline is best. */
  best: number | null
  final: { pct: number; ci: [number, number]; unit: ChangeUnit; gain: boolean; run: number } | null
  runs: BoardRun[]
  /** Runs that are not logged yet. */
  pending: { run: number; state: string; alive: boolean; started: string }[]
  warnings: readonly string[]
  tokens: number
  usd: number | null
}

/**
 * An experiment session in a list. `updated` is the last change of its ledger, in milliseconds since 1970.
 */
export interface ListedResearch
  extends Pick<ResearchBoard, 'id' | 'name' | 'objective' | 'metric' | 'counts' | 'stopped' | 'usd'> {
  updated: number
}

/**
 * One line of the ledger, which is the log of an experiment session, without nested values such as
 * the measured samples.
 */
export interface ResearchRecord {
  /** Number of the entry, from 1 without gaps. */
  seq: number
  type: string
  [field: string]: unknown
}
