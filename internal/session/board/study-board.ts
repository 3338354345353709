// The board (the shown state) of a study, which screen, page and API share. Its keys must not change.

export interface BoardTask {
  id: string
  objective: string
  /** Phase of the task. `short`: the task ended with an incomplete result, or did not run. */
  phase: 'waiting' | 'running' | 'done' | 'short' | 'failed'
  /** How the task ended and why; while it runs, its latest call; null before that. */
  news: string | null
  owner: string | null
  attempts: number
  steps: number
  claims: number
  /**
   * Start and end of the task in milliseconds since 1970. Null before it starts; `ended` is null
   * while it runs.
   */
  started: number | null
  ended: number | null
  /**
   * Periods in which workers worked on the task, oldest first; the last one may still be running. Set only in
   * the detailed board.
   */
  turns?: WorkerTurn[]
}

/** One worker's work on a task. */
export interface WorkerTurn {
  owner: string
  attempt: number
  /** Start and end of the work, in milliseconds since 1970; the end is null while the work continues. */
  started: number
  ended: number | null
  /** Reason why the turn ended without a result; null if it has a result or still runs. */
  lost: string | null
}

export interface BoardClaim {
  id: string
  task: string
  text: string
  quote: string
  /** Exact position of the quote in its source; null if the study lacks the evidence. */
  place: string | null
  evidence: string
  /** Result of the check: `verified`, `quoted` or `not_found`; null before the check. */
  state: 'verified' | 'quoted' | 'not_found' | null
  /** True for the state `verified`; null before the check. */
  verified: boolean | null
  /** Reason why the claim is not verified; null if it is verified or not checked yet. */
  reason: string | null
}

export interface BoardMessage {
  from: string
  to: string
  type: string
  body: string
}

/** Fields that only the page and the API show. */
interface StudyDetail {
  /** The latest 60 passages that workers have read, latest first. */
  read?: StudyReading[]
  /** The latest 50 messages that workers have read, latest first. */
  mailbox?: BoardMessage[]
}

/** A passage that a worker has read and may quote. */
interface StudyReading {
  id: string
  task: string
  tool: string
  source: string
  locator: string
}

/** Whether a study still runs, and how it ended. */
export interface BoardProgress {
  status: string
  /** Description of the outcome in words. */
  outcome: string
  reason: string | null
  /** True if the process of the study ran on this machine and has died without ending the study. */
  abandoned: boolean
  isOver: boolean
}

/**
 * Usage of a study so far. `max_tokens` is its limit, null without one; `usd` is null if a price is unknown.
 */
export interface BoardSpending {
  tokens: number
  max_tokens: number | null
  usd: number | null
}

/** Messages that workers have read: their number, and the latest ones. */
export interface BoardMail {
  messages: number
  last_message: BoardMessage | null
  /** The latest messages that workers have read, at most 50, newest last. */
  mail: BoardMessage[]
}

export interface StudyBoard extends BoardProgress, BoardSpending, BoardMail, StudyDetail {
  id: string
  question: string
  /** Creation, last change and time limit of the study, in milliseconds since 1970. */
  created: number
  updated: number
  deadline: number
  model: string
  engine: string
  workers: number
  tasks: BoardTask[]
  claims: BoardClaim[]
  evidence: number
  /**
   * Share of the question's parts that are answered, from 0 to 1. A part with claims and gaps counts partly.
   */
  coverage: number
  citation_accuracy: number | null
  notices: { code: string; text: string }[]
  gaps: { task: string; gap: string }[]
}

/** One entry of a study's log, without the texts that were read and written. */
export interface StudyRecord {
  /** Number of the entry, from 1 without gaps. */
  seq: number
  ts: number
  kind: string
  [field: string]: unknown
}

/** Text that a worker has read at one position in a source. */
export interface EvidenceLines {
  id: string
  source: string
  locator: string
  /** Lines of the text. `n` is null if the source has no line numbers. */
  lines: { n: number | null; text: string }[]
}
