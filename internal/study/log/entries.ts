// Data types of a study: plan, tasks and their typed ends, evidence, claims, and the entries of its log.
import type { EndReason, ModelToolCall, TokenUsage } from '../../model/model.ts'
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import type { TableEntries, TableFile, TableRequest } from './table-entries.ts'

export const sourceKinds = ['repo', 'web', 'mcp'] as const
export type StudySource = (typeof sourceKinds)[number]

/** The question and its conditions. The first entry of every study, which never changes. */
export interface StudyHead {
  id: string
  question: string
  /** Workspace and corpus as real paths on the machine that started it. */
  project: string
  root: string
  /** Digest of the content of `root`. Workers on other machines must have the same. */
  corpus: string
  /** Text files of the corpus and their size. */
  read?: { files: number; bytes: number }
  /** Start of the reading in ms since 1970, and a digest of all names. */
  surveyed?: { at: number; names: string }
  /** Files of the corpus that no tool of the study reads, sorted by path. */
  skipped?: readonly SkippedSource[]
  /** Number of further skipped files that `skipped` does not name. */
  skippedMore?: number
  /** Files with a notice, such as a guessed encoding; undefined if no file has one. */
  noted?: readonly SkippedSource[]
  model: { name: string; kind: 'llm' | 'rules' | 'script'; note?: string }
  /** Engine of the study: `embedded`, or `redis://host:port/db` without its password. */
  engine: string
  workers: number
  sources: readonly StudySource[]
  seed: number
  maxSteps: number
  minCitation: number
  /** Minimum share of verified claims; undefined in studies of earlier versions, which had no minimum. */
  minSupport?: number
  baseline: boolean
  /** Time at which the study has to end, in milliseconds since 1970. */
  deadline: number
  /** Time limit from the last resume. Default: from its creation to the deadline. */
  allowedMs?: number
  budget: { tokens?: number; usd?: number; perWorkerTokens?: number }
  created: number
  /** For a study with one row per document. */
  table?: TableRequest
}

/** A skipped file or directory below the root, and a short reason: `binary`, `over 2 MiB`. */
export interface SkippedSource {
  path: string
  why: string
}

/** Facts about a source of claims at the end of the study. */
export interface SourceFacts {
  canonical: string
  /** Text for users: `PDF`, `code`, `web page`. */
  kind: string
  weight: 'primary' | 'secondary' | 'test' | 'vendored'
  /** Size of the source in bytes; undefined if the source had disappeared. */
  bytes?: number
  title?: string
  /** The document's own date, else the date of its last commit: a day, a month or a year in ISO form. */
  date?: string
  /** URL of the source at its commit, without a line. */
  link?: string
}

/** Contract of one task, with everything that a worker knows about it. */
export interface StudyTask {
  /** `t1`, `t2`, … in the order of the plan. */
  id: string
  kind: 'work' | 'verify'
  objective: string
  /** Key terms, for models that search by them. */
  terms: readonly string[]
  sources: readonly StudySource[]
  /** Subjects of the other tasks. */
  boundaries: string
  /** Form of the answer, and the condition to stop. */
  output: string
  stop: string
  dependsOn: readonly string[]
  /** The document of a row. */
  document?: TableFile
}

export interface StudyPlan {
  tasks: readonly StudyTask[]
  /** Reason why there is only one worker. */
  notSplit?: string
  /** Parts that are not run, each with the reason: `cap`, `merged`. */
  dropped: readonly { objective: string; reason: 'cap' | 'merged'; into?: string }[]
  /** Notices for the user, for example `plan_fallback: …`. */
  notices: readonly string[]
}

interface Spent {
  tokens: number
  usd: number | null
  steps: number
  ms: number
}

/** End of a task. `done` has at least one claim and no gap. */
export interface TaskResult {
  end: 'done' | 'partial' | 'failed' | 'timed_out' | 'budget' | 'killed'
  reason?: string
  claims: readonly string[]
  gaps: readonly string[]
  spent: Spent
  detail?: string
}

/** A passage that a tool has read. */
export interface StudyEvidence {
  /** Id of the evidence, such as `E3.2`: task number and counter. */
  id: string
  task: string
  tool: string
  /** Path relative to the root, or a URL. The same source always has the same name. */
  canonical: string
  /** Position within the source: `12-40` for lines, else free text. */
  locator: string
  /** SHA-256 in hex of the whole source at that time, if it was available. */
  sourceSha256?: string
  excerpt: string
  /** Titles above it, outermost first, joined by ` > `. */
  heading?: string
  /** Title that a web page states. */
  title?: string
  /** A day, a month or a year in ISO form. */
  published?: string
  excerptSha256: string
}

export interface StudyClaim {
  /** Id of the claim, such as `C3.1`. */
  id: string
  task: string
  text: string
  evidence: string
  quote: string
  /** All places of a claim with several, from two to four; the first is `evidence` and `quote`. */
  places?: readonly ClaimPlace[]
  /** Most informative words of the quote, shown in bold. */
  key?: string
  stance: 'supports' | 'refutes' | 'mentions'
  /** Confidence in the claim, 0 to 1, as the worker rates it. */
  confidence: number
}

/** A quote of a claim and its evidence. */
export interface ClaimPlace {
  evidence: string
  quote: string
}

