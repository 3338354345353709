// A code review that a tool starts: its request, and the findings of the reviewer and the checks.

export type FindingSeverity = 'critical' | 'high' | 'medium' | 'low'

/** A fault that the reviewer or a check has found. `file` is relative to the workspace and exists. */
export interface ReviewFinding {
  file: string
  /** Existing line in the present file, from 1. */
  line: number
  severity: FindingSeverity
  title: string
  detail: string
  /** Name of the check. Default: the reviewer. */
  check?: string
}

export interface ReviewRequest {
  /** The change in words. Default: the changes that git reports; without any, there is nothing to review. */
  description?: string
  /** Files to review. Default: all changed ones. */
  files?: readonly string[]
  /** Aspect that the reviewer checks above all. */
  focus?: string
  /** Revision since which commits of the current branch are reviewed too. */
  base?: string
  /** False to run only the checks. */
  reviewer: boolean
  /** `changes`: the checks responsible for a changed file; `all`: every one, for the whole workspace. */
  checks: 'none' | 'changes' | 'all'
  /** Names or globs of checks. Default: all. */
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
  /** Threads of the subagent and, if its answer had to be requested again, of the second one. */
  threads: string[]
  findings: number
}

export interface ReviewResult {
  /** `partial`: a part was interrupted or could not be read; `failed`: no part gave an answer. */
  end: 'done' | 'partial' | 'failed'
  /** True if nothing has changed, so that nothing has run. */
  empty: boolean
  /** Findings, worst first. */
  findings: ReviewFinding[]
  /** Notes for the reader: skipped files, dropped findings, checks that did not run. */
  notes: string[]
  /** Reviewed files, relative to the workspace. */
  files: string[]
  parts: ReviewPart[]
  model: string
  tokens: number
  /** Costs in US dollars; null if a price was unknown. */
  usd: number | null
  ms: number
}

/**
 * Runs a review and resolves to its result. Rejects with UserError for an unknown revision, profile or model,
 * but never for errors of a subagent.
 */
export type ReviewRunner = (order: ReviewRequest, signal: AbortSignal) => Promise<ReviewResult>
