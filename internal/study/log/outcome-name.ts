// Names of outcomes. If rules did the work, the names do not claim an answer, because rules only find quotes.
import type { StudyHead, StudyStatus } from './entries.ts'

interface Ending {
  model: Pick<StudyHead['model'], 'kind'>
  status: StudyStatus
  reason: string | null | undefined
}

/** Reasons for which a study fails although nothing went wrong: there was nothing to find. */
const fruitless = new Set(['no_evidence', 'nothing_found'])

/**
 * Returns the status of a study as text. If rules did the work, `done` becomes `quotations found`, and a
 * failure because nothing was found becomes `nothing found`.
 */
export function nameOutcome({ model, status, reason }: Ending): string {
  if (model.kind !== 'rules') return status
  if (status === 'done') return 'quotations found'
  return status === 'failed' && fruitless.has(reason ?? '') ? 'nothing found' : status
}

/** Returns how a task ended, as text. If rules did the work, `done` becomes `found`. */
export function nameTaskEnd(model: Pick<StudyHead['model'], 'kind'>, end: string): string {
  if (end === 'not_run') return 'not run'
  return model.kind === 'rules' && end === 'done' ? 'found' : end
}
