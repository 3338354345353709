// Judgement of each part of a question by its best single quote: the share of its words, and the asked value.
import type { PassageHit } from '../choose.ts'
import { minTogether } from '../rank/parts.ts'
import type { ScanTerms, TermPlace } from '../term-scanner.ts'
import { createPlaceList, weighClosest } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'
import {
  type AskedKind,
  type AskedPart,
  asking,
  countedWeight,
  findValues,
  kindNames,
  listAskedParts,
} from './asked-kind.ts'
import type { PassageQuote } from './passage-quote.ts'
import { linesOfQuote, textOfQuote } from './quote-lines.ts'
import { isStated } from './statement-words.ts'
import { readStatements } from './value-statement.ts'
import { isTied } from './value-tie.ts'

/** A passage with its quotes. */
type QuotedPassage = Pick<PassageHit, 'path' | 'from' | 'text' | 'frame' | 'place' | 'kind' | 'counted'> & {
  best: PassageQuote
  second?: PassageQuote
}

/** A quote as text, with the passage from which it is taken. */
interface SingleQuote {
  passage: QuotedPassage
  quote: PassageQuote
  text: string
}

/** How well a single quote, the best one, answers a part of the question. */
export interface PartJudgement {
  /** Index of the part. */
  part: number
  /**
   * Share of the part's telling words, by weight, that are close together in the quote, times the weight of
   * the passage (`fileWeight`); from 0 to 1. Words in titles of the passage count as close to all others.
   */
  share: number
  /**
   * True if the share is high enough, no name is missing, and the value that the part asks for is near the
   * words. If it asks for no value, a single statement has to contain most of the words.
   */
  isAnswered: boolean
  /** Why the part is not answered, as one line for users. */
  gap?: string
}

/** Weight of a synonym in a quote, relative to the word itself. */
const synonymWorth = 0.8

/** Largest distance in characters between a value and the words of the question to which it belongs. */
const nearChars = 160

/** Largest number of words that a message lists if the words of a part are in different places. */
const maxListed = 4

/**
 * Judges each part that has telling words. Tests and change logs count less, so they seldom answer a part.
 */
export function judgeParts(
  passages: readonly QuotedPassage[],
  question: ParsedQuestion,
  weights: readonly number[],
  scan: ScanTerms,
): PartJudgement[] {
  const quotes = passages.flatMap(listQuotes)
  return listAskedParts(question, weights).map((part) => {
    let best: JudgedQuote = { share: 0, lacks: 'words' }
    for (const quote of quotes) {
      const one = judgeQuote(quote, part, question, scan)
      const isBetter = one.lacks === undefined && best.lacks !== undefined
      const isEqual = (one.lacks === undefined) === (best.lacks === undefined)
      if (isBetter || (isEqual && one.share > best.share)) best = one
    }
    const gap = best.lacks === undefined ? undefined : describeGap(part, best, quotes, question, scan)
    return { part: part.part, share: best.share, isAnswered: gap === undefined, gap }
  })
}

/** Returns the indices of the parts that the quote answers alone. */
export function listAnsweredParts(
  passage: QuotedPassage,
  quote: PassageQuote,
  question: ParsedQuestion,
  weights: readonly number[],
  scan: ScanTerms,
): number[] {
  const singleQuote = { passage, quote, text: textOfQuote(passage, quote) }
  return listAskedParts(question, weights)
    .filter((part) => judgeQuote(singleQuote, part, question, scan).lacks === undefined)
    .map(({ part }) => part)
}

const listQuotes = (passage: QuotedPassage): SingleQuote[] =>
  [passage.best, ...(passage.second ? [passage.second] : [])].map((quote) => ({
    passage,
    quote,
    text: textOfQuote(passage, quote),
  }))

interface JudgedQuote {
  share: number
  lacks?: 'words' | 'name' | 'statement' | 'value'
}

