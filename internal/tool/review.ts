// A code review that a tool starts: its request, and the findings of the reviewer and the checks.

export type FindingSeverity = 'critical' | 'high' | 'medium' | 'low'

/** A fault that the reviewer or a check has found. `file` is an existing file, relative to the workspace. */
export interface ReviewFinding {
  file: string
  /** Number of an existing line in the present file, counted from 1. */
  line: number
  severity: FindingSeverity
  title: string
  detail: string
  /** Name of the check that found the fault. Default: the reviewer. */
  check?: string
}

export interface ReviewRequest {
  /**
   * The change to review, in words. Default: the changes that git reports. Without a description, changes and
   * `files`, the review is empty unless `checks` is `all`.
   */
  description?: string
  /** Files to review. Default: all changed ones. */
  files?: readonly string[]
  /** Aspect that the reviewer checks above all. */
  focus?: string
  /** Revision since which commits of the current branch are reviewed too. */
  base?: string
  /** True to run the reviewer; false to run only the checks. */
  reviewer: boolean
  /**
   * Checks to run. `changes`: those responsible for a changed file; `all`: every check, for
   * the whole workspace.
   */
  checks: 'none' | 'changes' | 'all'
  /** Names or globs of the checks to run. Default: all. */
  only?: readonly string[]
  profile?: string
  maxTurns?: number
  effort?: string
  /** Time limit of each subagent, in milliseconds. */
  timeoutMs: number
}

/** The result of one subagent of a review. */
export interface ReviewPart {
  /** Name of the part: `review`, or the name of the check. */
  name: string
  check: boolean
  end: 'done' | 'partial' | 'failed'
  reason: string | undefined
  /** Threads of the subagent. If its answer had to be requested again, they include the second thread. */
  threads: string[]
  findings: number
}

export interface ReviewResult {
  /**
   * The end of the review. `partial`: a part was interrupted, could not be read, or did not run; `failed`: no
   * part gave an answer.
   */
  end: 'done' | 'partial' | 'failed'
  /** True if there was nothing to review, so that no part of the review has run. */
  empty: boolean
  /** The findings, worst first. */
  findings: ReviewFinding[]
  /** Notes for the reader: skipped files, dropped findings, checks that did not run. */
  notes: string[]
  /** Reviewed files, relative to the workspace. */
  files: string[]
  parts: ReviewPart[]
  model: string
  tokens: number
  /** Costs of the review in US dollars; null if a price was unknown. */
  usd: number | null
  ms: number
}

/**
 * Runs a review and resolves to its result. Rejects with UserError for an unknown revision, profile or model,
 * for a named file outside the workspace, without both a description and a git repository, and if no program
 * can be started. Rejects with FailureError if git fails or `signal` aborts before the subagents start. An
 * error within a subagent is a part of the result.
 */
export type ReviewRunner = (order: ReviewRequest, signal: AbortSignal) => Promise<ReviewResult>
