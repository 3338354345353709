// The nouns of a study: plan, tasks and their typed ends, evidence, claims, and the entries that its log is
// made of.
import type { EndReason, ModelToolCall, TokenUsage } from '../../model/model.ts'
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'

export const sourceKinds = ['repo', 'web', 'mcp'] as const
export type StudySource = (typeof sourceKinds)[number]

/** What was asked, and under which conditions; the first entry of every study, never changed. */
export interface StudyHead {
  id: string
  question: string
  /** Workspace and corpus as real paths on the machine that started it. */
  project: string
  root: string
  /** Digest of what `root` held: workers elsewhere must have the same. */
  corpus: string
  /** Text files of the corpus and their size; absent in studies of earlier versions. */
  read?: { files: number; bytes: number }
  /** When reading began, in ms since 1970, and a digest of all names; absent in studies before that. */
  surveyed?: { at: number; names: string }
  /** What of the corpus no tool of the study reads, in the order of paths. */
  skipped?: readonly SkippedSource[]
  /** How many more there are than `skipped` names. */
  skippedMore?: number
  /** Files that were read with a note, such as a guessed encoding; absent where no file has one. */
  noted?: readonly SkippedSource[]
  model: { name: string; kind: 'llm' | 'rules' | 'script'; note?: string }
  /** `embedded`, or `redis://host:port/db` without its password. */
  engine: string
  workers: number
  sources: readonly StudySource[]
  seed: number
  maxSteps: number
  minCitation: number
  baseline: boolean
  /** Milliseconds since 1970. */
  deadline: number
  /** Time that was given when it was last taken up; absent: from its creation to the deadline. */
  allowedMs?: number
  budget: { tokens?: number; usd?: number; perWorkerTokens?: number }
  created: number
}

/** Something below the root that is left out, and why in a few words: `binary`, `over 2 MiB`. */
export interface SkippedSource {
  path: string
  why: string
}

/** What is known of a source of claims at the end of the study. */
export interface SourceFacts {
  canonical: string
  /** For people: `PDF`, `code`, `web page`. */
  kind: string
  weight: 'primary' | 'secondary' | 'test' | 'vendored'
  /** Absent when it was gone by then. */
  bytes?: number
  title?: string
  /** The document's own, else that of its last commit; a day, a month or a year in ISO form. */
  date?: string
  /** Address at its commit, without a line. */
  link?: string
}

/** One task's contract. Everything a worker knows of its task is in here. */
export interface StudyTask {
  /** `t1`, `t2`, … in the order of the plan. */
  id: string
  kind: 'work' | 'verify'
  objective: string
  /** Key terms, for models that search by them. */
  terms: readonly string[]
  sources: readonly StudySource[]
  /** What the other tasks cover. */
  boundaries: string
  /** Form of the answer, and when to stop. */
  output: string
  stop: string
  dependsOn: readonly string[]
}

export interface StudyPlan {
  tasks: readonly StudyTask[]
  /** Why there is one worker only. */
  notSplit?: string
  /** Parts that are not run, each with the reason: `cap`, `merged`. */
  dropped: readonly { objective: string; reason: 'cap' | 'merged'; into?: string }[]
  /** For people, for example `plan_fallback: …`. */
  notices: readonly string[]
}

interface Spent {
  tokens: number
  usd: number | null
  steps: number
  ms: number
}

/** How a task ended. `done` has at least one claim and no gap. */
export interface TaskResult {
  end: 'done' | 'partial' | 'failed' | 'timed_out' | 'budget' | 'killed'
  reason?: string
  claims: readonly string[]
  gaps: readonly string[]
  spent: Spent
  detail?: string
}

/** Something that was really read. */
export interface StudyEvidence {
  /** `E3.2`: task number and counter. */
  id: string
  task: string
  tool: string
  /** Path relative to the root, or an address: the same source always has the same name. */
  canonical: string
  /** Place within the source: `12-40` for lines, else free text. */
  locator: string
  /** SHA-256 in hex of the whole source as it was, where it could be had. */
  sourceSha256?: string
  excerpt: string
  /** Titles that it stands under, outermost first, joined by ` > `. */
  heading?: string
  /** What a page of the web says of itself. */
  title?: string
  /** A day, a month or a year in ISO form. */
  published?: string
  excerptSha256: string
}

export interface StudyClaim {
  /** `C3.1`. */
  id: string
  task: string
  text: string
  evidence: string
  quote: string
  /** Words of the quotation that say most: shown in bold. */
  key?: string
  stance: 'supports' | 'refutes' | 'mentions'
  /** 0 to 1, the worker's own. */
  confidence: number
}