function judgeQuote(
  { passage, text }: SingleQuote,
  part: AskedPart,
  question: ParsedQuestion,
  scan: ScanTerms,
): JudgedQuote {
  const places: { at: number; term: number; weight: number }[] = []
  scan(text, (place) => places.push(place))
  dropDoubleMeanings(places)
  const titles = termsOfTitles(passage, question)
  const near = createPlaceList()
  for (const { at, term, weight } of [...places].sort((a, b) => a.at - b.at)) near.add(at, term, weight)
  const all = part.weights.reduce((sum, one) => sum + one, 0)
  const close = all === 0 ? 0 : weighClosest(near.close(), part.weights, titles, synonymWorth) / all
  const share = Math.round(close * passage.counted.fileWeight * 1000) / 1000
  if (share < minTogether) return { share, lacks: 'words' }
  const quoteTerms = new Set([...places.map(({ term }) => term), ...titles.keys()])
  const isMissing = (term: number) =>
    question.terms[term]?.isName && !quoteTerms.has(term) && !isPieceOfHeld(term, quoteTerms, question)
  if ([...part.terms, ...part.meant].some(isMissing)) return { share, lacks: 'name' }
  if (part.kind === undefined)
    return statesPart({ text, places, titles, passage }, part, question)
      ? { share }
      : { share, lacks: 'statement' }
  return givesKind(part.kind, { text, places, titles, passage }, part, question)
    ? { share }
    : { share, lacks: 'value' }
}

/**
 * Removes a synonym that matches at the same place as another word of the question itself. One word in a text
 * proves one word only.
 */
function dropDoubleMeanings(places: { at: number; weight: number }[]): void {
  const exact = new Set(places.filter(({ weight }) => weight >= 1).map(({ at }) => at))
  for (let i = places.length - 1; i >= 0; i--) {
    const { at, weight } = places[i] as { at: number; weight: number }
    if (weight < 1 && exact.has(at)) places.splice(i, 1)
  }
}

/**
 * Returns true if the term is a piece of a name that the quote contains, or contains such a name.
 * `quoteTerms` lists the terms in the quote.
 */
function isPieceOfHeld(term: number, quoteTerms: ReadonlySet<number>, { terms }: ParsedQuestion): boolean {
  const text = terms[term]?.word.toLowerCase() ?? ''
  return [...quoteTerms].some((other) => {
    const word = terms[other]?.word.toLowerCase() ?? ''
    return terms[other]?.isName === true && word.length > 1 && (word.includes(text) || text.includes(word))
  })
}

/** Returns the weights of the terms in the titles and names of a passage, and of the names in its path. */
function termsOfTitles(
  { counted }: Pick<QuotedPassage, 'counted'>,
  { terms }: Pick<ParsedQuestion, 'terms'>,
  fields: readonly ('heading' | 'symbol')[] = ['heading', 'symbol'],
): Map<number, number> {
  const out = new Map<number, number>()
  for (const [term, count] of counted.counts.path?.entries() ?? [])
    if (count > 0 && terms[term]?.isName) out.set(term, 1)
  for (const name of fields) {
    for (const [term, count] of counted.counts[name]?.entries() ?? [])
      if (count > 0) out.set(term, Math.max(out.get(term) ?? 0, count >= 1 ? 1 : synonymWorth))
  }
  return out
}

interface ReadQuote {
  text: string
  places: readonly TermPlace[]
  titles: ReadonlyMap<number, number>
  passage: QuotedPassage
}

/**
 * Returns true if a single statement of the quote has the words of the part. `named` are words of titles that
 * count for every statement in code; in prose, `titles` count. Default: the words of the passage's heading.
 */
function statesPart(
  { text, places, titles, passage }: ReadQuote,
  part: AskedPart,
  question: ParsedQuestion,
  named: ReadonlyMap<number, number> = termsOfTitles(passage, question, ['heading']),
): boolean {
  // The terms of a script without spaces are pieces of words, so a sentence need not have most of them.
  if (part.terms.some((term) => question.terms[term]?.script === 'unspaced')) return true
  const isProse = passage.kind === 'prose'
  return isStated({
    places,
    titles: isProse ? titles : named,
    terms: part.terms,
    weightOf: (term) => countedWeight(question, term),
    weights: part.weights,
    isName: (term) => question.terms[term]?.isName === true,
    share: minTogether,
    synonymWorth,
    statementAt: readStatements(text, !isProse),
  })
}

