// What a study keeps of each of its questions while its log is folded.
import type { StudyEntries, StudyStatus } from './entries.ts'

/** One question of a study and what became of it. */
export interface StudyRound {
  question: string
  status: StudyStatus
  reason?: string
  report?: StudyEntries['report']
  /** When it was asked, and of the last entry while it was the current one; ms since 1970. */
  created: number
  updated: number
}

interface RoundRecord {
  rounds: StudyRound[]
  round: number
  status: StudyStatus
  reason?: string
  report?: StudyEntries['report']
  updated: number
}

/** What is written from now on belongs to question `n`. */
export function enterRound(state: RoundRecord, n: number): void {
  state.round = n
  const { report } = state.rounds[n] ?? {}
  if (report) state.report = report
}

/** What `status`, `reason` and `report` say is said of the round that they are about. */
export function noteRound({ rounds, round, status, reason, report, updated }: RoundRecord): void {
  const { question, created } = rounds[round] as StudyRound
  rounds[round] = { question, created, updated, status, reason, report }
}
