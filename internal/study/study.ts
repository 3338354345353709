// The nouns of a study: plan, tasks and their typed ends, evidence, claims, and the entries that its log is made of.
import type { Call, EndReason, Usage } from '../model/model.ts'
import type { NewLine } from '../store/journal/journal.ts'

export const sources = ['repo', 'web', 'mcp'] as const
export type Source = (typeof sources)[number]

/** What was asked, and under which conditions; the first entry of every study, never changed. */
export interface Head {
  id: string
  question: string
  /** Workspace and corpus as real paths on the machine that started it. */
  project: string
  root: string
  /** Digest of what `root` held: workers elsewhere must have the same. */
  corpus: string
  model: { name: string; kind: 'llm' | 'rules' | 'script'; note?: string }
  /** `embedded`, or `redis://host:port/db` without its password. */
  engine: string
  workers: number
  sources: readonly Source[]
  seed: number
  maxSteps: number
  minCitation: number
  baseline: boolean
  /** Milliseconds since 1970. */
  deadline: number
  budget: { tokens?: number; usd?: number; perWorkerTokens?: number }
  created: number
}

/** One task's contract. Everything a worker is told stands in here. */
export interface Task {
  /** `t1`, `t2`, … in the order of the plan. */
  id: string
  kind: 'work' | 'verify'
  objective: string
  /** Key terms, for models that search by them. */
  terms: readonly string[]
  sources: readonly Source[]
  /** What the other tasks cover. */
  boundaries: string
  /** Form of the answer, and when to stop. */
  output: string
  stop: string
  dependsOn: readonly string[]
}

export interface Plan {
  tasks: readonly Task[]
  /** Why there is one worker only. */
  notSplit?: string
  /** Parts that are not run, each with the reason: `cap`, `merged`. */
  dropped: readonly { objective: string; reason: 'cap' | 'merged'; into?: string }[]
  /** For people, for example `plan_fallback: …`. */
  notices: readonly string[]
}

export interface Spent {
  tokens: number
  usd: number | null
  steps: number
  ms: number
}

/** How a task ended. `done` has at least one claim and no gap. */
export interface TaskEnd {
  end: 'done' | 'partial' | 'failed' | 'timed_out' | 'budget' | 'killed'
  reason?: string
  claims: readonly string[]
  gaps: readonly string[]
  spent: Spent
  detail?: string
}

/** Something that was really read. */
export interface Evidence {
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
  excerptSha256: string
}

export interface Claim {
  /** `C3.1`. */
  id: string
  task: string
  text: string
  evidence: string
  quote: string
  stance: 'supports' | 'refutes' | 'mentions'
  /** 0 to 1, the worker's own. */
  confidence: number
}

/** `verified` decides; `source_changed` is said beside it and never a failure. */
export interface Verdict {
  claim: string
  verified: boolean
  reason?: 'no_evidence' | 'excerpt_damaged' | 'quote_missing' | 'unsupported' | 'locator_wrong'
  sourceChanged: boolean
}

export interface Delivered {
  id: string
  from: string
  type: string
  body: string
}

/** What a model answered in one step, whole. */
export interface StepReply {
  text: string
  calls: readonly Call[]
  end: EndReason
  carry?: { from: string; value: unknown }
}

export type StudyStatus = 'planning' | 'running' | 'paused' | 'done' | 'partial' | 'failed' | 'cancelled'

/** Data by kind of entry. The log is the state: everything shown of a study is folded from it. */
export interface Entries {
  study: Head
  /** `of`: the planner's reply was used, a plan file, or rules. */
  plan: Plan & { of: 'model' | 'file' | 'rules' }
  /** A worker has taken the task; `attempt` counts from 1. */
  'task.started': { task: string; epoch: number; owner: string; attempt: number; pid: number; host: string }
  /** One paid request of a task, `plan` and `report` included; `mail` stood in its prompt. Key `step:<task>:<n>`. */
  step: {
    task: string
    n: number
    /** SHA-256 of the canonical request. */
    request: string
    mail: readonly Delivered[]
    /** Nudges and notes that the harness put before the request. */
    notes: readonly string[]
    reply: StepReply
    usage: Usage
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
  }
  /** Key `evidence:<id>`. */
  evidence: Evidence
  /** Key `claim:<id>`. */
  claim: Claim
  /** Key `end:<task>`: a task ends once. */
  'task.ended': { task: string; result: TaskEnd }
  /** Key `end:<task>`. */
  'task.not_run': { task: string; reason: 'cap' | 'merged' | 'covered' | 'budget' | 'deadline' | 'cancelled' }
  /** A task added after the plan: one replan of a missing part of task `of`, or a check. */
  'task.added': { task: Task; why: string; of?: string }
  /**
   * The lease ended without a result; `why` for people. `free`: it was given back in order, or could not be used at
   * all, and does not count as an attempt. Key `lost:<task>:<epoch>`.
   */
  'task.lost': { task: string; epoch: number; owner: string; why: string; free?: true }
  /** A task that a limit had ended is open again, under a larger one. Its next end has the key `end:<task>:<times>`. */
  'task.reopened': { task: string }
  /** New totals of a study that is taken up again; they replace those of the head. */
  limits: { deadline: number; budget: Head['budget'] }
  verdict: Verdict
  /** What the aggregator wrote, with `[C3.1]` still in it; `failed`: composed by rule, and why. Key `report`, `report2`, … */
  report: { markdown: string; failed?: string; uncited: number }
  /** For people: fallbacks, overridden senders, skipped files, a restored journal. */
  notice: { code: string; text: string }
  status: { status: StudyStatus; reason?: string; pid?: number; host?: string }
}

export type Kind = keyof Entries
export type Entry = { [K in Kind]: { seq: number; ts: number; kind: K; data: Entries[K] } }[Kind]

/** A line for the journal. */
export function entry<K extends Kind>(kind: K, data: Entries[K], key?: string): NewLine {
  return { kind, data: data as unknown as NewLine['data'], ...(key !== undefined && { key }) }
}
