// Data types of a study: plan, tasks and their typed ends, evidence, claims, and the entries of its log.
import type { EndReason, ModelToolCall, TokenUsage } from '../../model/model.ts'
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import type { StudyCorpus, StudyLimits } from './study-conditions.ts'
import type { TableEntries, TableFile, TableRequest } from './table-entries.ts'
import type { WorkerStart, WorkerVersion } from './worker-start.ts'

export const sourceKinds = ['repo', 'web', 'mcp'] as const
export type StudySource = (typeof sourceKinds)[number]

/** First entry of a study: question and conditions. `limits` entries replace its limits (time, budget). */
export interface StudyHead extends StudyCorpus, StudyLimits {
  id: string
  question: string
  /** Real path of the workspace on the machine that started the study. */
  project: string
  model: { name: string; kind: 'llm' | 'rules' | 'script'; note?: string }
  /** Engine of the study: `embedded`, or the URL of a Redis server without its password. */
  engine: string
  workers: number
  sources: readonly StudySource[]
  seed: number
  maxSteps: number
  minCitation: number
  /**
   * Share of verified claims below which a command with this study exits with code 5; undefined in studies
   * of old versions.
   */
  minSupport?: number
  baseline: boolean
  created: number
  /** The table, for a study with one row per document. */
  table?: TableRequest
}

/** Facts about a source of claims, as of the end of the study. */
export interface SourceFacts {
  canonical: string
  /** Kind of the source as text for users: `PDF`, `code`, `web page`. */
  kind: string
  weight: 'primary' | 'secondary' | 'test' | 'vendored'
  /** Size of the source in bytes; undefined for a web page, and if the file could not be read. */
  bytes?: number
  title?: string
  /** Date that the source states, or of its last commit: a day, a month or a year in ISO form. */
  date?: string
  /** URL of a file at its commit, without a line number; undefined without one, and for a web page. */
  link?: string
}

/** One task, as the plan describes it to its worker. */
export interface StudyTask {
  /** Id of the task: `t1`, `t2`, … in the order of the plan. */
  id: string
  kind: 'work' | 'verify'
  objective: string
  /**
   * Words to search for. The prompt lists them for every model, and the input for models that work by rules
   * contains them too.
   */
  terms: readonly string[]
  sources: readonly StudySource[]
  /** What the other tasks are about, so that this worker leaves it out. */
  boundaries: string
  /** Form that the answer should have; `stop` is the condition to stop. */
  output: string
  stop: string
  dependsOn: readonly string[]
  /** For a row of a table: its document. */
  document?: TableFile
}

export interface StudyPlan {
  tasks: readonly StudyTask[]
  /** Reason why the work is not divided among several workers. */
  notSplit?: string
  /** Parts of the question without a task, each with the reason: `cap` (too many) or `merged`. */
  dropped: readonly { objective: string; reason: 'cap' | 'merged'; into?: string }[]
  /** Notices for the user, for example `plan_fallback: …`. */
  notices: readonly string[]
}

interface TaskSpending {
  tokens: number
  usd: number | null
  steps: number
  ms: number
}

/** How a task ended. `done`: a claim and no gap (unanswered part), or a row without an empty cell. */
export interface TaskResult {
  end: 'done' | 'partial' | 'failed' | 'timed_out' | 'budget' | 'killed'
  reason?: string
  claims: readonly string[]
  gaps: readonly string[]
  spent: TaskSpending
  detail?: string
}

/** A passage that a tool has read in a study, so that claims can cite it. */
export interface StudyEvidence {
  /** Id of the evidence, such as `E3.2`: task number and counter. */
  id: string
  task: string
  tool: string
  /** Name of the source: its path relative to the root, or a URL. A source always has the same name. */
  canonical: string
  /** Position within the source: `12-40` or `3,7-9` for lines, otherwise any text. */
  locator: string
  /** SHA-256 in hex of the whole source when the tool read it, if the source was available. */
  sourceSha256?: string
  excerpt: string
  /** Titles above the passage, outermost first, joined by ` > `. */
  heading?: string
  /** Title that a web page states. */
  title?: string
  /** Date that the source states: a day, a month or a year in ISO form. */
  published?: string
  excerptSha256: string
}

export interface StudyClaim extends WorkerVersion {
  /** Id of the claim, such as `C3.1`. */
  id: string
  task: string
  text: string
  evidence: string
  quote: string
  /** All quotes of a claim that has two to four; the first one equals `evidence` and `quote`. */
  places?: readonly ClaimPlace[]
  /** The most informative words of the quote, which are shown in bold. */
  key?: string
  stance: 'supports' | 'refutes' | 'mentions'
  /** How certain the worker is of the claim, from 0 to 1. */
  confidence: number
}

/** A quote of a claim with the evidence from which it is taken. */
export interface ClaimPlace {
  evidence: string
  quote: string
}

/** Returns all quotes of a claim, at least one. */
export const placesOf = ({
  evidence,
  quote,
  places,
}: Pick<StudyClaim, 'evidence' | 'quote' | 'places'>): readonly ClaimPlace[] =>
  places ?? [{ evidence, quote }]

