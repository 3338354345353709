// The interface of an experiment session: its operations, their orders and results.
import type { ClosedPaths, RunCommand } from '../process/process-command.ts'
import type {
  ExperimentCost,
  ExperimentRun,
  ExperimentRunStatus,
  RunLine,
  RunResult,
} from './ledger/experiment-run.ts'
import type { ExperimentSegment, LedgerState } from './ledger/fold.ts'
import type { FinalLine } from './ledger/ledger-entry.ts'
import type { ProgressListener } from './progress.ts'
import type { SessionSettings } from './settings.ts'

export interface ResearchOptions {
  /** The workspace; a folder below the top of a repository is fine. */
  cwd: string
  /** Data directory; everything lies in `research/` inside it. */
  data: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand
  /** Files below the workspace that a sandbox hides from measured commands; absent: none. */
  closed?: ClosedPaths | undefined
  /** A person has trusted the workspace: content filters of its repository run as for any checkout. */
  trusted?: boolean
  /** Aborting ends what runs; an open run is then settled as `interrupted`. */
  signal: AbortSignal
  /** Name of a session; absent: the active one of this workspace. */
  session?: string
  tell?: ProgressListener
  /** How often the baseline of a paired session is measured; 8 times by default. */
  baselineSamples?: number
}

/**
 * Refusals by a rule are thrown as FailureError whose code is the rule (`no_session`, `run_pending`, `stale`,
 * …); what a person has to mend is a UserError with its exit code (2 usage or unusable metric, 5 damaged
 * ledger). A run that crashes, fails its checks or is discarded is a result, not an error.
 */
export interface ResearchSession {
  init(settings: SessionSettings): Promise<StartedSession>
  /** Measures and leaves the result pending until `log`. */
  run(order?: RunOrder): Promise<RunResult>
  log(order: LogOrder): Promise<LoggedRun>
  /** Null test: every candidate is the baseline. Nothing of it enters the ledger. */
  aa(order?: { candidates?: number; seed?: number }): Promise<AaTestResult>
  /** Best against baseline on fresh pairs; appends a `final` line. */
  final(order?: { pairs?: number; seed?: number }): Promise<FinalLine>
  /** Settles what a crash or an interrupt has left. */
  resume(): Promise<RecoveryResult>
  /** Checks chain, copy, commits, locks and statuses; changes nothing. */
  verify(): Promise<LedgerVerification>
  /** What is known, without waiting for anything and without changing anything. */
  state(): Promise<ResearchState>
  /**
   * A worktree on best, for a candidate to be made in; `spare` is an earlier one that is emptied and used
   * again.
   */
  candidate(label?: string, spare?: string): Promise<CandidateWorktree>
  /** Removes a candidate's worktree; refused (`run_pending`) while its run is not logged. */
  drop(path: string): Promise<void>
  /** Brings a candidate that was made on an older best onto the present one. */
  rebase(path: string): Promise<'current' | 'rebased' | 'conflict'>
  /** Kept commits on a branch for review; rejected candidates are let go. */
  finalize(order?: { branch?: string }): Promise<ReviewBranch>
}

export interface StartedSession {
  name: string
  segment: number
  session: string
  gate: 'plain' | 'paired'
  command?: string
  tree?: string
  head?: string
  branch?: string
  nullTest?: { floor_pct: number; pairs: number; very_noisy: boolean } | 'skipped'
  /** Files that were changed but not committed, and are now part of the baseline. */
  dirty: string[]
  notes: string[]
}

export interface RunOrder {
  command?: string
  timeoutMs?: number
  checksTimeoutMs?: number
  /** A worktree from `candidate`; absent: the workspace as it is. */
  candidate?: string
  description?: string
  seed?: number
  /** A person believes an effect beyond `max_plausible`. */
  acceptImplausible?: boolean
  /**
   * Why the candidate does not fit best: it is not measured, and its result is `discard`, reason `conflict`.
   */
  conflict?: string
  /** True while other candidates of the same process may have pending runs; each worktree has at most one. */
  parallel?: boolean
}

export interface LogOrder {
  /** Absent: the verdict that is known. */
  status?: ExperimentRunStatus
  metricValue?: number
  description?: string
  commitMessage?: string
  asi?: Record<string, unknown>
  cost?: ExperimentCost
  /** False: the candidate's changes stay where they are. */
  restore?: boolean
  /** Which of several pending runs; absent: the only one. */
  run?: number
}

export interface LoggedRun {
  line: RunLine & { seq: number }
  commit: string | null
  /** Paths that were put back to best. */
  restored: string[]
  /** Paths that differ from best and were not the candidate's to put back. */
  leftAlone: string[]
  /** The segment has reached `max_runs`. */
  stopped: boolean
  notes: string[]
}

export interface AaTestResult {
  candidates: number
  false_keeps: number
  naive_keeps: number
  /** What the naive rule would claim in the end, in percent of the baseline. */
  naive_claimed_pct: number
  floor_pct: number
  pairs: number
}

export interface RecoveryResult {
  recovered: 'interrupted' | 'measured' | 'restored' | 'committed' | 'torn' | 'nothing'
  run?: number
  /** The workspace holds nothing of a candidate that was logged as rejected. */
  worktree_clean: boolean
  notes: string[]
}

export interface LedgerVerification {
  ok: boolean
  lines: number
  problems: string[]
}

export interface ReviewBranch {
  branch: string
  /** Commit that the branch starts from: where the checkout stood when the segment began. */
  base: string
  commits: { run: number; commit: string; subject: string }[]
  /** Rejected candidates that nothing holds any more. */
  released: number
}

/** A run that is not logged yet. */
export interface PendingRunView extends Pick<ExperimentRun, 'run' | 'pid' | 'candidate' | 'started'> {
  state: 'running' | 'measured' | 'logged'
  alive: boolean
  ran?: RunResult
}

export interface ResearchState extends LedgerState {
  session: string | undefined
  pending: PendingRunView[]
  /** Lines of the sealed ledger. */
  lines: number
  /** Earlier segments read from legacy files; they carry no hashes. */
  legacy: ExperimentSegment[]
}

export interface CandidateWorktree {
  path: string
  /** Tree it was made from. */
  tree: string
  label: string
}
