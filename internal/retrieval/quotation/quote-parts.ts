// Quotes of passages that cover each part of a question that a passage is about.
import type { PassageHit } from '../choose.ts'
import { createPlaceList } from '../rank/closeness.ts'
import { isAboutPart, listTellingParts, type WeighedPart } from '../rank/parts.ts'
import type { ScanTerms } from '../term-scanner.ts'
import type { ParsedQuestion } from '../words.ts'
import { chooseQuotes, type PassageQuote, type SecondQuote } from './quote.ts'

/** Indices of the parts of the question that a quote is about. Undefined for a question with one part. */
type AnsweredParts = { tells?: readonly number[] }

/** A passage with the parts of it that are worth quoting. */
export type QuotedHit = PassageHit & {
  best: PassageQuote & AnsweredParts
  second?: SecondQuote & AnsweredParts
}

interface QuotedParts {
  hits: QuotedHit[]
  /** Indices of the parts that no quote is about. */
  open: number[]
}

/**
 * Quotes the passages. A question with one part never has open parts, because the
 * coverage already measures it.
 */
export function quoteEachPart(
  hits: readonly PassageHit[],
  question: ParsedQuestion,
  weights: readonly number[],
  scan: ScanTerms,
): QuotedParts {
  const quoted: QuotedHit[] = hits.map((hit) => ({ ...hit, ...chooseQuotes(hit, question, weights, scan) }))
  const parts = listTellingParts(question, weights)
  if (parts.length < 2) return { hits: quoted, open: [] }
  const mark = (hit: QuotedHit) => markParts(hit, parts, scan)
  const out = quoted.map(mark)
  for (const part of parts) {
    if (tellsPart(out, part.part)) continue
    for (const [i, hit] of out.entries()) {
      if (!isAboutPart(hit.counted, part)) continue
      const { best } = chooseQuotes(hit, question, part.weights, scan)
      const changed = mark(withQuote(hit, best))
      const after = out.with(i, changed)
      // never at the cost of another part
      if (!parts.every((one) => tellsPart(after, one.part) || (one !== part && !tellsPart(out, one.part))))
        continue
      out[i] = changed
      break
    }
  }
  return { hits: out, open: parts.map(({ part }) => part).filter((part) => !tellsPart(out, part)) }
}

const tellsPart = (hits: readonly QuotedHit[], part: number): boolean =>
  hits.some(({ best, second }) => best.tells?.includes(part) || second?.tells?.includes(part))

/** Sets a separate quote as the second one of the hit. */
function withQuote(hit: QuotedHit, quote: PassageQuote): QuotedHit {
  const { second: _, ...rest } = hit
  const isApart = quote.end_line < hit.best.line || quote.line > hit.best.end_line
  return isApart ? { ...rest, second: { ...quote, share: 1 } } : { ...rest, best: quote }
}

function markParts(hit: QuotedHit, parts: readonly WeighedPart[], scan: ScanTerms): QuotedHit {
  const mark = <T extends PassageQuote>(quote: T) => {
    const near = createPlaceList()
    const lines = hit.text.split('\n').slice(quote.line - hit.from, quote.end_line - hit.from + 1)
    scan(lines.join('\n'), ({ at, term, weight }) => near.add(at, term, weight))
    const { counts, fileWeight } = hit.counted
    const counted = { counts, fileWeight, places: near.close() }
    return { ...quote, tells: parts.filter((part) => isAboutPart(counted, part)).map(({ part }) => part) }
  }
  return { ...hit, best: mark(hit.best), second: hit.second && mark(hit.second) }
}