/** State of a claim: its quote states it, is real but does not state it (`quoted`), or was not found. */
export type ClaimState = 'verified' | 'quoted' | 'not_found'

/**
 * Verdict on a claim. `verified` is true only for the state `verified`. `sourceChanged` is an additional fact
 * and never makes a claim fail.
 */
export interface ClaimVerdict {
  claim: string
  /** State of the claim; undefined in studies of earlier versions. */
  state?: ClaimState
  verified: boolean
  reason?: 'no_evidence' | 'excerpt_damaged' | 'quote_missing' | 'unsupported' | 'locator_wrong'
  sourceChanged: boolean
}

/** Returns the state of a claim from its verdict, even from one that an earlier version has written. */
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

/** Data of the entries in a study's log, by kind. All that is shown about a study is computed from it. */
export interface StudyEntries extends TableEntries {
  study: StudyHead
  /** The plan. `of` says who made it: the model, a plan file, or rules. */
  plan: StudyPlan & { of: 'model' | 'file' | 'rules' }
  /** A worker has taken the task. `attempt` is the number of the attempt, from 1. */
  'task.started': WorkerStart
  /**
   * An answered request to the model. `task` is the id of a task, or `plan` or `report`. `mail` contains the
   * messages from the mailbox that the prompt contained. Key `step:<task>:<n>`.
   */
  step: {
    task: string
    n: number
    /**
     * Hash of the request by `identifyRequest`, which is equal for the same request on any day and machine.
     */
    request: string
    mail: readonly DeliveredMessage[]
    /** Reminders and notes that the program put before the request. */
    notes: readonly string[]
    reply: StepReply
    usage: TokenUsage
    ms: number
  }
  /** Result of one tool call of step `n`. Key `result:<task>:<n>:<call>`. */
  result: {
    task: string
    n: number
    call: string
    tool: string
    ok: boolean
    text: string
    evidence: readonly string[]
    ms: number
    /** Structured result, which a model by rules reads instead of the text. */
    data?: unknown
  }
  /** A passage that a worker read. Key `evidence:<id>`. */
  evidence: StudyEvidence
  /** A claim of a worker. Key `claim:<id>`. */
  claim: StudyClaim
  /** A task has ended. Key `end:<task>`, so that it ends only once unless it is reopened. */
  'task.ended': { task: string; result: TaskResult }
  /** A task ended without having run. Key `end:<task>`. */
  'task.not_run': { task: string; reason: 'cap' | 'merged' | 'covered' | 'budget' | 'deadline' | 'cancelled' }
  /**
   * A task that was added after the plan. `of`: a second attempt at a missing part of that task.
   * `checks`: a second check of that claim, whose quote was not found (key `check:<claim>`). `ask`: it
   * works on that further question.
   */
  'task.added': { task: StudyTask; why: string; of?: string; checks?: string; ask?: number }
  /** A further question about a study that is over. `n` counts from 1. Key `ask:<n>`. */
  ask: { n: number; question: string }
  /** Prose of the model instead of claims, not checked, after `tries` responses. Key `prose:<task>`. */
  prose: { task: string; text: string; tries: number }
  /**
   * A lease that ended without a result; `why` is a reason for users. `free`: the worker returned the lease
   * properly or could not use it at all, so it does not count as an attempt. `shared`: the process of the
   * worker ended while it ran other tasks too, so one of them may be the cause. Key `lost:<task>:<epoch>`.
   */
  'task.lost': { task: string; epoch: number; owner: string; why: string; free?: true; shared?: true }
  /** A task that had ended is open again. Key of its next end: `end:<task>:<how often it was reopened>`. */
  'task.reopened': { task: string }
  /** New limits of a resumed study, which replace those of its first entry. */
  limits: StudyLimits
  verdict: ClaimVerdict
  /** Facts about a source of claims. Key `source:<canonical>`. */
  source: SourceFacts
  /**
   * The report's text, in which citations are still `[C3.1]`. `failed` is the reason why rules wrote it and
   * not the model. Key `report`, `report2`, …
   */
  report: { markdown: string; failed?: string; uncited: number }
  /** A notice for the user, for example about a fallback, skipped files, or a restored journal. */
  notice: { code: string; text: string }
  status: { status: StudyStatus; reason?: string; pid?: number; host?: string }
}

type EntryKind = keyof StudyEntries
export type StudyEntry = {
  [K in EntryKind]: { seq: number; ts: number; kind: K; data: StudyEntries[K] }
}[EntryKind]

/** Returns a journal line as an entry. A line of a later version may have an unknown kind. */
export const toStudyEntry = (line: JournalLine): StudyEntry => line as unknown as StudyEntry

/** Returns a line for the journal. */
export function makeStudyEntry<K extends EntryKind>(
  kind: K,
  data: StudyEntries[K],
  key?: string,
): NewJournalLine {
  return { kind, data: data as unknown as NewJournalLine['data'], key }
}
