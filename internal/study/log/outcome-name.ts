// What an end is called: a language model answers, rules only find quotations or do not.
import type { StudyHead, StudyStatus } from './entries.ts'

interface Ending {
  model: Pick<StudyHead['model'], 'kind'>
  status: StudyStatus
  reason: string | null | undefined
}

/** Reasons of a study that has failed although nothing went wrong: there was nothing to find. */
const fruitless = new Set(['no_evidence', 'nothing_found'])

/** The status in words: `quotations found`, `partial` and `nothing found` where rules did the work. */
export function nameOutcome({ model, status, reason }: Ending): string {
  if (model.kind !== 'rules') return status
  if (status === 'done') return 'quotations found'
  return status === 'failed' && fruitless.has(reason ?? '') ? 'nothing found' : status
}

/** The end of one task in words: `found` where rules did the work. */
export function nameTaskEnd(model: Pick<StudyHead['model'], 'kind'>, end: string): string {
  if (end === 'not_run') return 'not run'
  return model.kind === 'rules' && end === 'done' ? 'found' : end
}
