// Board of a study, shared by screen, page and API. Its keys must not change.

export interface BoardTask {
  id: string
  objective: string
  /** Phase; `short` means that it ended with less than was requested. */
  phase: 'waiting' | 'running' | 'done' | 'short' | 'failed'
  /** The end and its reason, or the latest call. */
  news: string | null
  owner: string | null
  attempts: number
  steps: number
  claims: number
  /** Milliseconds since 1970; null before the task starts, and `ended` is null while it runs. */
  started: number | null
  ended: number | null
  /** Turns of workers on the task, oldest first, in the detailed board; the last one may still be running. */
  turns?: WorkerTurn[]
}

/** One worker's time with a task. */
export interface WorkerTurn {
  owner: string
  attempt: number
  /** Start and end of the work, in milliseconds since 1970. */
  started: number
  ended: number | null
  /** Reason why the turn ended without a result. */
  lost: string | null
}

export interface BoardClaim {
  id: string
  task: string
  text: string
  quote: string
  /** Exact place of the quote. */
  place: string | null
  evidence: string
  /** Result of the check: `verified`, `quoted` or `not_found`; null before the check. */
  state: 'verified' | 'quoted' | 'not_found' | null
  /** True for the state `verified`; null before the check. */
  verified: boolean | null
  /** Reason why the claim is not verified. */
  reason: string | null
}

export interface BoardMessage {
  from: string
  to: string
  type: string
  body: string
}

/** Parts of a board for the page and the API only. */
interface StudyDetail {
  /** The latest evidence, latest first. */
  read?: StudyReading[]
  /** The latest messages that were delivered, latest first. */
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

export interface StudyBoard extends StudyDetail {
  id: string
  question: string
  status: string
  /** Description of the status. */
  outcome: string
  reason: string | null
  /** Whether its process has disappeared without ending it. */
  abandoned: boolean
  isOver: boolean
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
  /** Share from 0 to 1. */
  coverage: number
  citation_accuracy: number | null
  tokens: number
  max_tokens: number | null
  usd: number | null
  messages: number
  last_message: BoardMessage | null
  /** Latest messages, newest last. */
  mail: BoardMessage[]
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

/** Text that was read at one place. */
export interface EvidenceLines {
  id: string
  source: string
  locator: string
  /** Lines; `n` is null if the place has no lines. */
  lines: { n: number | null; text: string }[]
}
