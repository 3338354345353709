// Selection of quotes from code. A quote is a whole unit, or the signature and the key lines of a long one.

import type { PassageQuote, SecondQuote } from './passage-quote.ts'
import type { LineWorth, QuoteLine } from './quote-lines.ts'
import {
  type FramedUnit,
  findInnermost,
  headOf,
  maxUnitQuoteChars,
  type QuotableLine,
} from './quote-units.ts'

/**
 * A line of the passage or of its frame (lines around it, such as a signature), with its number and its value
 * for the question.
 */
type ValuedLine = QuotableLine & Pick<QuoteLine, 'terms' | 'number' | 'score' | 'defines' | 'isBoilerplate'>

interface CodeChoice {
  /**
   * The lines of the passage and of its frame (lines around it, such as a signature), in the order
   * of the file.
   */
  lines: readonly ValuedLine[]
  units: readonly FramedUnit[]
  worth: LineWorth
  /** Bonus for a quote that contains a definition. */
  definitionWorth: number
  /** A name whose definition is to be quoted, because a better passage refers to it. */
  follows?: string | undefined
}

/** Lines of a quote, with the number of the most informative one (`key`) and the value of all together. */
interface ChosenUnit {
  lines: readonly ValuedLine[]
  key: number
  score: number
}

/**
 * Smallest value of a second quote, as a share of the first quote's value. It also has at
 * least `minSecondChars` characters.
 */
const minSecondShare = 0.5
const minSecondChars = 80

/**
 * Returns the most valuable unit, and another one if it has at least half of that value and 80 characters;
 * undefined without units.
 */
export function chooseUnits(choice: CodeChoice): { best: PassageQuote; second?: SecondQuote } | undefined {
  const first = chooseUnit(choice, new Set())
  if (!first) return undefined
  const best = toQuote(first, choice)
  const second = chooseUnit(choice, new Set(first.lines.map(({ line }) => line)))
  const isWorth =
    second && second.score >= minSecondShare * first.score && sizeOf(second.lines) >= minSecondChars
  if (!isWorth || first.score === 0) return { best }
  return { best, second: { ...toQuote(second, choice), share: second.score / first.score } }
}

const sizeOf = (lines: readonly QuotableLine[]) => lines.reduce((sum, { text }) => sum + text.length + 1, 0)

function chooseUnit(choice: CodeChoice, takenLines: ReadonlySet<number>): ChosenUnit | undefined {
  const { units } = choice
  const isFree = ({ unit }: FramedUnit) =>
    ![...takenLines].some((line) => unit.from <= line && line <= unit.to)
  const key = findKey(choice, (line) => {
    const innermostUnit = findInnermost(units, line)
    return innermostUnit !== undefined && isFree(innermostUnit)
  })
  const unit = key && findInnermost(units, key.line)
  if (!unit) return undefined
  let best = measureUnit(linesOfUnit(unit, key, choice), key, choice)
  const wider = units.filter(
    (one) =>
      one !== unit &&
      one.unit.from <= unit.unit.from &&
      one.unit.to >= unit.unit.to &&
      one.chars <= maxUnitQuoteChars &&
      isFree(one),
  )
  for (const one of wider) {
    const measured = measureUnit(linesOfUnit(one, key, choice), key, choice)
    if (measured.score > best.score) best = measured
  }
  return extendUnit(best, choice, isFree)
}

/**
 * Returns the line with the highest value of the lines that `isOpen` accepts, or undefined. Lines with
 * the name `follows` take precedence, if there are any. Boilerplate such as imports counts only if all
 * lines are boilerplate.
 */
function findKey({ lines, follows }: CodeChoice, isOpen: (line: number) => boolean): ValuedLine | undefined {
  const open = lines.filter(({ line, text }) => text.trim() !== '' && isOpen(line))
  const named = follows === undefined ? [] : open.filter(({ text }) => text.includes(follows))
  const plain = open.filter(({ isBoilerplate }) => !isBoilerplate)
  const from = named.length > 0 ? named : plain.length > 0 ? plain : open
  return from.reduce<ValuedLine | undefined>(
    (best, one) => (best && best.score >= one.score ? best : one),
    undefined,
  )
}

function measureUnit(lines: readonly ValuedLine[], key: ValuedLine, choice: CodeChoice): ChosenUnit {
  const terms = new Set(lines.flatMap((one) => [...one.terms]))
  const hasNumber = lines.some(({ number }) => number)
  const bonus = lines.some(({ defines }) => defines) ? choice.definitionWorth : 0
  return { lines, key: key.line, score: choice.worth(terms, hasNumber) + bonus }
}

