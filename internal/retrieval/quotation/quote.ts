// Selection of the lines of a passage that are worth quoting, of the most informative line, and of a quote
// for each part of the question.
import type { PassageHit } from '../choose.ts'
import { isAboutPart, listTellingParts, type WeighedPart } from '../rank/parts.ts'
import type { ScanTerms, TermPlace } from '../term-scanner.ts'
import { createPlaceList, weighForLines } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'
import { chooseUnits } from './code-quote.ts'
import { listAnsweredParts } from './part-judgement.ts'
import type { PassageQuote, SecondQuote } from './passage-quote.ts'
import {
  exampleShare,
  type LineReading,
  type LineWorth,
  numberLines,
  type QuoteLine,
  readQuoteLines,
  textOfQuote,
} from './quote-lines.ts'
import { type FramedUnit, frameOfText, type QuotableLine } from './quote-units.ts'

/** Largest size of a quote in characters. Only a single line may be longer. */
const maxQuoteChars = 1500

interface LineRange {
  start: number
  end: number
}

/**
 * Bonus for a definition, as a share of the question's weight, if the question asks for a position
 * in a program.
 */
const definitionShare = 0.3

/** Smallest value of a second quote, as a share of the first quote's value. */
const minSecondShare = 0.5
const minSecondChars = 80

/** Quotes of a passage: the best range, and another range if it has at least half of that value. */
interface ChosenQuotes {
  best: PassageQuote
  second?: SecondQuote
}

/** A passage to quote from. Units and frame are set for code. `counted` is missing for a text alone. */
type QuotablePassage = Pick<PassageHit, 'text' | 'from' | 'heading' | 'kind' | 'path' | 'follows'> & {
  counted?: Pick<PassageHit['counted'], 'counts'> | undefined
  units?: readonly FramedUnit[] | undefined
  frame?: readonly QuotableLine[] | undefined
}

/**
 * Returns the range of lines around the most informative line that covers as much of the question as fits,
 * and a second range if it has at least half of that value. Of ranges with equal value, the longest is
 * chosen, because it has more context; lines before the most informative one count half. For code, the
 * ranges are units.
 */
export function chooseQuotes(
  hit: QuotablePassage,
  { wants, terms = [] }: Pick<ParsedQuestion, 'wants'> & Partial<Pick<ParsedQuestion, 'terms'>>,
  termWeights: readonly number[],
  scan: ScanTerms,
): ChosenQuotes {
  const weights = weighForLines(termWeights, hit.counted?.counts)
  const all = weights.reduce((sum, one) => sum + one, 0)
  const numberWorth = wants.number === undefined ? 0 : 0.15 * all
  const worth = (terms: ReadonlySet<number>, hasNumber: boolean) =>
    [...terms].reduce((sum, term) => sum + (weights[term] ?? 0), 0) + (hasNumber ? numberWorth : 0)
  const isPlaceInCode = hit.kind === 'code' && (wants.place || wants.code)
  const reading: LineReading = {
    scan,
    // If the question wants a number, the bonus for a line with a number counts twice here, so that such a
    // line is more often the most informative one than a line that only repeats the words.
    worth: (terms, hasNumber) => worth(terms, hasNumber) + (hasNumber ? numberWorth : 0),
    isPlaceInCode,
    names: terms.filter(({ isName }) => isName).map(({ word }) => word),
  }
  const choice = { worth, definitionWorth: definitionShare * all }
  const units = hit.kind === 'code' ? quoteUnits(hit, reading, choice) : undefined
  if (units) return units
  const lines = readQuoteLines(hit, reading)
  const first = chooseRange(lines, choice)
  const best = placeQuote(first, hit.from)
  const second = secondQuote(lines, first, choice)
  return second
    ? { best, second: { ...placeQuote(second, hit.from), share: second.score / first.score } }
    : { best }
}

function quoteUnits(
  hit: QuotablePassage,
  reading: LineReading,
  choice: Pick<StretchChoice, 'worth' | 'definitionWorth'>,
): ChosenQuotes | undefined {
  const { units, frame = [] } = hit.units ? hit : frameOfText(hit.text, hit.from, hit.path)
  const numbered = numberLines({ from: hit.from, text: hit.text, frame })
  const text = numbered.map((one) => one.text).join('\n')
  const { heading, kind, path, follows } = hit
  const read = readQuoteLines({ text, heading, kind, path }, reading)
  const lines = numbered.map((one, i) => ({ ...(read[i] as QuoteLine), line: one.line }))
  return chooseUnits({ lines, units: units ?? [], follows, ...choice })
}

type QuoteRange = LineRange & { key: number; score: number }

const placeQuote = ({ start, end, key }: QuoteRange, from: number): PassageQuote => ({
  line: from + start,
  end_line: from + end,
  key: from + Math.min(Math.max(key, start), end),
})

