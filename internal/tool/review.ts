// A code review that a tool starts: what is reviewed, and the findings of the reviewer and the checks.

export type FindingSeverity = 'critical' | 'high' | 'medium' | 'low'

/** One fault that a reviewer has found; `file` is relative to the workspace and exists. */
export interface ReviewFinding {
  file: string
  /** From 1, in the file as it is now; it exists. */
  line: number
  severity: FindingSeverity
  title: string
  detail: string
  /** The check that it comes from; absent: the reviewer. */
  check?: string
}

export interface ReviewRequest {
  /** The change in words; absent: what git says has changed, and nothing changed is nothing to review. */
  description?: string
  /** Only these files; absent: all that have changed. */
  files?: readonly string[]
  /** What matters most. */
  focus?: string
  /** Also what the current branch has committed since it left this revision. */
  base?: string
  /** False: only the checks. */
  reviewer: boolean
  /** `changes`: the checks responsible for a changed file; `all`: every one, for the whole workspace. */
  checks: 'none' | 'changes' | 'all'
  /** Names or globs of checks; absent: all of them. */
  only?: readonly string[]
  profile?: string
  maxTurns?: number
  effort?: string
  /** For each child. */
  timeoutMs: number
}

/** How one child of a review went. */
export interface ReviewPart {
  /** `review` or the name of the check. */
  name: string
  check: boolean
  end: 'done' | 'partial' | 'failed'
  reason: string | undefined
  /** Threads of the child and, if its answer had to be asked for again, of the second one. */
  threads: string[]
  findings: number
}

export interface ReviewResult {
  /** `partial`: a part was cut short or could not be read; `failed`: no part gave an answer. */
  end: 'done' | 'partial' | 'failed'
  /** True when nothing has changed; then nothing has run. */
  empty: boolean
  /** Worst first. */
  findings: ReviewFinding[]
  /** What the reader must know besides: left out files, dropped findings, checks that did not run. */
  notes: string[]
  /** Files that were looked at, relative to the workspace. */
  files: string[]
  parts: ReviewPart[]
  model: string
  tokens: number
  /** null when a price was unknown. */
  usd: number | null
  ms: number
}

/** Rejects with UserError for an unknown revision, profile or model, never for what a child does. */
export type ReviewRunner = (order: ReviewRequest, signal: AbortSignal) => Promise<ReviewResult>
