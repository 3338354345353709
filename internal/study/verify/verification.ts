// Checks that what claims quote was really read, and whether the source still says it.
import { fingerprint } from '../../base/fingerprint.ts'
import { foldVariants, hasUnspacedScript } from '../../base/text/scripts/unspaced-script.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { ClaimVerdict, StudyClaim, StudyEvidence } from '../log/entries.ts'
import { computeCitationAccuracy } from '../log/outcome.ts'
import type { StudyState } from '../log/state.ts'
import { containsQuote, foldSpace } from './quotation.ts'
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

/** A quotation shorter than this has to be a whole line of its source. */
const shortest = 20

/** Terms of the claim that the quotation has to hold; all of them where the claim has fewer. */
const shared = 2

/** `excerpt` holds the quotation. A claim that is its own quotation states what stands there. */
export function isSupported(claim: { text: string; quote: string }, excerpt: string): boolean {
  const quote = foldSpace(claim.quote)
  const isWholeLine = excerpt.split('\n').some((line) => foldSpace(line) === quote)
  if (widthOf(quote) < shortest && !isWholeLine) return false
  if (foldSpace(claim.text) === quote) return true
  const quoted = stems(claim.quote)
  const wanted = stems(claim.text)
  const text = foldVariants(quote)
  const isHeld = (stem: string) => quoted.has(stem) || (hasUnspacedScript(stem) && text.includes(stem))
  const held = [...wanted].filter(isHeld).length
  return wanted.size > 0 && held >= Math.min(shared, wanted.size)
}

const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu

/** The characters of a text. One of a dense script says as much as two letters. */
const widthOf = (text: string) => [...text].length + (text.match(dense) ?? []).length

/**
 * The terms of a text as stems, so that `locks`, `locked` and `locking` are one; parts of a name are no terms
 * beside it.
 */
function stems(text: string): Set<string> {
  const whole = extractTerms(text.replaceAll(/["“”`]/g, ' '))
  const parts = new Set(whole.flatMap((term) => (/[./_-]/.test(term) ? term.split(/[./_-]/) : [])))
  return new Set(whole.filter((term) => !parts.has(term)).map(stem))
}

/** Without one ordinary ending, as long as three letters stay. */
const stem = (term: string) => term.replace(/(?<=^\p{L}{3,})(?:ions?|ing|ed|es|er|e|s)$/u, '')
