// Report of a study as plain data, which `--json` prints and every other format renders.

import type { TokenFields } from '../../base/text/token-kinds.ts'
import type { ClaimState, SourceFacts, StudyClaim, StudyHead, StudyStatus } from '../log/entries.ts'
import type { ReportSections } from './aggregation.ts'
import type { ReportSource } from './sources.ts'

export interface ReportedPlace {
  evidence: string
  quote: string
  place: string | null
  link?: string
}

export interface ReportedClaim {
  id: string
  task: string
  text: string
  quote: string
  /** The most informative words of the quote; `heading` are the titles above it. */
  key?: string
  heading?: string
  stance: StudyClaim['stance']
  confidence: number
  evidence: string
  /** Number of the source of the claim; null if its evidence is missing. */
  source: number | null
  /** Exact position of the quote; null if its evidence is missing. */
  place: string | null
  /** All quotes with their positions; the first one equals `quote` and `place`. */
  places: ReportedPlace[]
  /** State of the claim. Before the check it is `not_found` too. */
  state: ClaimState
  verified: boolean
  /** Reason why the claim is not verified, `not_checked` before the check; null for a verified claim. */
  reason: string | null
  source_changed: boolean
  /** URL that leads to the position of the quote; undefined without one. */
  link?: string
}

/**
 * A source of the report. Its kind, weight, date and size are undefined if they are unknown, as in studies
 * of earlier versions.
 */
export interface ReportedSource extends ReportSource, Partial<Omit<SourceFacts, 'canonical' | 'link'>> {
  place: string
  link?: string
}

export interface ReportedTask {
  id: string
  kind: string
  objective: string
  /** How the task ended, for example `done` or `failed`; otherwise `not_run` or `open`. */
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

/** Which evidence answers a further question: evidence that was stored before, a new search, or both. */
export type AnswerBasis = 'filed' | 'search' | 'both'

/** A further question on a study and its outcome. */
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
  support: number | null
  aggregator_failed: string | null
  sections: ReportDocument['sections']
  uncited: number
  claims: string[]
  gaps: { task: string; gap: string }[]
}

/**
 * Report of a study. Its keys are those of the JSON format and never change. Equal studies give equal
 * reports, except for times and ids.
 */
export interface ReportDocument {
  version: 1
  id: string
  question: string
  status: StudyStatus
  /**
   * Status as text. If rules did the work, `quotes found` replaces `done`, and `nothing found` a failure
   * without any evidence.
   */
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
  /** Share of claims that are verified. Without claims, it is 0 if there are unchecked answers, else null. */
  support: number | null
  min_citation: number
  /** Value of `support` below which the exit code is 5; 0 in studies of earlier versions. */
  min_support: number
  /** Reason why rules and not the model wrote the sections; null if the model did, and without claims. */
  aggregator_failed: string | null
  /** Sections in Markdown, in which `[C1.1]` cites the claim with that id. */
  sections: ReportSections
  uncited: number
  /** Unchecked answers that came as prose instead of claims. */
  unverified_answers: { task: string; text: string; tries: number }[]
  /** Which evidence the answer uses; null for the first question of the study. */
  answered_from: AnswerBasis | null
  /** Further questions, in order. The claims and sources of the report include those of these questions. */
  asks: ReportedAsk[]
  claims: ReportedClaim[]
  sources: ReportedSource[]
  /** Number and size of the corpus files at the start of the study; null in studies of earlier versions. */
  read: { files: number; bytes: number } | null
  /** The first 1,000 skipped files of the corpus, sorted by path. */
  skipped: { path: string; why: string }[]
  /** Number of skipped files that are not listed in `skipped`. */
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
