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

/** Reason for the end of a run: a reason of the judge, or one of execution and bookkeeping. */
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

/** Samples in the order of measurement; `order` says which arm came first in each pair. */
export interface SampleValues {
  base: number[]
  cand: number[]
  order?: string
}

/** Measured findings that results and records share. */
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
  /** Set for a kept run that looks too good. Fresh pairs and checks have confirmed it. */
  suspect?: true
  /** Isolation of the executions: `wall`, `namespaces`, or `not isolated: …`. */
  isolation?: string
  tree?: string
}

/** Result of a measurement. `status` is the status that the engine would log. */
export interface RunResult extends RunFindings {
  gate: GateKind
  metricName: string
  unit?: string
  direction: 'lower' | 'higher'
  guards: GuardOutcome[]
  /** Comparison of the value with best under the gate `plain`. */
  advice?: SampleAdvice
  candidate?: string
  changed: string[]
  produced: string[]
  outside: string[]
  leaked: number
  /** Tail of the output of the last execution, and of the checks. */
  output: string
  checksOutput?: string
  command?: string
  override: boolean
  ms: number
  notes: string[]
}

/** Data of a run that is known from its start and never changes. */
interface StartedRun {
  run: number
  segment: number
  /** Process that works or worked on the run, and its mark (see base/process-identity.ts). */
  pid: number
  mark: string
  started: string
  gate: GateKind
  where: 'workspace' | 'worktree'
  /** Candidate's worktree. Default: the workspace. */
  candidate?: string
  command?: string
  override: boolean
  lock: string
  /**
   * Trees: best at the time of the measurement, the candidate, and the checkout after the run (with the files
   * that the run produced).
   */
  parent?: string
  tree?: string
  after?: string
  /** Current commit of the checkout. */
  head?: string
  description?: string
  seed: number
  /** Changes since the measurement. If set, the run has to be measured again. */
  stale?: string
  /** Whether to restore files after the run is logged. Undefined until that is decided. */
  restore?: boolean
}

/** An unfinished commit: the branch moves from `from` to `commit`, then the index follows. */
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

/** A measured run that is not logged yet. */
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

/** A logged run whose files still have to be restored. It has no result if it was interrupted. */
interface RecordedRun extends StartedRun {
  state: 'logged'
  ran?: RunResult
}

/** A closed run: a line of the ledger, in its stored spelling. */
export interface RunLine extends RunFindings {
  type: 'run'
  /** Tree of best at the time of the measurement. */
  parent?: string
  commit?: string | null
  /** Location of the candidate: the user's checkout, or a worktree on the session's own branch. */
  where: 'workspace' | 'worktree'
  evidence: 'single_sample' | 'paired' | 'none'
  /** True if the caller supplied `metric`; `parsed` is then the measured value. */
  overridden?: boolean
  parsed?: number
  guards?: GuardOutcome[]
  /** Ratio of best to the baseline for each guard metric, of a kept run. */
  carry?: Record<string, number>
  /** Verdict of the judge, if the caller chose another status. */
  verdict?: ExperimentRunStatus
  /** The command, if it was not the configured one; see run-line.ts. */
  command_override?: string
  changed?: string[]
  /** Paths that the run itself created or changed, as in the tree `after`. */
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
 * Cost of the proposal. `usd` is null for an unknown price (0 in lines of earlier versions). Lines of earlier
 * versions have no token counts per kind.
 */
export interface ExperimentCost extends Partial<TokenFields> {
  usd: number | null
  tokens: number
  /** Fallback models that replaced the first of a list; undefined if there was no replacement. */
  stand_ins?: string[]
}

/** An open run, as stored in `pending.json`. Once closed, only its RunLine remains. */
export type ExperimentRun = RunningRun | MeasuredRun | CommittingRun | RecordedRun
