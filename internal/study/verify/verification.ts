// Verification of claims: their quotes were really read, a source that has not changed contains them, and
// they state the claim.
import { fingerprint } from '../../base/fingerprint.ts'
import { isQuotation } from '../../text-analysis/synthesis.ts'
import {
  type ClaimState,
  type ClaimVerdict,
  placesOf,
  type StudyClaim,
  type StudyEvidence,
} from '../log/entries.ts'
import type { StudyFindings } from '../log/merged-claims.ts'
import { computeCitationAccuracy, computeSupport } from '../log/outcome.ts'
import { judgeClaim, type QuotedPlace } from './claim-state.ts'
import { containsQuote, foldSpace } from './quotation.ts'
import { type EvidenceReader, type SourceSnapshot, takeSnapshot } from './source-reader.ts'

export interface ClaimVerification {
  /** One verdict for each claim, in the order of the claims. */
  verdicts: ClaimVerdict[]
  /** Share of claims whose quotes were found; null without claims. */
  accuracy: number | null
  /** Share of verified claims; null without claims. */
  support: number | null
}

/**
 * Verifies claims. The quotes of a claim are found if their evidence exists and its unchanged excerpt
 * contains them. If the unchanged source is available, it must contain the quote at the locator. A claim
 * whose quotes were found is verified if they state it. A changed source is a note, and not a failure.
 */
export async function verifyClaims(
  { claims, evidence }: Pick<StudyFindings, 'claims' | 'evidence'>,
  read: EvidenceReader,
): Promise<ClaimVerification> {
  const sources = new Map<string, Promise<SourceSnapshot | undefined>>()
  const source = (canonical: string) => {
    const snapshot = sources.get(canonical) ?? takeSnapshot(canonical, read)
    sources.set(canonical, snapshot)
    return snapshot
  }
  const verdicts: ClaimVerdict[] = []
  for (const claim of claims.values()) verdicts.push(await checkClaim(claim, evidence, source))
  const byClaim = new Map(verdicts.map((verdict) => [verdict.claim, verdict]))
  const checked = { claims, verdicts: byClaim }
  return { verdicts, accuracy: computeCitationAccuracy(checked), support: computeSupport(checked) }
}

async function checkClaim(
  claim: StudyClaim,
  evidence: ReadonlyMap<string, StudyEvidence>,
  source: (canonical: string) => Promise<SourceSnapshot | undefined>,
): Promise<ClaimVerdict> {
  const verdict = (
    state: ClaimState,
    reason?: ClaimVerdict['reason'],
    sourceChanged = false,
  ): ClaimVerdict => ({
    claim: claim.id,
    state,
    verified: state === 'verified',
    reason,
    sourceChanged,
  })
  let isChanged = false
  const places: QuotedPlace[] = []
  for (const { evidence: id, quote } of placesOf(claim)) {
    const filed = evidence.get(id)
    if (!filed) return verdict('not_found', 'no_evidence')
    if (fingerprint(filed.excerpt) !== filed.excerptSha256) return verdict('not_found', 'excerpt_damaged')
    if (!containsQuote(filed.excerpt, quote)) return verdict('not_found', 'quote_missing')
    const snapshot = filed.sourceSha256 === undefined ? undefined : await source(filed.canonical)
    if (snapshot && snapshot.sha256 !== filed.sourceSha256) isChanged = true
    else {
      const now = snapshot?.textAt(filed.locator)
      if (now !== undefined && !containsQuote(now, quote)) return verdict('not_found', 'locator_wrong')
    }
    places.push({ quote, excerpt: filed.excerpt, path: filed.canonical, heading: filed.heading })
  }
  const state = await judgeQuotedClaim(claim, places)
  return verdict(state, state === 'verified' ? undefined : 'unsupported', isChanged)
}

/** Share of a quote's letters and digits in a claim from which on the claim counts as repeating the quote. */
const repeatedShare = 0.8

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '').length

/**
 * Returns true if a claim repeats its quote, or at least most of it. Comment marks and fences do not matter.
 */
const isRepeated = (text: string, quote: string) =>
  isQuotation(text, quote) && lettersOf(text) >= repeatedShare * lettersOf(quote)

async function judgeQuotedClaim(
  { text, quote }: StudyClaim,
  places: readonly QuotedPlace[],
): Promise<ClaimState> {
  if (foldSpace(text) === foldSpace(quote) || isRepeated(text, quote)) return 'verified'
  return judgeClaim(text, places)
}
