// Checks that what claims quote was really read, and whether the source still says it.
import { fingerprint } from '../../base/fingerprint.ts'
import type { ClaimVerdict, StudyClaim, StudyEvidence } from '../log/entries.ts'
import { computeCitationAccuracy } from '../log/outcome.ts'
import type { StudyState } from '../log/state.ts'
import { isSupported } from './claim-support.ts'
import { containsQuote } from './quotation.ts'

/** The bytes of a source as it is now, by its canonical name; undefined when it is not at hand. */
export type EvidenceReader = (canonical: string) => Promise<Uint8Array | undefined>

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
  const sources = new Map<string, Promise<Uint8Array | undefined>>()
  const source = (canonical: string) => {
    const known = sources.get(canonical) ?? read(canonical)
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
  read: EvidenceReader,
): Promise<ClaimVerdict> {
  const failed = (reason: ClaimVerdict['reason'], sourceChanged = false): ClaimVerdict => ({
    claim: claim.id,
    verified: false,
    ...(reason && { reason }),
    sourceChanged,
  })
  if (!evidence) return failed('no_evidence')
  if (fingerprint(evidence.excerpt) !== evidence.excerptSha256) return failed('excerpt_damaged')
  if (!containsQuote(evidence.excerpt, claim.quote)) return failed('quote_missing')
  if (!isSupported(claim, evidence.excerpt)) return failed('unsupported')
  const bytes = evidence.sourceSha256 === undefined ? undefined : await read(evidence.canonical)
  if (!bytes) return { claim: claim.id, verified: true, sourceChanged: false }
  if (fingerprint(bytes) !== evidence.sourceSha256)
    return { claim: claim.id, verified: true, sourceChanged: true }
  const place = linesAt(Buffer.from(bytes).toString('utf8'), evidence.locator)
  if (place !== undefined && !containsQuote(place, claim.quote)) return failed('locator_wrong')
  return { claim: claim.id, verified: true, sourceChanged: false }
}

/**
 * Lines of a locator such as `12`, `12-40` or `3-5,9`, from 1, ends included; undefined for places of other
 * kinds.
 */
export function parseLineRanges(locator: string): { from: number; to: number }[] | undefined {
  const out: { from: number; to: number }[] = []
  for (const part of locator.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part)
    if (!match) return undefined
    const from = Number(match[1])
    out.push({ from, to: match[2] === undefined ? from : Number(match[2]) })
  }
  return out
}

function linesAt(text: string, locator: string): string | undefined {
  const ranges = parseLineRanges(locator)
  if (!ranges) return undefined
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  return ranges.map(({ from, to }) => lines.slice(from - 1, to).join('\n')).join('\n')
}
