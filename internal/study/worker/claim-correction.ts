// Claims that a worker has to correct: what is wrong with each, and how its correction is put in their place.
import { countNoun } from '../../base/text/count-noun.ts'
import type { StudyEvidence } from '../log/entries.ts'
import { containsQuote } from '../verify/quotation.ts'
import type { FinalAnswer } from './final-answer-schema.ts'

type Claim = FinalAnswer['claims'][number]
type KnownEvidence = ReadonlyMap<string, Pick<StudyEvidence, 'excerpt'>>

/** How the note starts, so that a record shows whether it was sent. */
export const claimNoteStart = 'Claims to correct: '

const maxListed = 20

/** Says why a claim cannot be recorded as it is; undefined if it can. */
function describeFault({ evidence: id, quote }: Claim, evidence: KnownEvidence): string | undefined {
  const known = evidence.get(id)
  if (!known) return id === '' ? 'it names no evidence' : `you were not given evidence ${id}`
  return containsQuote(known.excerpt, quote) ? undefined : `its quote is not in ${id} word for word`
}

/** Returns the note about the claims that have a fault; undefined if none has. */
export function writeClaimNote({ claims }: FinalAnswer, evidence: KnownEvidence): string | undefined {
  const faults = claims.flatMap((claim, i) => {
    const fault = describeFault(claim, evidence)
    return fault === undefined ? [] : [`${i + 1}. "${claim.text.slice(0, 100)}": ${fault}.`]
  })
  if (faults.length === 0) return undefined
  const list = faults.slice(0, maxListed)
  if (faults.length > list.length) list.push(`… ${faults.length - list.length} more`)
  return [
    `${claimNoteStart}${faults.length} of ${countNoun(claims.length, 'claim')}.`,
    ...list,
    'Reply with the corrected claims only, as {"claims": […], "gaps": []}. Quote the evidence word for word.',
    'Leave out a claim that no evidence supports. {"claims": []} keeps the claims as they are.',
  ].join('\n')
}

/** Puts the corrected claims in the place of those that have a fault. Without any, all stay as they are. */
export function mergeCorrection(
  before: FinalAnswer,
  correction: FinalAnswer,
  evidence: KnownEvidence,
): FinalAnswer {
  const gaps = [...new Set([...before.gaps, ...correction.gaps])]
  if (correction.claims.length === 0) return { claims: before.claims, gaps }
  const good = before.claims.filter((claim) => describeFault(claim, evidence) === undefined)
  return { claims: [...good, ...correction.claims], gaps }
}