/** Adds whole units before and after the chosen ones while they add value and the quote stays short. */
function extendUnit(
  chosenUnit: ChosenUnit,
  choice: CodeChoice,
  isFree: (unit: FramedUnit) => boolean,
): ChosenUnit {
  const key = chosenUnit.lines.find(({ line }) => line === chosenUnit.key)
  const first = chosenUnit.lines[0]
  const last = chosenUnit.lines.at(-1)
  if (!key || !first || !last || sizeOf(chosenUnit.lines) > maxUnitQuoteChars) return chosenUnit
  const isGap = (from: number, to: number) =>
    from < to && choice.lines.every(({ line, text }) => line <= from || line >= to || text.trim() === '')
  const parent = (line: number) => findContainer(choice.units, line)
  const next = choice.units
    .filter((one) => isFree(one) && parent(one.unit.from) === parent(first.line))
    .filter(({ unit }) => isGap(last.line, unit.from) || isGap(unit.to, first.line))
    .map((one) => {
      const unitLines = linesOfUnit(one, key, choice)
      const joined = [...chosenUnit.lines, ...unitLines].sort((a, b) => a.line - b.line)
      return measureUnit(fillBlank(joined, choice), key, choice)
    })
    .filter(({ lines, score }) => score > chosenUnit.score && sizeOf(lines) <= maxUnitQuoteChars)
    .sort((a, b) => b.score - a.score)[0]
  return next && isContiguous(next.lines) ? extendUnit(next, choice, isFree) : chosenUnit
}

const isContiguous = (lines: readonly QuotableLine[]) =>
  lines.every(({ line }, i) => i === 0 || line === (lines[i - 1] as QuotableLine).line + 1)

/** Returns the smallest unit that contains the line but does not begin with it. */
const findContainer = (units: readonly FramedUnit[], line: number) =>
  findInnermost(
    units.filter(({ unit }) => unit.from < line),
    line,
  )

/** Returns the lines, with the blank lines of the passage that are between the first and the last one. */
function fillBlank(lines: readonly ValuedLine[], choice: CodeChoice): ValuedLine[] {
  const numbers = new Set(lines.map(({ line }) => line))
  const from = lines[0]?.line ?? 0
  const to = lines.at(-1)?.line ?? 0
  return choice.lines.filter(
    ({ line, text }) => numbers.has(line) || (line > from && line < to && text.trim() === ''),
  )
}

/**
 * Returns all lines of the unit. If it is too long, or if `choice` lacks some of its lines, returns
 * its comment and signature, its end if `showsEnd` is set, and the lines around the key that are in
 * no inner unit.
 */
function linesOfUnit(framed: FramedUnit, key: ValuedLine, choice: CodeChoice): ValuedLine[] {
  const { unit, chars } = framed
  const unitLines = choice.lines.filter(({ line }) => unit.from <= line && line <= unit.to)
  if (chars <= maxUnitQuoteChars && unitLines.length === unit.to - unit.from + 1) return unitLines
  const textOf = (at: number) => unitLines.find(({ line }) => line === at)?.text ?? ''
  const shownLines = new Set([...headOf(unit, textOf), ...(unit.showsEnd ? [unit.to] : [])])
  let room = maxUnitQuoteChars - sizeOf(unitLines.filter(({ line }) => shownLines.has(line)))
  // Lines of a member belong to a quote of that member.
  const inner = unitLines.filter(({ line }) => findInnermost(choice.units, line) === framed)
  const at = inner.findIndex(({ line }) => line === key.line)
  const take = (one: ValuedLine | undefined): boolean => {
    if (!one || shownLines.has(one.line)) return one !== undefined
    const size = one.text.length + 1
    if (size > room && one !== key) return false
    room -= size
    shownLines.add(one.line)
    return true
  }
  take(inner[at])
  for (let after = at + 1, before = at - 1, isOpen = at >= 0; isOpen; after++, before--) {
    const isAfter = take(inner[after])
    const isBefore = take(inner[before])
    isOpen = isAfter || isBefore
  }
  return trimPieces(unitLines.filter(({ line }) => shownLines.has(line)))
}

/** Returns the lines without blank lines at the ends of pieces. */
function trimPieces(lines: readonly ValuedLine[]): ValuedLine[] {
  return lines.filter(({ line, text }, i) => {
    if (text.trim() !== '') return true
    let before = i
    while (before >= 0 && lines[before]?.text.trim() === '') before--
    let after = i
    while (after < lines.length && lines[after]?.text.trim() === '') after++
    const whole = (lines[after]?.line ?? 0) - (lines[before]?.line ?? 0) === after - before
    return before >= 0 && after < lines.length && whole && line > 0
  })
}

function toQuote({ lines, key }: ChosenUnit, choice: CodeChoice): PassageQuote {
  const pieces: [number, number][] = []
  for (const { line } of fillGaps(lines, choice)) {
    const last = pieces.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else pieces.push([line, line])
  }
  const first = pieces[0]?.[0] ?? key
  const last = pieces.at(-1)?.[1] ?? key
  const ending = choice.units.filter(({ unit }) => unit.from === first && unit.to > last)
  const ends = choice.units.some(({ unit }) => unit.to === last)
  const quote: PassageQuote = { line: first, end_line: last, key }
  if (pieces.length > 1) quote.pieces = pieces
  if (ending.length > 0 && !ends) quote.continues = true
  return quote
}

/** Returns the lines with the blank lines that alone separate two of them. */
function fillGaps(lines: readonly ValuedLine[], choice: CodeChoice): QuotableLine[] {
  const linesByNumber = new Map(choice.lines.map((one) => [one.line, one]))
  return lines.flatMap((one, i) => {
    const next = lines[i + 1]
    const between: QuotableLine[] = []
    for (let at = one.line + 1; next && at < next.line; at++) {
      const blank = linesByNumber.get(at)
      if (blank?.text.trim() !== '') return [one]
      between.push(blank)
    }
    return [one, ...between]
  })
}
