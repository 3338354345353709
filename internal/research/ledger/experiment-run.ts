// An experiment's run as a union over its states, from running to logged, and the ledger line it becomes.
import type { TokenFields } from '../../base/text/token-kinds.ts'
import type {
  ChecksOutcome,
  HoldoutOutcome,
  MeasuredEffect,
  SampleAdvice,
  VerdictReason,
} from '../judge/evidence.ts'
import type { GuardOutcome } from '../judge/guardrail-metric.ts'

export type GateKind = 'plain' | 'paired'
export type ExperimentRunStatus = 'baseline' | 'keep' | 'discard' | 'crash' | 'checks_failed'
export const runStatuses: readonly ExperimentRunStatus[] = [
  'baseline',
  'keep',
  'discard',
  'crash',
  'checks_failed',
]

/** Why a run ended as it did: the judge's words, or those of executing and bookkeeping. */
export type RunReason =
  | VerdictReason
  | 'baseline'
  | 'single_sample'
  | 'no_metric'
  | 'ambiguous_metric'
  | 'interrupted'
  | 'abandoned'
  | 'conflict'
  | 'override'
  | 'build'
  | 'caller'
  | `exit ${string}`

/** Samples in the order they were taken; `order` says which arm came first in each pair. */
export interface SampleValues {
  base: number[]
  cand: number[]
  order?: string
}

/** What measuring has shown, as results and records share it. */
interface RunFindings {
  run: number
  segment: number
  status: ExperimentRunStatus
  reason: RunReason
  metric?: number
  metrics: Record<string, number>
  samples?: SampleValues
  confirmation?: SampleValues
  effect?: MeasuredEffect
  noise?: { floor_pct: number }
  drift?: { pct: number }
  checks?: ChecksOutcome
  holdout?: HoldoutOutcome
  lock: 'ok' | 'violated'
  detail?: string
  offer?: 'simpler'
  /** Kept although it looks too good: confirmed in fresh pairs, with checks. */
  suspect?: true
  /** Under what executions ran: `wall`, `namespaces`, or `not isolated: …`. */
  isolation?: string
  tree?: string
}

/** The result of measuring. `status` is what the engine would log. */
export interface RunResult extends RunFindings {
  gate: GateKind
  metricName: string
  unit?: string
  direction: 'lower' | 'higher'
  guards: GuardOutcome[]
  /** Under `plain`: how the value compares with best. */
  advice?: SampleAdvice
  candidate?: string
  changed: string[]
  produced: string[]
  outside: string[]
  leaked: number
  /** Tail of what the last execution printed, and of the checks. */
  output: string
  checksOutput?: string
  command?: string
  override: boolean
  ms: number
  notes: string[]
}

/** What is known of a run from its start, and stays true until it is closed. */
interface StartedRun {
  run: number
  segment: number
  /** Process that works or worked on it, and its mark (see base/process-identity.ts). */
  pid: number
  mark: string
  started: string
  gate: GateKind
  where: 'workspace' | 'worktree'
  /** Candidate's worktree; absent: the workspace. */
  candidate?: string
  command?: string
  override: boolean
  lock: string
  /**
   * Trees: best when it was measured, the candidate, and the checkout after the run (with what the run
   * produced).
   */
  parent?: string
  tree?: string
  after?: string
  /** Commit that the checkout stood on. */
  head?: string
  description?: string
  seed: number
  /** What has changed since it was measured; then it has to be measured again. */
  stale?: string
  /** Whether files are to be put back once it is logged; absent until that is decided. */
  restore?: boolean
}

/** A commit on its way: the branch moves from `from` to `commit`, then the index follows. */
export interface PendingCommit {
  commit: string
  from: string
  ref: string
  /** Checkout whose index follows. */
  gitDir: string
  line: RunLine
}

interface RunningRun extends StartedRun {
  state: 'running'
}

/** Waits to be logged. */
export interface MeasuredRun extends StartedRun {
  state: 'measured'
  ran: RunResult
}

/** The commit of a kept run exists and the branch is being moved. */
interface CommittingRun extends StartedRun {
  state: 'committing'
  ran: RunResult
  keep: PendingCommit
}

/** On record; what remains is to put files back. Without a result when it was cut off. */
interface RecordedRun extends StartedRun {
  state: 'logged'
  ran?: RunResult
}

/** On record for good: a line of the ledger, spelled as it is stored. */
export interface RunLine extends RunFindings {
  type: 'run'
  /** Tree of best when the run was measured. */
  parent?: string
  commit?: string | null
  /** Where the candidate lives: the checkout of the person, or a worktree on the session's own branch. */
  where: 'workspace' | 'worktree'
  evidence: 'single_sample' | 'paired' | 'none'
  /** True when `metric` was given by the caller; `parsed` is what had been measured. */
  overridden?: boolean
  parsed?: number
  guards?: GuardOutcome[]
  /** Best over baseline for each guard metric, of a kept run. */
  carry?: Record<string, number>
  /** The verdict of the judge where the caller chose another status. */
  verdict?: ExperimentRunStatus
  /** The command, where it was not the configured one; see run-line.ts. */
  command_override?: string
  changed?: string[]
  /** Paths that the run itself made or changed, as they are in the tree `after`. */
  produced?: string[]
  after?: string
  outside?: string[]
  leaked?: number
  description?: string
  asi?: Record<string, unknown>
  cost?: ExperimentCost
  seed?: number
  ms?: number
  timestamp: string
}

/**
 * Spent on proposing. `usd` is null where a price is unknown (0 in lines of earlier versions); the kinds of
 * tokens are missing in those.
 */
export interface ExperimentCost extends Partial<TokenFields> {
  usd: number | null
  tokens: number
  /** Models that took over from the first of a list; absent where none did. */
  stand_ins?: string[]
}

/** An open run, as `pending.json` holds it; once closed, its RunLine remains. */
export type ExperimentRun = RunningRun | MeasuredRun | CommittingRun | RecordedRun
