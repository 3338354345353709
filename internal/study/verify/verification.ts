// Check that the quotes of claims were really read, and whether the source still contains them.
import { fingerprint } from '../../base/fingerprint.ts'
import { foldVariants, hasUnspacedScript } from '../../base/text/scripts/unspaced-script.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { ClaimVerdict, StudyClaim, StudyEvidence } from '../log/entries.ts'
import { computeCitationAccuracy } from '../log/outcome.ts'
import type { StudyState } from '../log/state.ts'
import { containsQuote, foldSpace } from './quotation.ts'
import { type EvidenceReader, type SourceSnapshot, takeSnapshot } from './source-snapshot.ts'

export interface ClaimVerification {
  /** One verdict for each claim, in the order of claims. */
  verdicts: ClaimVerdict[]
  /** Share of verified claims; null without claims. */
  accuracy: number | null
}

/**
 * Verifies claims. A claim is verified if its evidence exists, the excerpt is unchanged and contains the
 * quote (both folded), and the quote supports the claim. If the unchanged source is available, the quote must
 * also be at the locator. A changed source is reported but is not a failure.
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

/** Minimum length of a quote that is only a part of a line. */
const shortest = 20

/** Number of the claim's terms that the quote must contain, or all of them if the claim has fewer. */
const shared = 2

/**
 * Returns whether the quote supports the claim. `excerpt` contains the quote. A claim equal to
 * its quote is supported.
 */
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

/** Returns the width of a text. A character of a dense script counts as two letters. */
const widthOf = (text: string) => [...text].length + (text.match(dense) ?? []).length

/**
 * Returns the terms of a text as stems, so that `locks`, `locked` and `locking` are one. Parts of a name
 * do not count separately.
 */
function stems(text: string): Set<string> {
  const whole = extractTerms(text.replaceAll(/["“”`]/g, ' '))
  const parts = new Set(whole.flatMap((term) => (/[./_-]/.test(term) ? term.split(/[./_-]/) : [])))
  return new Set(whole.filter((term) => !parts.has(term)).map(stem))
}

/** Returns a term without a common ending, if at least three letters remain. */
const stem = (term: string) => term.replace(/(?<=^\p{L}{3,})(?:ions?|ing|ed|es|er|e|s)$/u, '')
