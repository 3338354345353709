// Selection of quotes so that each part of a question that a passage is about has one.
import type { PassageHit } from '../choose.ts'
import { createPlaceList } from '../rank/closeness.ts'
import { isAboutPart, listTellingParts, type WeighedPart } from '../rank/parts.ts'
import type { ScanTerms, TermPlace } from '../term-scanner.ts'
import type { ParsedQuestion } from '../words.ts'
import { listAnsweredParts } from './part-judgement.ts'
import type { PassageQuote, SecondQuote } from './passage-quote.ts'
import { chooseQuotes } from './quote.ts'
import { textOfQuote } from './quote-lines.ts'

/**
 * Indices of parts of the question: those that a quote answers, and those that the quote is only about while
 * no other quote answers them.
 */
type AnsweredParts = { tells?: readonly number[] }

/** A passage with its best quote, and a second one if it is worth quoting. */
export type QuotedHit = PassageHit & {
  best: PassageQuote & AnsweredParts
  second?: SecondQuote & AnsweredParts
}

/**
 * Returns the passages with their quotes, in the same order. Each part of the question keeps a quote that
 * answers it; if none does, a quote that is about it.
 */
export function quoteEachPart(
  hits: readonly PassageHit[],
  question: ParsedQuestion,
  weights: readonly number[],
  scan: ScanTerms,
): QuotedHit[] {
  const quoted: QuotedHit[] = hits.map((hit) => ({ ...hit, ...chooseQuotes(hit, question, weights, scan) }))
  const parts = listTellingParts(question, weights)
  const answers = (hit: QuotedHit, quote: PassageQuote) =>
    listAnsweredParts(hit, quote, question, weights, scan)
  if (parts.length < 2) return quoted.map((hit) => markAnswers(hit, answers))
  const mark = (hit: QuotedHit) => markParts(hit, parts, scan)
  const out = quoted.map(mark)
  for (const part of parts) {
    if (tellsPart(out, part.part)) continue
    for (const [i, hit] of out.entries()) {
      if (!isAboutPart(hit.counted, part)) continue
      const { best } = chooseQuotes(hit, question, part.weights, scan)
      const changed = mark(withQuote(hit, best))
      const after = out.with(i, changed)
      // A quote is not changed if another part would lose its only quote.
      if (!parts.every((one) => tellsPart(after, one.part) || (one !== part && !tellsPart(out, one.part))))
        continue
      out[i] = changed
      break
    }
  }
  const answering = out.map((hit) => markAnswers(hit, answers))
  const answered = new Set(parts.map(({ part }) => part).filter((part) => tellsPart(answering, part)))
  // Once a quote answers a part, other quotes no longer keep the mark that they are about this part.
  const keep = <T extends PassageQuote & AnsweredParts>(old: T, own: T): T => ({
    ...own,
    tells: [...(own.tells ?? []), ...(old.tells ?? []).filter((part) => !answered.has(part))],
  })
  return out.map((hit, i) => {
    const own = answering[i] as QuotedHit
    const second = hit.second && own.second ? keep(hit.second, own.second) : undefined
    return { ...hit, best: keep(hit.best, own.best), second }
  })
}

function markAnswers(
  hit: QuotedHit,
  answers: (hit: QuotedHit, quote: PassageQuote) => readonly number[],
): QuotedHit {
  const mark = <T extends PassageQuote>(quote: T) => ({ ...quote, tells: answers(hit, quote) })
  return { ...hit, best: mark(hit.best), second: hit.second && mark(hit.second) }
}

const tellsPart = (hits: readonly QuotedHit[], part: number): boolean =>
  hits.some(({ best, second }) => best.tells?.includes(part) || second?.tells?.includes(part))

/**
 * Returns the hit with `quote` as its second quote. If `quote` overlaps the best quote, it replaces both
 * quotes of the hit.
 */
function withQuote(hit: QuotedHit, quote: PassageQuote): QuotedHit {
  const { second: _, ...rest } = hit
  const isApart = quote.end_line < hit.best.line || quote.line > hit.best.end_line
  return isApart ? { ...rest, second: { ...quote, share: 1 } } : { ...rest, best: quote }
}

function markParts(hit: QuotedHit, parts: readonly WeighedPart[], scan: ScanTerms): QuotedHit {
  const mark = <T extends PassageQuote>(quote: T) => {
    const near = createPlaceList()
    const places: TermPlace[] = []
    scan(textOfQuote(hit, quote), (place) => places.push(place))
    // The scanner returns names before plain words, but distances need the order of the text.
    for (const { at, term, weight } of places.sort((a, b) => a.at - b.at)) near.add(at, term, weight)
    const { counts, fileWeight } = hit.counted
    const counted = { counts, fileWeight, places: near.close() }
    return { ...quote, tells: parts.filter((part) => isAboutPart(counted, part)).map(({ part }) => part) }
  }
  return { ...hit, best: mark(hit.best), second: hit.second && mark(hit.second) }
}
