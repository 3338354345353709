// Units of code that a quote may contain, and the lines around a passage that a quote of its units needs.
import { charsOf, isBlank } from '../split/blocks.ts'
import {
  type CodeUnit,
  endOfUnit,
  findMultilineText,
  isInComment,
  listCodeUnits,
  type MultilineText,
} from '../split/code-units.ts'

/** A unit of code, such as a definition, as indices of lines from 0. Both ends are included. */
export interface QuoteUnit {
  /** First line of the unit, with the comment or decorator above it. */
  from: number
  /**
   * First line after the comment or decorator; `head` is the last line of the signature and of its docstring.
   */
  line: number
  head: number
  to: number
  /** Name of the definition; empty for statements and comments. */
  name: string
  /** False only for a container, such as a class, whose last line does not close a block. */
  showsEnd: boolean
}

/** Size in characters after which statements without blank lines between them become another unit. */
const largeBlockChars = 1_000

/**
 * Largest number of lines of a signature. If its end is not found within them, only its first line counts
 * as the signature.
 */
const maxSignatureLines = 16

/** Returns the units in the order of their first lines. A unit inside a container follows its container. */
export function listQuoteUnits(lines: readonly string[], path: string): QuoteUnit[] {
  const texts = findMultilineText(lines, path)
  const defined = listCodeUnits(lines, path)
  const out = defined.map((unit) => toQuoteUnit(unit, lines))
  let next = 0
  for (let i = 0; i < lines.length; ) {
    const unit = defined[next]
    if (unit && unit.from <= i) {
      i = Math.max(i, unit.to + 1)
      next++
    } else if (isBlank(lines[i] as string)) i++
    else {
      const block = statementsAt(lines, i, unit ? unit.from - 1 : lines.length - 1, texts)
      out.push(block)
      i = block.to + 1
    }
  }
  return out.sort((a, b) => a.from - b.from || b.to - a.to)
}

const closesBlock = /^\s*(?:[)}\]]|end\b)/

function toQuoteUnit({ from, line, to, name, isContainer }: CodeUnit, lines: readonly string[]): QuoteUnit {
  const showsEnd = !isContainer || closesBlock.test(lines[to] as string)
  return { from, line, head: endOfHead(lines, line, to), to, name, showsEnd }
}