/** Returns the places of a claim, at least one. */
export const placesOf = ({
  evidence,
  quote,
  places,
}: Pick<StudyClaim, 'evidence' | 'quote' | 'places'>): readonly ClaimPlace[] =>
  places ?? [{ evidence, quote }]

/** `verified`: the quote states the claim; `quoted`: the quote is real, but in other words than the claim. */
export type ClaimState = 'verified' | 'quoted' | 'not_found'

/** `verified` is true for one state only. `sourceChanged` is additional information and never a failure. */
export interface ClaimVerdict {
  claim: string
  /** State of the claim; undefined in studies of earlier versions. */
  state?: ClaimState
  verified: boolean
  reason?: 'no_evidence' | 'excerpt_damaged' | 'quote_missing' | 'unsupported' | 'locator_wrong'
  sourceChanged: boolean
}

/** Returns the state of a verdict, also of one that an earlier version has written. */
export function claimStateOf({
  state,
  verified,
  reason,
}: Pick<ClaimVerdict, 'state' | 'verified' | 'reason'>): ClaimState {
  if (state !== undefined) return state
  return verified ? 'verified' : reason === 'unsupported' ? 'quoted' : 'not_found'
}

export interface DeliveredMessage {
  id: string
  from: string
  type: string
  body: string
}

/** Complete response of a model in one step. */
export interface StepReply {
  text: string
  calls: readonly ModelToolCall[]
  end: EndReason
  carry?: { from: string; value: unknown }
}

export type StudyStatus = 'planning' | 'running' | 'paused' | 'done' | 'partial' | 'failed' | 'cancelled'

/** Data by kind of entry. The log is the state: everything that is shown about a study is folded from it. */
export interface StudyEntries extends TableEntries {
  study: StudyHead
  /** `of`: source of the plan, which is the planner's response, a plan file, or rules. */
  plan: StudyPlan & { of: 'model' | 'file' | 'rules' }
  /** A worker has taken the task; `attempt` counts from 1. */
  'task.started': { task: string; epoch: number; owner: string; attempt: number; pid: number; host: string }
  /**
   * One paid request of a task, including `plan` and `report`; `mail` was part of
   * its prompt. Key `step:<task>:<n>`.
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
  /** Result of one call of step `n`. Key `result:<task>:<n>:<call>`. */
  result: {
    task: string
    n: number
    call: string
    tool: string
    ok: boolean
    text: string
    evidence: readonly string[]
    ms: number
    /** Structured result for a model that works by rules, which reads it instead of the text. */
    data?: unknown
  }
  /** A passage that a worker read. Key `evidence:<id>`. */
  evidence: StudyEvidence
  /** A claim of a worker. Key `claim:<id>`. */
  claim: StudyClaim
  /** Key `end:<task>`: a task ends once. */
  'task.ended': { task: string; result: TaskResult }
  /** A task that ended without a run. Key `end:<task>`. */
  'task.not_run': { task: string; reason: 'cap' | 'merged' | 'covered' | 'budget' | 'deadline' | 'cancelled' }
  /**
   * A task that was added after the plan. `of`: a second attempt at a missing part of that task.
   * `checks`: a second check of the claim, whose quote was not found (key `check:<claim>`). `ask`: work
   * on that further question.
   */
  'task.added': { task: StudyTask; why: string; of?: string; checks?: string; ask?: number }
  /** A further question on a study that is over; `n` counts from 1. Key `ask:<n>`. */
  ask: { n: number; question: string }
  /** Prose of a model in place of claims, unchecked, after `tries` responses. Key `prose:<task>`. */
  prose: { task: string; text: string; tries: number }
  /**
   * A lease that ended without a result; `why` is for users. `free`: the lease was returned properly or could
   * not be used at all, and does not count as an attempt. Key `lost:<task>:<epoch>`.
   */
  'task.lost': { task: string; epoch: number; owner: string; why: string; free?: true }
  /** A task that ended is open again. Its next end has the key `end:<task>:<times>`. */
  'task.reopened': { task: string }
  /** New totals of a resumed study. They replace those of the head. */
  limits: Pick<StudyHead, 'deadline' | 'allowedMs' | 'budget'>
  verdict: ClaimVerdict
  /** Facts about a source. Key `source:<canonical>`. */
  source: SourceFacts
  /**
   * Text of the aggregator, with `[C3.1]` still in it; `failed`: reason why it was composed by rules.
   * Key `report`, `report2`, …
   */
  report: { markdown: string; failed?: string; uncited: number }
  /** Notices for the user: fallbacks, overridden senders, skipped files, a restored journal. */
  notice: { code: string; text: string }
  status: { status: StudyStatus; reason?: string; pid?: number; host?: string }
}

type Kind = keyof StudyEntries
export type StudyEntry = { [K in Kind]: { seq: number; ts: number; kind: K; data: StudyEntries[K] } }[Kind]

/** Converts a line of a study's journal to its entry. A line of a later version may have an unknown kind. */
export const toStudyEntry = (line: JournalLine): StudyEntry => line as unknown as StudyEntry

/** Returns a line for the journal. */
export function makeStudyEntry<K extends Kind>(kind: K, data: StudyEntries[K], key?: string): NewJournalLine {
  return { kind, data: data as unknown as NewJournalLine['data'], key }
}
