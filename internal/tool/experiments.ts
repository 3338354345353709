// The experiment capability: requests of the experiment tools to a session of measured experiments,
// and the results.
import type { Policy } from '../policy/policy.ts'

export interface ExperimentSetup {
  name: string
  metric: string
  direction: string
  objective?: string
  unit?: string
  command?: string
  build?: string
  checks?: string
  holdout?: string
  /** Files, directories or globs that candidates (changes to measure) may edit, relative to the workspace. */
  scope?: readonly string[]
  /** Globs of files that no candidate may change. */
  lock?: readonly string[]
  guards?: readonly string[]
  /** Files whose sizes are metrics: `PATH` for the primary metric, `METRIC=PATH` for another. */
  measureFiles?: readonly string[]
  /** Maximum number of runs of the session; 0 means without a limit. */
  maxRuns?: number
  reset?: boolean
  gate?: 'plain' | 'paired'
  /** Smallest effect that counts, as a share: 0.01 is one percent. */
  minEffect?: number
  timeoutMs?: number
  checksTimeoutMs?: number
  strictMetrics?: boolean
}

export interface ExperimentStarted {
  name: string
  segment: number
  gate: 'plain' | 'paired'
  command?: string
  branch?: string
  nullTest?: { floor_pct: number; pairs: number; very_noisy: boolean } | 'skipped'
  dirty: string[]
  notes: string[]
}

interface ExperimentRequest {
  command?: string
  timeoutMs?: number
  checksTimeoutMs?: number
  candidate?: string
  description?: string
  seed?: number
}

type ExperimentStatus = 'baseline' | 'keep' | 'discard' | 'crash' | 'checks_failed'

export interface MeasuredExperiment {
  run: number
  gate: 'plain' | 'paired'
  /**
   * Status of the run that follows from the measurement. The tool log_experiment records the final status.
   */
  status: ExperimentStatus
  reason: string
  metricName: string
  unit?: string
  metric?: number
  metrics: Record<string, number>
  effect?: {
    pct: number
    ci: [number, number]
    p: number
    pairs: number
    confirmed: boolean
    unit?: 'absolute'
  }
  noise?: { floor_pct: number }
  guards: { metric: string; ok: boolean; ratio: number }[]
  advice?: 'better' | 'worse' | 'within_noise' | 'undecided'
  checks?: 'ok' | 'failed' | 'timeout'
  lock: 'ok' | 'violated'
  detail?: string
  changed: string[]
  output: string
  checksOutput?: string
  notes: string[]
}

interface ExperimentLogRequest {
  status: ExperimentStatus
  metricValue?: number
  description?: string
  commitMessage?: string
  asi?: Record<string, unknown>
  restore?: boolean
}

export interface ExperimentLogged {
  line: {
    run: number
    status: ExperimentStatus
    reason: string
    evidence: string
    metric?: number
    overridden?: boolean
  }
  commit: string | null
  restored: string[]
  stopped: boolean
  notes: string[]
}

/**
 * Operations on measured experiments. Refusals reject with FailureError, problems that the user has to fix
 * with UserError. Measured commands cannot read the files that `policy` closes.
 */
export interface ExperimentCapability {
  /** Returns true if the workspace has an active experiment session. Does not read the session. */
  active(): boolean
  init(settings: ExperimentSetup, signal: AbortSignal, policy: Policy): Promise<ExperimentStarted>
  run(order: ExperimentRequest, signal: AbortSignal, policy: Policy): Promise<MeasuredExperiment>
  log(order: ExperimentLogRequest, signal: AbortSignal): Promise<ExperimentLogged>
}
