// Checks that what claims quote was really read, and whether the source still says it.
import { fingerprint } from '../../base/fingerprint.ts'
import type { ClaimVerdict, StudyClaim, StudyEvidence } from '../log/entries.ts'
import { computeCitationAccuracy } from '../log/outcome.ts'
import type { StudyState } from '../log/state.ts'
import { isSupported } from './claim-support.ts'
import { containsQuote } from './quotation.ts'
import { type EvidenceReader, type SourceSnapshot, takeSnapshot } from './source-snapshot.ts'

export interface ClaimVerification {
  /** One for each claim, in the order of claims. */
  verdicts: ClaimVerdict[]
  /** Verified claims over all claims; null without claims. */
  accuracy: number | null
}

/**
 * A claim is verified when its evidence exists, the excerpt is as it was filed and holds the quote, both
 * folded, and the quote says enough of the claim. With the unchanged source at hand the quote must also stand
 * at the locator; a changed source is said and no failure.
 */
export async function verifyClaims(
  { claims, evidence }: Pick<StudyState, 'claims' | 'evidence'>,
  read: EvidenceReader,
): Promise<ClaimVerification> {
  const sources = new Map<string, Promise<SourceSnapshot | undefined>>()
  const source = (canonical: string) => {
    const known = sources.get(canonical) ?? takeSnapshot(canonical, read)
    sources.set(canonical, known)
    return known
  }
  const verdicts: ClaimVerdict[] = []
  for (const claim of claims.values()) verdicts.push(await check(claim, evidence.get(claim.evidence), source))
  const byClaim = new Map(verdicts.map((verdict) => [verdict.claim, verdict]))
  return { verdicts, accuracy: computeCitationAccuracy({ claims, verdicts: byClaim }) }
}

async function check(
  claim: StudyClaim,
  evidence: StudyEvidence | undefined,
  source: (canonical: string) => Promise<SourceSnapshot | undefined>,
): Promise<ClaimVerdict> {
  const failed = (reason: ClaimVerdict['reason'], sourceChanged = false): ClaimVerdict => ({
    claim: claim.id,
    verified: false,
    reason,
    sourceChanged,
  })
  if (!evidence) return failed('no_evidence')
  if (fingerprint(evidence.excerpt) !== evidence.excerptSha256) return failed('excerpt_damaged')
  if (!containsQuote(evidence.excerpt, claim.quote)) return failed('quote_missing')
  if (!isSupported(claim, evidence.excerpt)) return failed('unsupported')
  const snapshot = evidence.sourceSha256 === undefined ? undefined : await source(evidence.canonical)
  if (!snapshot) return { claim: claim.id, verified: true, sourceChanged: false }
  if (snapshot.sha256 !== evidence.sourceSha256)
    return { claim: claim.id, verified: true, sourceChanged: true }
  const place = snapshot.textAt(evidence.locator)
  if (place !== undefined && !containsQuote(place, claim.quote)) return failed('locator_wrong')
  return { claim: claim.id, verified: true, sourceChanged: false }
}
