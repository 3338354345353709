// The row of a study in the database, with the number that its other tables refer to.
import type { DatabaseConnection } from '../connection.ts'
import { makeUnknownStudyError } from './journal-errors.ts'

export interface StudyRow {
  n: number
  last: number
  tokens: number | null
  usd: number | null
}

/** Returns the row of a study. Throws FailureError `not_found` for an unknown study. */
export function readStudyRow(db: DatabaseConnection, study: string): StudyRow {
  const row = db.get<StudyRow>('SELECT n, last, tokens, usd FROM study WHERE id = ?', study)
  if (row) return row
  throw makeUnknownStudyError(study)
}
