// Which row of the database a study is: the number that its other tables refer to.
import { FailureError } from '../../base/errors.ts'
import type { DatabaseConnection } from '../connection.ts'

export interface StudyRow {
  n: number
  last: number
  tokens: number | null
  usd: number | null
}

/** Throws FailureError `not_found`. */
export function readStudyRow(db: DatabaseConnection, study: string): StudyRow {
  const row = db.get<StudyRow>('SELECT n, last, tokens, usd FROM study WHERE id = ?', study)
  if (row) return row
  throw makeUnknownStudyError(study)
}

export function makeUnknownStudyError(study: string): FailureError {
  return new FailureError({
    code: 'not_found',
    message: `there is no study ${study}`,
    hint: 'anode study status last shows the newest one of this project.',
    detail: { study },
  })
}

/** The server has lost a study, or may have lost the end of it, and nobody has given it back since. */
export class StandstillError extends FailureError {
  constructor(study: string) {
    super({
      code: 'io',
      message: `the server was restarted, and nobody has compared its log of study ${study} with a mirror since`,
      hint: `anode study resume ${study} on the machine that started it does.`,
    })
  }
}
