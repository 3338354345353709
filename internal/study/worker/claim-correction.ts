// One round of correction: the worker gets a note about its invalid claims, and its response replaces them.

import { extractTerms, termSimilarity } from '../../text-analysis/terms.ts'
import { type ClaimState, placesOf, type StudyEvidence } from '../log/entries.ts'
import { judgeClaim } from '../verify/claim-state.ts'
import { containsQuote } from '../verify/quotation.ts'
import type { AnsweredClaim, FinalAnswer } from './final-answer-schema.ts'

type KnownEvidence = ReadonlyMap<string, Pick<StudyEvidence, 'excerpt'> & Partial<StudyEvidence>>

const maxListed = 20

/** Returns true if a note in the record is about invalid claims. */
export const isClaimNote = (note: string): boolean => /^\d+ of \d+ claims? holds?\. /.test(note)

/** Returns the note about the invalid claims, or undefined if all claims are valid. */
export function writeClaimNote({ claims }: FinalAnswer, evidence: KnownEvidence): string | undefined {
  const faults = claims.flatMap((claim, i) => {
    const fault = describeFault(claim, evidence)
    return fault === undefined ? [] : [`${i + 1}: ${fault}.`]
  })
  if (faults.length === 0) return undefined
  const list = faults.slice(0, maxListed)
  if (faults.length > list.length) list.push(`And ${faults.length - list.length} more.`)
  const holding = claims.length - faults.length
  return [
    `${holding} of ${claims.length} ${claims.length === 1 ? 'claim holds' : 'claims hold'}.`,
    ...list,
    'Reply with the corrected claims only; {"claims": []} keeps them.',
  ].join(' ')
}

/**
 * Returns the reason why a claim is invalid: its evidence is unknown, its quote is not in it, or its quote
 * does not state the claim. Undefined for a valid claim.
 */
function describeFault(claim: AnsweredClaim, evidence: KnownEvidence): string | undefined {
  for (const { evidence: id, quote } of placesOf(claim)) {
    const evidenceItem = evidence.get(id)
    if (!evidenceItem) return id === '' ? 'it names no evidence' : `you were not given evidence ${id}`
    if (!containsQuote(evidenceItem.excerpt, quote)) return `the quote is not in ${id}`
  }
  if (stateIn(claim, evidence) === 'verified') return undefined
  return 'the quote does not state the claim; quote the whole statement, or use its names and numbers'
}

function stateIn(claim: AnsweredClaim, evidence: KnownEvidence): ClaimState {
  const places = placesOf(claim).map(({ evidence: id, quote }) => {
    const { excerpt = '', canonical: path, heading } = evidence.get(id) ?? {}
    return { quote, excerpt, heading, path }
  })
  return judgeClaim(claim.text, places)
}

/** Share of common terms from which on a corrected claim replaces another one. */
const similar = 0.5

/**
 * Returns the valid claims together with the corrected ones. An invalid claim with a real quote stays too,
 * unless a correction has the same subject. Without any corrections, all claims stay. The gaps of both
 * responses are joined.
 */
export function mergeCorrection(
  before: FinalAnswer,
  correction: FinalAnswer,
  evidence: KnownEvidence,
): FinalAnswer {
  const gaps = [...new Set([...before.gaps, ...correction.gaps])]
  if (correction.claims.length === 0) return { claims: before.claims, gaps }
  const corrected = correction.claims.map(({ text }) => extractTerms(text))
  const isReplaced = ({ text }: AnsweredClaim) =>
    corrected.some((terms) => termSimilarity(terms, extractTerms(text)) >= similar)
  const staying = before.claims.filter((claim) => {
    const state = stateIn(claim, evidence)
    return state === 'verified' || (state === 'quoted' && !isReplaced(claim))
  })
  return { claims: [...staying, ...correction.claims], gaps }
}
