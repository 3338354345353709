// Types of a run in its states from the start until it is logged, and of the line of the ledger
// that it becomes.
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

/** Why a run got its status: a reason of the judge, or a reason of its execution or logging. */
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

/** Samples in the order of measurement. `order` says which side came first in each pair. */
export interface SampleValues {
  base: number[]
  cand: number[]
  order?: string
}

/** Findings of a measurement, in fields that the result and the record of a run share. */
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
  drift?: { pct: number; unit?: 'absolute' }
  checks?: ChecksOutcome
  holdout?: HoldoutOutcome
  lock: 'ok' | 'violated'
  detail?: string
  offer?: 'simpler'
  /**
   * Isolation of the executions: `wall` (a sandbox), `namespaces` (all files readable, network open), which
   * can be followed by `, keyrings are shared`, or `not isolated: …`.
   */
  isolation?: string
  tree?: string
}

/** Paths that a candidate or the execution of its benchmark has changed. */
export interface CandidatePaths {
  changed: string[]
  /** Paths that the run itself created or changed in its checkout, as they are in the tree `after`. */
  produced: string[]
  outside: string[]
}

/** What the proposer of a candidate states about it when its run is logged. */
export interface ProposalNotes {
  description?: string
  asi?: Record<string, unknown>
  cost?: ExperimentCost
}

/** Result of a measurement. `status` is the status that the engine would log. */
export interface RunResult extends RunFindings, CandidatePaths {
  gate: GateKind
  metricName: string
  unit?: string
  direction: 'lower' | 'higher'
  guards: GuardOutcome[]
  /**
   * Comparison of the single sample with best, the best tree so far. It is only advice, because the gate
   * `plain` gives no verdict.
   */
  advice?: SampleAdvice
  candidate?: string
  leaked: number
  /**
   * The last lines of the output of the last execution. `checksOutput` has the last lines of
   * the checks' output.
   */
  output: string
  checksOutput?: string
  command?: string
  override: boolean
  ms: number
  notes: string[]
}

/** Data that a run has in every state. Most of it is known from the start and never changes. */
interface StartedRun {
  run: number
  segment: number
  /**
   * Id of the process that works or has worked on the run. `mark` identifies the same process even if its id
   * is used again (see base/process-identity.ts).
   */
  pid: number
  mark: string
  started: string
  gate: GateKind
  where: 'workspace' | 'worktree'
  /** Path of the candidate's worktree. Default: the candidate is in the workspace. */
  candidate?: string
  command?: string
  override: boolean
  lock: string
  /**
   * Trees: `parent` is best (the best tree so far) at the time of the measurement, `tree` the candidate.
   * `after` is the checkout: after the run under the gate `plain`, which keeps produced files, else
   * before the run.
   */
  parent?: string
  tree?: string
  after?: string
  /** Commit of the checkout when the run began. */
  head?: string
  description?: string
  seed: number
  /**
   * Changes since the measurement, because of which the run has to be measured again; undefined
   * without a change.
   */
  stale?: string
  /**
   * True if the files that the candidate changed are set back to the best tree after the run is logged.
   * Undefined until that is decided.
   */
  restore?: boolean
}

/** An unfinished commit: the branch moves from `from` to `commit`, then the index follows. */
export interface PendingCommit {
  commit: string
  from: string
  ref: string
  /** Git directory of the checkout whose index has to be updated. */
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

/** A kept run whose commit exists and whose branch is being moved. */
interface CommittingRun extends StartedRun {
  state: 'committing'
  ran: RunResult
  keep: PendingCommit
}

/**
 * A logged run whose files still have to be changed back to those of the best tree. It has no result if the
 * run was interrupted.
 */
interface RecordedRun extends StartedRun {
  state: 'logged'
  ran?: RunResult
}

/** A run that is logged, as its line in the ledger spells it. */
export interface RunLine extends RunFindings, Partial<CandidatePaths>, ProposalNotes {
  type: 'run'
  /** The best tree so far at the time of the measurement. */
  parent?: string
  commit?: string | null
  /** Where the candidate was: in the user's checkout, or in another worktree of the repository. */
  where: 'workspace' | 'worktree'
  evidence: 'single_sample' | 'paired' | 'none'
  /** True if the caller passed another value as `metric`; `parsed` is then the measured value. */
  overridden?: boolean
  parsed?: number
  guards?: GuardOutcome[]
  /**
   * Ratio to the baseline for each guard metric, which is a secondary metric with a limit. If the run is
   * kept, later runs read from it how far the best tree already differs.
   */
  carry?: Record<string, number>
  /** Verdict of the judge, if the caller chose another status than the verdict. */
  verdict?: ExperimentRunStatus
  /** The command of the run, if it was not the configured one; see run-line.ts. */
  command_override?: string
  after?: string
  /**
   * Set only in ledger lines of earlier versions: true if a kept run looks too good to be true, although
   * fresh pairs and checks have confirmed it.
   */
  suspect?: true
  leaked?: number
  seed?: number
  ms?: number
  timestamp: string
}

/**
 * Cost of the proposal. `usd` is null for an unknown price (0 in lines of earlier versions). Lines of earlier
 * versions have only a total of tokens.
 */
export interface ExperimentCost extends Partial<TokenFields> {
  usd: number | null
  tokens: number
  /** Models that replaced the first model of a list with fallbacks; undefined if none was needed. */
  stand_ins?: string[]
}

/**
 * An open run: one that is not logged, or whose files still have to be restored. It is stored in
 * `pending.json`; once closed, only its RunLine remains.
 */
export type ExperimentRun = RunningRun | MeasuredRun | CommittingRun | RecordedRun
