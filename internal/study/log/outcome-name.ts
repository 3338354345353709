// Names of outcomes: a language model answers, rules only find quotes.
import type { StudyHead, StudyStatus } from './entries.ts'

interface Ending {
  model: Pick<StudyHead['model'], 'kind'>
  status: StudyStatus
  reason: string | null | undefined
}

/** Reasons for failure without an error: there was nothing to find. */
const fruitless = new Set(['no_evidence', 'nothing_found'])

/** Returns the status as text: `quotations found`, `partial` and `nothing found` if rules did the work. */
export function nameOutcome({ model, status, reason }: Ending): string {
  if (model.kind !== 'rules') return status
  if (status === 'done') return 'quotations found'
  return status === 'failed' && fruitless.has(reason ?? '') ? 'nothing found' : status
}

/** Returns the end of one task as text: `found` if rules did the work. */
export function nameTaskEnd(model: Pick<StudyHead['model'], 'kind'>, end: string): string {
  if (end === 'not_run') return 'not run'
  return model.kind === 'rules' && end === 'done' ? 'found' : end
}
