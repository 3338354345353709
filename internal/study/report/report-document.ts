// A study's report as one plain value: what `--json` prints and every other form is drawn from.

import type { TokenFields } from '../../base/text/token-kinds.ts'
import type { SourceFacts, StudyClaim, StudyHead, StudyStatus } from '../log/entries.ts'
import type { ReportSections } from './report-sections.ts'
import type { ReportSource } from './sources.ts'

export interface ReportedClaim {
  id: string
  task: string
  text: string
  quote: string
  /** Words of the quotation that say most, and the titles that it stands under. */
  key?: string
  heading?: string
  stance: StudyClaim['stance']
  confidence: number
  evidence: string
  /** Number of its source, null when its evidence is not there. */
  source: number | null
  /** Where exactly the quote stands. */
  place: string | null
  verified: boolean
  /** Why it is not verified. */
  reason: string | null
  source_changed: boolean
  /** Address of the place, where there is one. */
  link?: string
}

/** Kind, weight, date and size are absent in studies of earlier versions. */
export interface ReportedSource extends ReportSource, Partial<Omit<SourceFacts, 'canonical' | 'link'>> {
  place: string
  link?: string
}

export interface ReportedTask {
  id: string
  kind: string
  objective: string
  /** The typed end, `not_run`, or `open`. */
  end: string
  reason: string | null
  detail: string | null
  claims: string[]
  gaps: string[]
  attempts: number
  tokens: number
  usd: number | null
  steps: number
  wall_ms: number
}

/** What a further question was answered from: what was filed before it, a new search, or both. */
export type AnswerBasis = 'filed' | 'search' | 'both'

/** A further question on a study and what became of it. */
export interface ReportedAsk {
  question: string
  answered_from: AnswerBasis
  status: StudyStatus
  reason: string | null
  exit: number
  created: string
  tasks: string[]
  coverage: number
  citation_accuracy: number | null
  aggregator_failed: string | null
  sections: ReportDocument['sections']
  uncited: number
  claims: string[]
  gaps: { task: string; gap: string }[]
}

/** The keys are those of the JSON form and stay. Times and ids aside, equal studies give equal documents. */
export interface ReportDocument {
  version: 1
  id: string
  question: string
  status: StudyStatus
  /** The status in words; rules never claim to be done: `quotations found`, `partial`, `nothing found`. */
  outcome: string
  reason: string | null
  exit: number
  created: string
  wall_ms: number
  model: StudyHead['model']
  engine: string
  workers: number
  seed: number
  max_steps: number
  allowed_sources: string[]
  baseline: boolean
  root: string
  corpus: string
  plan: { of: string | null; not_split: string | null; dropped: { objective: string; reason: string }[] }
  tasks: ReportedTask[]
  coverage: number
  citation_accuracy: number | null
  min_citation: number
  /** Why the sections below were composed by rule. */
  aggregator_failed: string | null
  /** Markdown; `[C1.1]` cites the claim of that id. */
  sections: ReportSections
  uncited: number
  /** Answers that came as prose instead of claims; nothing in them was checked. */
  unverified_answers: { task: string; text: string; tries: number }[]
  /** Null for the question that the study began with. */
  answered_from: AnswerBasis | null
  /** Further questions, in their order; `claims` and `sources` hold theirs as well. */
  asks: ReportedAsk[]
  claims: ReportedClaim[]
  sources: ReportedSource[]
  /** What the corpus held when the study began; null in studies of earlier versions. */
  read: { files: number; bytes: number } | null
  /** What of the corpus was not read, in the order of paths. */
  skipped: { path: string; why: string }[]
  /** How many more there are than `skipped` names. */
  skipped_more: number
  contradictions: [string, string][]
  gaps: { task: string; gap: string }[]
  evidence: { all: number; unique: number }
  limits: { tokens: number | null; usd: number | null; per_worker_tokens: number | null; seconds: number }
  tokens: number
  usage: TokenFields
  usd: number | null
  tokens_estimated: boolean
  steps: number
  messages: number
  repaid_steps: number
  duplicate_claims: number
  notices: { code: string; text: string }[]
}