/** Returns the last line of a signature, or of the docstring below it. */
function endOfHead(lines: readonly string[], line: number, to: number): number {
  let end = line
  const last = Math.min(to, line + maxSignatureLines)
  while (end < last && !/(?:[{:]|=>|=|\bdo|\bthen)\s*(?:\/\/.*|#.*)?$/.test(lines[end] as string)) end++
  if (end === last && last > line && last !== to) end = line
  const mark = /^\s*[rRuUbB]{0,2}("""|''')/.exec(lines[end + 1] ?? '')?.[1]
  if (mark === undefined || end + 1 > to) return end
  const isOneLine = (lines[end + 1] as string).split(mark).length > 2
  let close = end + 1
  if (!isOneLine) while (close < to && !(lines[++close] as string).includes(mark));
  return close
}

/**
 * Returns the unit that begins at `from`: a comment alone, or statements without blank lines between them,
 * with the comment directly above them. It ends at `last` at the latest, and before a further statement with
 * which it would have more than `largeBlockChars` characters.
 */
function statementsAt(lines: readonly string[], from: number, last: number, texts: MultilineText): QuoteUnit {
  const skipComment = (at: number) => {
    let end = at
    while (end <= last && isInComment(lines, end, texts)) end++
    return end
  }
  const line = skipComment(from)
  let to = line - 1
  let chars = 0
  let head = from
  for (let i = line; i <= last && !isBlank(lines[i] as string); ) {
    const statement = skipComment(i)
    if (statement > last || isBlank(lines[statement] as string)) {
      // A comment that no statement follows is another unit, unless the block has no other line.
      if (to < line) to = statement - 1
      break
    }
    const end = Math.min(last, endOfUnit(lines, statement, texts))
    const size = lines.slice(i, end + 1).reduce((sum, text) => sum + text.length + 1, 0)
    if (chars > 0 && chars + size > largeBlockChars) break
    if (to < line) head = endOfHead(lines, statement, end)
    chars += size
    to = end
    i = end + 1
  }
  to = Math.max(to, from)
  return { from, line: Math.min(line, to), head: Math.min(head, to), to, name: '', showsEnd: true }
}

export interface QuotableLine {
  /** Number of the line in its file, from 1. */
  line: number
  text: string
}

/** A unit of code with numbers of lines from 1 in place of indices, and its size in characters. */
export interface FramedUnit {
  unit: QuoteUnit
  chars: number
}

interface PassageFrame {
  /** The innermost units of the lines of the passage, and the units around them. */
  units: readonly FramedUnit[]
  /** Lines outside of the passage that belong to a quote of its units, in their order. */
  frame: readonly QuotableLine[]
}

/** Largest size of a whole unit in a quote, in characters. */
export const maxUnitQuoteChars = 1_500

/**
 * Largest size in characters of the comment in a quote of a longer unit. `maxSignatureChars` is that of the
 * signature with its docstring.
 */
const maxCommentChars = 500
const maxSignatureChars = 600
/** Number of lines of a longer comment or signature that are quoted. */
const shownLines = 5

/** Returns the units of the lines `from` to `to`, which count from 1, and the lines around them. */
export function frameOf(
  lines: readonly string[],
  all: readonly QuoteUnit[],
  { from, to }: { from: number; to: number },
): PassageFrame {
  const units = all.flatMap(({ name, showsEnd, ...unit }): FramedUnit[] => {
    if (unit.to + 1 < from || unit.from + 1 > to) return []
    const lineNumbers = { from: unit.from + 1, line: unit.line + 1, head: unit.head + 1, to: unit.to + 1 }
    return [{ unit: { ...lineNumbers, name, showsEnd }, chars: charsOf(lines, unit.from, unit.to) - 1 }]
  })
  const innermost = new Set<FramedUnit>()
  for (let line = from; line <= to; line++) {
    const unit = findInnermost(units, line)
    if (unit && lines[line - 1]?.trim() !== '') innermost.add(unit)
  }
  const numbers = new Set(
    [...innermost].flatMap((one) => numbersOfQuote(one, (line) => lines[line - 1] ?? '')),
  )
  const frame = [...numbers]
    .filter((line) => line < from || line > to)
    .sort((a, b) => a - b)
    .map((line) => ({ line, text: lines[line - 1] as string }))
  return { units, frame }
}

/**
 * Returns the units of a text that is read as a whole file; its first line has the number `from`. The
 * frame is empty.
 */
export function frameOfText(text: string, from: number, path: string): PassageFrame {
  const lines = text.split('\n')
  const frame = frameOf(lines, listQuoteUnits(lines, path), { from: 1, to: lines.length })
  const move = (line: number) => line + from - 1
  const units = frame.units.map(({ unit, chars }) => {
    const { line, head, to, name, showsEnd } = unit
    return {
      unit: { from: move(unit.from), line: move(line), head: move(head), to: move(to), name, showsEnd },
      chars,
    }
  })
  return { units, frame: [] }
}

/** Returns the smallest unit that contains the line, or undefined if no unit does. */
export function findInnermost(units: readonly FramedUnit[], line: number): FramedUnit | undefined {
  return units
    .filter(({ unit }) => unit.from <= line && line <= unit.to)
    .reduce<FramedUnit | undefined>(
      (best, one) => (best && best.unit.to - best.unit.from <= one.unit.to - one.unit.from ? best : one),
      undefined,
    )
}

/** Returns the lines of a whole unit or, if that is too long, of its comment, its signature and its end. */
function numbersOfQuote(framed: FramedUnit, textOf: (line: number) => string): number[] {
  const { unit, chars } = framed
  return chars <= maxUnitQuoteChars
    ? rangeOf(unit.from, unit.to)
    : [...headOf(unit, textOf), ...(unit.showsEnd ? [unit.to] : [])]
}

/** Returns the lines of the comment, the signature and the docstring. Of long ones, returns the beginning. */
export function headOf({ from, line, head }: QuoteUnit, textOf: (line: number) => string): number[] {
  const shorten = (first: number, last: number, room: number) => {
    const numbers = rangeOf(first, last)
    const chars = numbers.reduce((sum, one) => sum + textOf(one).length + 1, 0)
    return chars <= room ? numbers : numbers.slice(0, shownLines)
  }
  return [...shorten(from, line - 1, maxCommentChars), ...shorten(line, head, maxSignatureChars)]
}

const rangeOf = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