/** `verified` decides; `source_changed` is said beside it and never a failure. */
export interface ClaimVerdict {
  claim: string
  verified: boolean
  reason?: 'no_evidence' | 'excerpt_damaged' | 'quote_missing' | 'unsupported' | 'locator_wrong'
  sourceChanged: boolean
}

export interface DeliveredMessage {
  id: string
  from: string
  type: string
  body: string
}

/** What a model answered in one step, whole. */
export interface StepReply {
  text: string
  calls: readonly ModelToolCall[]
  end: EndReason
  carry?: { from: string; value: unknown }
}

export type StudyStatus = 'planning' | 'running' | 'paused' | 'done' | 'partial' | 'failed' | 'cancelled'

/** Data by kind of entry. The log is the state: everything shown of a study is folded from it. */
export interface StudyEntries {
  study: StudyHead
  /** `of`: the planner's reply was used, a plan file, or rules. */
  plan: StudyPlan & { of: 'model' | 'file' | 'rules' }
  /** A worker has taken the task; `attempt` counts from 1. */
  'task.started': { task: string; epoch: number; owner: string; attempt: number; pid: number; host: string }
  /**
   * One paid request of a task, `plan` and `report` included; `mail` stood in its prompt. Key
   * `step:<task>:<n>`.
   */
  step: {
    task: string
    n: number
    /** SHA-256 of the canonical request. */
    request: string
    mail: readonly DeliveredMessage[]
    /** Nudges and notes that the harness put before the request. */
    notes: readonly string[]
    reply: StepReply
    usage: TokenUsage
    ms: number
  }
  /** The result of one call of step `n`. Key `result:<task>:<n>:<call>`. */
  result: {
    task: string
    n: number
    call: string
    tool: string
    ok: boolean
    text: string
    evidence: readonly string[]
    ms: number
    /** The structured result, for a model that works by rules: it reads this and not the text. */
    data?: unknown
  }
  /** Key `evidence:<id>`. */
  evidence: StudyEvidence
  /** Key `claim:<id>`. */
  claim: StudyClaim
  /** Key `end:<task>`: a task ends once. */
  'task.ended': { task: string; result: TaskResult }
  /** Key `end:<task>`. */
  'task.not_run': { task: string; reason: 'cap' | 'merged' | 'covered' | 'budget' | 'deadline' | 'cancelled' }
  /**
   * A task added after the plan: one replan of a missing part of task `of`, a second look at the claim
   * `checks`, whose quotation was not found (key `check:<claim>`), or work on the further question `ask`.
   */
  'task.added': { task: StudyTask; why: string; of?: string; checks?: string; ask?: number }
  /** A further question on a study that is over; `n` counts from 1. Key `ask:<n>`. */
  ask: { n: number; question: string }
  /**
   * What a model wrote where an object with claims was wanted, kept after `tries` replies as an answer that
   * nobody has checked. Key `prose:<task>`.
   */
  prose: { task: string; text: string; tries: number }
  /**
   * The lease ended without a result; `why` for people. `free`: it was given back in order, or could not be
   * used at all, and does not count as an attempt. Key `lost:<task>:<epoch>`.
   */
  'task.lost': { task: string; epoch: number; owner: string; why: string; free?: true }
  /**
   * A task that a limit had ended is open again, under a larger one. Its next end has the key
   * `end:<task>:<times>`.
   */
  'task.reopened': { task: string }
  /** New totals of a study that is taken up again; they replace those of the head. */
  limits: Pick<StudyHead, 'deadline' | 'allowedMs' | 'budget'>
  verdict: ClaimVerdict
  /** Key `source:<canonical>`. */
  source: SourceFacts
  /**
   * What the aggregator wrote, with `[C3.1]` still in it; `failed`: composed by rule, and why. Key `report`,
   * `report2`, …
   */
  report: { markdown: string; failed?: string; uncited: number }
  /** For people: fallbacks, overridden senders, skipped files, a restored journal. */
  notice: { code: string; text: string }
  status: { status: StudyStatus; reason?: string; pid?: number; host?: string }
}

type Kind = keyof StudyEntries
export type StudyEntry = { [K in Kind]: { seq: number; ts: number; kind: K; data: StudyEntries[K] } }[Kind]

/** A line of a study's journal as its entry; one of a later version may be of an unknown kind. */
export const toStudyEntry = (line: JournalLine): StudyEntry => line as unknown as StudyEntry

/** A line for the journal. */
export function makeStudyEntry<K extends Kind>(kind: K, data: StudyEntries[K], key?: string): NewJournalLine {
  return { kind, data: data as unknown as NewJournalLine['data'], key }
}
