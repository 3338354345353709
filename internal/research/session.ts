// Interface of an experiment session: its operations, and what each one takes and returns.
import type { ClosedPaths, RunCommand } from '../process/process-command.ts'
import type {
  ExperimentRun,
  ExperimentRunStatus,
  ProposalNotes,
  RunLine,
  RunResult,
} from './ledger/experiment-run.ts'
import type { ExperimentSegment, LedgerState } from './ledger/fold.ts'
import type { FinalLine } from './ledger/ledger-entry.ts'
import type { ProgressListener } from './progress.ts'
import type { SessionSettings } from './settings.ts'

export interface ResearchOptions {
  /** The workspace. It may be a directory below the top of a repository. */
  cwd: string
  /** Data directory. Its directory `research/` contains the sessions. */
  data: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand
  /** Files below the workspace that a sandbox hides from measured commands. Default: none. */
  closed?: ClosedPaths | undefined
  /**
   * True if the user has trusted the workspace, so that its repository's content filters run
   * as in any checkout.
   */
  trusted?: boolean
  /** Ends the current operation. An open run is then settled as `interrupted`. */
  signal: AbortSignal
  /** Name of a session. Default: the active one of this workspace. */
  session?: string
  tell?: ProgressListener
  /**
   * Number of measurements of the baseline in a session that compares pairs of samples. If the values are
   * constant, fewer are taken. Default: 8.
   */
  baselineSamples?: number
}

/**
 * Operations of a session. A violated rule is a FailureError whose code is the rule (`no_session`,
 * `run_pending`, `stale`, …). A problem that the user has to fix is a UserError with its exit code (1 failed
 * operation, 2 usage or unusable metric, 5 damaged ledger, 130 interrupted). A run that crashes, fails its
 * checks or is discarded is a result, not an error.
 */
export interface ResearchSession {
  init(settings: SessionSettings): Promise<StartedSession>
  /** Measures a candidate, or first the baseline if it is missing. The result is pending until `log`. */
  run(order?: RunOrder): Promise<RunResult>
  log(order: LogOrder): Promise<LoggedRun>
  /** Runs the A/A test, in which every candidate equals the baseline. The ledger does not record it. */
  aa(order?: { candidates?: number; seed?: number }): Promise<AaTestResult>
  /** Compares the best tree so far with the baseline on fresh pairs and appends a `final` line. */
  final(order?: { pairs?: number; seed?: number }): Promise<FinalLine>
  /** Settles what a crash or an interrupt has left. */
  resume(): Promise<RecoveryResult>
  /** Checks the ledger's chain of hashes, its copy, commits, locks and statuses. Changes nothing. */
  verify(): Promise<LedgerVerification>
  /** Returns the current state without waiting for the lock and without changes. */
  state(): Promise<ResearchState>
  /**
   * Creates a worktree on the best tree so far for a new candidate. `spare` is an earlier worktree that is
   * emptied and used again.
   */
  candidate(label?: string, spare?: string): Promise<CandidateWorktree>
  /** Removes the worktree of a candidate. Rejects with `run_pending` if its run is not logged. */
  drop(path: string): Promise<void>
  /**
   * Moves a candidate that was made from an older best tree to the current best tree. `current`: it
   * was made from that tree. `conflict`: its changes do not merge or its first tree is unknown, and
   * it stays unchanged.
   */
  rebase(path: string): Promise<'current' | 'rebased' | 'conflict'>
  /** Puts the kept commits on a branch for review and deletes the refs of rejected candidates. */
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
  /** Changed but uncommitted files, which are now part of the baseline. */
  dirty: string[]
  notes: string[]
}

export interface RunOrder {
  command?: string
  timeoutMs?: number
  checksTimeoutMs?: number
  /** A worktree from `candidate`. Default: the workspace in its current state. */
  candidate?: string
  description?: string
  seed?: number
  /**
   * True if the user accepts a gain that is not plausible (beyond `max_plausible` or zero), and code that may
   * print metrics itself.
   */
  acceptImplausible?: boolean
  /**
   * Reason why the candidate does not fit the best tree. The candidate is then not measured, and its result
   * is `discard` with the reason `conflict`.
   */
  conflict?: string
  /**
   * True if other candidates of this process may have pending runs at the same time; each worktree has
   * at most one.
   */
  parallel?: boolean
}

export interface LogOrder extends ProposalNotes {
  /**
   * Status to record for the run. Default: the verdict of its measurement. Required for a successful run of
   * the plain gate, which has no verdict, unless it is the baseline.
   */
  status?: ExperimentRunStatus
  metricValue?: number
  commitMessage?: string
  /** False if the changes of the candidate stay in its files. Default: a rejected candidate is reverted. */
  restore?: boolean
  /** Number of a pending run. Default: the only one. */
  run?: number
}

export interface LoggedRun {
  line: RunLine & { seq: number }
  commit: string | null
  /** Paths whose content was restored to that of the best tree. */
  restored: string[]
  /** Paths that differ from the best tree but do not belong to the candidate. */
  leftAlone: string[]
  /**
   * True if the segment (the part of the ledger under one configuration) has reached its largest
   * number of runs.
   */
  stopped: boolean
  notes: string[]
}

export interface AaTestResult {
  candidates: number
  false_keeps: number
  naive_keeps: number
  /**
   * Change in percent of the first baseline sample that a naive rule, which keeps every better single sample,
   * would report as its gain; in the unit of the metric for `unit: absolute`. Minus means a smaller value.
   */
  naive_claimed_pct: number
  /** Set if the first baseline sample is 0, of which no percentage exists. */
  unit?: 'absolute'
  floor_pct: number
  pairs: number
}

export interface RecoveryResult {
  recovered: 'interrupted' | 'measured' | 'restored' | 'committed' | 'torn' | 'nothing'
  run?: number
  /** True if the workspace no longer contains changes of a rejected candidate. */
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
  /** Start commit of the branch: the current commit when the segment began. */
  base: string
  commits: { run: number; commit: string; subject: string }[]
  /** Number of rejected candidates whose refs were deleted. */
  released: number
}

/** An open run: started, measured but not logged yet, or logged while its files still have to be restored. */
export interface PendingRunView extends Pick<ExperimentRun, 'run' | 'pid' | 'candidate' | 'started'> {
  state: 'running' | 'measured' | 'logged'
  alive: boolean
  ran?: RunResult
}

export interface ResearchState extends LedgerState {
  session: string | undefined
  pending: PendingRunView[]
  /** Number of lines of the ledger in the data directory. */
  lines: number
  /** Earlier segments, read from files of earlier versions without hashes. */
  legacy: ExperimentSegment[]
}

export interface CandidateWorktree {
  path: string
  /** Tree from which the worktree was created. */
  tree: string
  label: string
}