function chooseRange(
  lines: readonly QuoteLine[],
  choice: Pick<StretchChoice, 'worth' | 'definitionWorth'>,
): QuoteRange {
  let key = 0
  for (const [i, { score }] of lines.entries()) if (score > (lines[key] as QuoteLine).score) key = i
  const stretch =
    chooseStretch(lines, { ...choice, key, begins: ({ beginsParagraph }) => beginsParagraph }) ??
    chooseStretch(lines, { ...choice, key, begins: ({ begins }) => begins }) ??
    chooseStretch(lines, { ...choice, key, begins: ({ mayBegin }, at) => mayBegin || at === key })
  return { ...trimBlank(lines, stretch ?? { start: key, end: key }), key, score: stretch?.score ?? 0 }
}

/**
 * Returns the best range before or after the first quote; undefined if both say too little. A side with few
 * characters, such as a title, does not count.
 */
function secondQuote(
  lines: readonly QuoteLine[],
  first: QuoteRange,
  choice: Pick<StretchChoice, 'worth' | 'definitionWorth'>,
): QuoteRange | undefined {
  const sides = [
    { at: 0, own: lines.slice(0, first.start) },
    { at: first.end + 1, own: lines.slice(first.end + 1) },
  ]
  let best: QuoteRange | undefined
  for (const { at, own: sideLines } of sides) {
    if (sideLines.reduce((sum, { text }) => sum + text.trim().length, 0) < minSecondChars) continue
    const { start, end, key, score } = chooseRange(sideLines, choice)
    if (score >= minSecondShare * first.score && score > (best?.score ?? 0))
      best = { start: at + start, end: at + end, key: at + key, score }
  }
  return best
}

interface StretchChoice {
  /** Index of the line that the range has to contain. */
  key: number
  worth: LineWorth
  /** Bonus for a range that contains a definition. */
  definitionWorth: number
  begins: (line: QuoteLine, at: number) => boolean
}

/**
 * Returns the most valuable range that contains the line `key` and begins and ends where `begins` allows it;
 * undefined if no range does. It has at most `maxQuoteChars` characters, or one line.
 */
function chooseStretch(
  lines: readonly QuoteLine[],
  { key, worth, definitionWorth, begins }: StretchChoice,
): (LineRange & { score: number }) | undefined {
  let best: (LineRange & { score: number; room: number }) | undefined
  const isOpen = (at: number) => lines[at]?.isBoilerplate === false || lines[key]?.isBoilerplate === true
  const beginsAt = (at: number) => at >= lines.length || begins(lines[at] as QuoteLine, at)
  let first = key
  let room = maxQuoteChars
  while (first > 0 && isOpen(first - 1) && room > 0) room -= (lines[--first] as QuoteLine).text.length + 1
  for (let start = first; start <= key; start++) {
    if (!beginsAt(start)) continue
    const stated = new Set<number>()
    const exampleTerms = new Set<number>()
    let chars = 0
    let before = 0
    let number = false
    let defines = false
    for (let end = start; end < lines.length && (end <= key || isOpen(end)); end++) {
      const line = lines[end] as QuoteLine
      chars += line.text.length + 1
      if (end < key) before += line.text.length + 1
      if (chars > maxQuoteChars && end > start) break
      for (const term of line.terms) (line.isExample ? exampleTerms : stated).add(term)
      number ||= line.number
      defines ||= line.defines
      if (end < key || !beginsAt(end + 1)) continue
      const onlyShown = new Set([...exampleTerms].filter((one) => !stated.has(one)))
      const score =
        worth(stated, number) + exampleShare * worth(onlyShown, false) + (defines ? definitionWorth : 0)
      // The text after the most informative line explains more than the text before it, so earlier
      // lines count half.
      const room = chars - before / 2
      if (!best || score > best.score || (score === best.score && room > best.room))
        best = { start, end, score, room }
    }
  }
  return best
}

function trimBlank(lines: readonly QuoteLine[], range: { start: number; end: number }) {
  let { start, end } = range
  while (start < end && (lines[start] as QuoteLine).text.trim() === '') start++
  while (end > start && (lines[end] as QuoteLine).text.trim() === '') end--
  return { start, end }
}

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
  const keep = <T extends PassageQuote & AnsweredParts>(old: T, newQuote: T): T => ({
    ...newQuote,
    tells: [...(newQuote.tells ?? []), ...(old.tells ?? []).filter((part) => !answered.has(part))],
  })
  return out.map((hit, i) => {
    const markedHit = answering[i] as QuotedHit
    const second = hit.second && markedHit.second ? keep(hit.second, markedHit.second) : undefined
    return { ...hit, best: keep(hit.best, markedHit.best), second }
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
