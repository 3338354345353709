// Record of each question of a study while its log is folded.
import type { StudyEntries, StudyStatus } from './entries.ts'

/** A question of a study and its outcome. */
export interface StudyRound {
  question: string
  status: StudyStatus
  reason?: string
  report?: StudyEntries['report']
  /** Times of the question and of its last entry while it was the current one; ms since 1970. */
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

/** Makes question `n` the current one for the following entries. */
export function enterRound(state: RoundRecord, n: number): void {
  state.round = n
  const { report } = state.rounds[n] ?? {}
  if (report) state.report = report
}

/** Copies `status`, `reason`, `report` and `updated` to the current round. */
export function noteRound({ rounds, round, status, reason, report, updated }: RoundRecord): void {
  const { question, created } = rounds[round] as StudyRound
  rounds[round] = { question, created, updated, status, reason, report }
}