/**
 * Returns true if a value of the kind is near two telling words, or near the only one, and its
 * statement is about the part. Words of titles count as near; for a count, at least one word has to be
 * near in the text itself.
 */
function givesKind(
  kind: AskedKind,
  { text, places, titles, passage }: ReadQuote,
  part: AskedPart,
  question: ParsedQuestion,
): boolean {
  const { terms, language } = question
  const counts = kind === 'count' ? part.terms.filter((term) => !asking.test(terms[term]?.word ?? '')) : []
  const telling = new Set(counts.length > 0 ? counts : part.terms)
  // The name of a definition answers a question for a position in code.
  const isDefinition = kind === 'place' && passage.kind === 'code'
  if (isDefinition && part.terms.some((term) => terms[term]?.isName && (titles.get(term) ?? 0) >= 1))
    return true
  if (isDefinition || kind === 'items') {
    // Several items, or a definition without a name of the question, need a statement with the other words.
    if (!statesPart({ text, places, titles, passage }, part, question, titles)) return false
    if (isDefinition) return [...titles.keys()].some((term) => telling.has(term))
  }
  const hits = places.filter(({ term }) => telling.has(term))
  const minTerms = Math.min(2, telling.size)
  const statementAt = readStatements(text, passage.kind !== 'prose')
  const input = {
    quote: text,
    places,
    // The names of all definitions in a passage say nothing about a single value.
    titles: passage.kind === 'prose' ? titles : termsOfTitles(passage, question, ['heading']),
    names: titles,
    kind,
    part: part.text,
    language,
    terms: [...telling],
    weights: part.weights,
    weightOf: (term: number) => countedWeight(question, term),
    synonymWorth,
    wordOf: (term: number) => terms[term]?.word ?? '',
  }
  return findValues(text, kind).some((value) => {
    const near = new Set(hits.filter(({ at }) => Math.abs(at - value) <= nearChars).map(({ term }) => term))
    if (near.size === 0 && kind === 'count') return false
    for (const term of titles.keys()) if (telling.has(term)) near.add(term)
    if (near.size < minTerms) return false
    if (kind === 'items') return true
    return isTied(input, value, statementAt(value))
  })
}

function describeGap(
  part: AskedPart,
  best: JudgedQuote,
  quotes: readonly SingleQuote[],
  question: ParsedQuestion,
  scan: ScanTerms,
): string {
  if (best.lacks === 'value' && part.kind !== undefined)
    return `no quote gives ${kindNames[part.kind]} for: ${part.text}`
  const places = part.terms
    .toSorted((a, b) => (part.weights[b] ?? 0) - (part.weights[a] ?? 0))
    .map((term) => ({ word: question.terms[term]?.word ?? '', place: placeOf(term, quotes, scan) }))
  const apart = places.filter(({ place }) => place !== undefined).slice(0, maxListed)
  if (apart.length < 2 || new Set(apart.map(({ place }) => place)).size < 2)
    return `no quote for: ${part.text}`
  return `the words are apart: ${apart.map(({ word, place }) => `${word} (${place})`).join(', ')}`
}

/**
 * Returns the path and line of the first quote with the term itself and not a synonym, or undefined. For a
 * document, the position in it replaces the line.
 */
function placeOf(term: number, quotes: readonly SingleQuote[], scan: ScanTerms): string | undefined {
  for (const { passage, quote, text } of quotes) {
    let at = -1
    scan(text, (place) => {
      if (place.term === term && place.weight >= 1 && (at < 0 || place.at < at)) at = place.at
    })
    if (at < 0) continue
    if (passage.place !== undefined) return `${passage.path}, ${passage.place}`
    const lines = linesOfQuote(passage, quote)
    return `${passage.path}:${lines[text.slice(0, at).split('\n').length - 1]?.line ?? quote.line}`
  }
  return undefined
}
