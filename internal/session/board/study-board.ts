// The board of a study, the same for screen, page and API. The keys stay.

export interface BoardTask {
  id: string
  objective: string
  /** `short`: over with less than was wanted. */
  phase: 'waiting' | 'running' | 'done' | 'short' | 'failed'
  /** The typed end and its reason, or the newest call. */
  news: string | null
  owner: string | null
  attempts: number
  steps: number
  claims: number
  /** Milliseconds since 1970; null before it has begun, and while it goes on. */
  started: number | null
  ended: number | null
  /** Detail: who has worked on it and when, oldest first; the last one may still work. */
  turns?: WorkerTurn[]
}

/** One worker's time with a task. */
export interface WorkerTurn {
  owner: string
  attempt: number
  /** Milliseconds since 1970. */
  started: number
  ended: number | null
  /** Why it ended without a result. */
  lost: string | null
}

export interface BoardClaim {
  id: string
  task: string
  text: string
  quote: string
  /** Where exactly the quotation stands. */
  place: string | null
  evidence: string
  /** null: not looked at yet. */
  verified: boolean | null
  /** Why it is not verified. */
  reason: string | null
}

export interface BoardMessage {
  from: string
  to: string
  type: string
  body: string
}

/** The parts of a board that only the page and the API have. */
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
  /** The status in words. */
  outcome: string
  reason: string | null
  /** Its process is gone without having ended it. */
  abandoned: boolean
  isOver: boolean
  /** Milliseconds since 1970. */
  created: number
  updated: number
  deadline: number
  model: string
  engine: string
  workers: number
  tasks: BoardTask[]
  claims: BoardClaim[]
  evidence: number
  /** 0 to 1. */
  coverage: number
  citation_accuracy: number | null
  tokens: number
  max_tokens: number | null
  usd: number | null
  messages: number
  last_message: BoardMessage | null
  /** The newest, the last one last. */
  mail: BoardMessage[]
  notices: { code: string; text: string }[]
  gaps: { task: string; gap: string }[]
}

/** One entry of its log, without the texts that were read and written. */
export interface StudyRecord {
  /** From 1, without gaps. */
  seq: number
  ts: number
  kind: string
  [field: string]: unknown
}

/** What was read at one place. */
export interface EvidenceLines {
  id: string
  source: string
  locator: string
  /** `n` is null where the place has no lines. */
  lines: { n: number | null; text: string }[]
}
