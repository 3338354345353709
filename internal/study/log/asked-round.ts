// The record of each question of a study, called a round, computed while the log is read.
import type { StudyEntries, StudyStatus } from './entries.ts'

/** A question of a study and its outcome. */
interface StudyRound {
  question: string
  status: StudyStatus
  reason?: string
  report?: StudyEntries['report']
  /**
   * Time of the question in milliseconds since 1970. `updated` is the time of the last entry that was written
   * while this question was the current one.
   */
  created: number
  updated: number
}

/**
 * All questions of a study. `status`, `reason` and `report` belong to the question with the number `round`;
 * `updated` is the time of the last entry.
 */
export interface StudyRounds {
  rounds: StudyRound[]
  round: number
  status: StudyStatus
  reason?: string
  report?: StudyEntries['report']
  updated: number
}

/**
 * Makes question `n` the current one, to which the following entries belong. If it has a report already, that
 * becomes the report of the study.
 */
export function enterRound(state: StudyRounds, n: number): void {
  state.round = n
  const { report } = state.rounds[n] ?? {}
  if (report) state.report = report
}

/** Copies `status`, `reason`, `report` and `updated` of the study to its current question. */
export function noteRound({ rounds, round, status, reason, report, updated }: StudyRounds): void {
  const { question, created } = rounds[round] as StudyRound
  rounds[round] = { question, created, updated, status, reason, report }
}
