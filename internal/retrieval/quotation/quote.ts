// Chooses the lines of a passage that are worth quoting, and the one of them that says most.
import type { PassageHit } from '../choose.ts'
import type { ScanTerms } from '../term-scanner.ts'
import type { ParsedQuestion } from '../words.ts'
import { exampleShare, type LineWorth, type QuoteLine, readQuoteLines } from './quote-lines.ts'

/** A quotation has at most this many characters; only a single line may be longer. */
const maxQuoteChars = 700

export interface PassageQuote {
  line: number
  end_line: number
  /** The line of it that holds most of the question. */
  key: number
}

/** A further stretch of a passage that says nearly as much as the first. */
export interface SecondQuote extends PassageQuote {
  /** How much of the question it holds, as a share of what the first one does. */
  share: number
}

interface LineRange {
  start: number
  end: number
}

/** Where a place in a program is asked for, a definition counts this share of the question more. */
const definitionShare = 0.3

/** A second quotation that holds less than this share of the first says too little. */
const minSecondShare = 0.5
const minSecondChars = 80

/** What a passage is quoted with: one stretch, and another of the rest where that says nearly as much. */
interface ChosenQuotes {
  best: PassageQuote
  second?: SecondQuote
}

/**
 * The lines around the one that says most: as much of the question as has room with it, of equal stretches
 * the longest, for what stands beside it.
 */
export function chooseQuotes(
  hit: Pick<PassageHit, 'text' | 'from' | 'heading' | 'kind' | 'path'>,
  { wants }: Pick<ParsedQuestion, 'wants'>,
  weights: readonly number[],
  scan: ScanTerms,
): ChosenQuotes {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const numberWorth = wants.number === undefined ? 0 : 0.15 * all
  const worth = (terms: ReadonlySet<number>, hasNumber: boolean) =>
    [...terms].reduce((sum, term) => sum + (weights[term] ?? 0), 0) + (hasNumber ? numberWorth : 0)
  const isPlaceInCode = hit.kind === 'code' && (wants.place || wants.code)
  const lines = readQuoteLines(hit, {
    scan,
    // where a number is wanted, the line that gives one says more than the one that repeats the words
    worth: (terms, hasNumber) => worth(terms, hasNumber) + (hasNumber ? numberWorth : 0),
    isPlaceInCode,
  })
  const choice = { worth, definitionWorth: definitionShare * all }
  const first = chooseRange(lines, choice)
  const best = placeQuote(first, hit.from)
  const second = secondQuote(lines, first, choice)
  return second
    ? { best, second: { ...placeQuote(second, hit.from), share: second.score / first.score } }
    : { best }
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
  const found =
    chooseStretch(lines, { ...choice, key, begins: ({ begins }) => begins }) ??
    chooseStretch(lines, { ...choice, key, begins: ({ mayBegin }, at) => mayBegin || at === key })
  return { ...trimBlank(lines, found ?? { start: key, end: key }), key, score: found?.score ?? 0 }
}

/** The best stretch before or behind the first one; a title alone is none. */
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
  for (const { at, own } of sides) {
    if (own.reduce((sum, { text }) => sum + text.trim().length, 0) < minSecondChars) continue
    const { start, end, key, score } = chooseRange(own, choice)
    if (score >= minSecondShare * first.score && score > (best?.score ?? 0))
      best = { start: at + start, end: at + end, key: at + key, score }
  }
  return best
}

interface StretchChoice {
  /** The line that it has to hold. */
  key: number
  worth: LineWorth
  /** What a stretch with a definition counts more. */
  definitionWorth: number
  begins: (line: QuoteLine, at: number) => boolean
}

/** The stretch of at most `maxQuoteChars` that holds most; undefined where none has room. */
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
    const shown = new Set<number>()
    let chars = 0
    let before = 0
    let number = false
    let defines = false
    for (let end = start; end < lines.length && (end <= key || isOpen(end)); end++) {
      const line = lines[end] as QuoteLine
      chars += line.text.length + 1
      if (end < key) before += line.text.length + 1
      if (chars > maxQuoteChars && end > start) break
      for (const term of line.terms) (line.isExample ? shown : stated).add(term)
      number ||= line.number
      defines ||= line.defines
      if (end < key || !beginsAt(end + 1)) continue
      const onlyShown = new Set([...shown].filter((one) => !stated.has(one)))
      const score =
        worth(stated, number) + exampleShare * worth(onlyShown, false) + (defines ? definitionWorth : 0)
      // what goes on behind it says more of it than what leads to it
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
