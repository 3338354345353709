// Chooses the lines of a passage that are worth quoting, and the one of them that says most.
import type { PassageHit } from './choose.ts'
import type { ScanTerms } from './term-scanner.ts'
import type { ParsedQuestion } from './words.ts'

/** A quotation has at most this many characters; only a single line may be longer. */
const maxQuoteChars = 700

export interface PassageQuote {
  line: number
  end_line: number
  /** The line of it that holds most of the question. */
  key: number
}

interface QuoteLine {
  text: string
  /** Terms that it holds; of a row those that its columns are named by as well. */
  terms: ReadonlySet<number>
  number: boolean
  /** What it alone, or one of its sentences, says of the question. */
  score: number
  /** Says nothing to whoever asks: imports, and what every file begins with. */
  isBoilerplate: boolean
}

interface LineRange {
  start: number
  end: number
}

/**
 * The lines around the one that says most: as much of the question as has room with it, of equal stretches
 * the longest, for what stands beside it.
 */
export function chooseQuote(
  { text, from, heading }: Pick<PassageHit, 'text' | 'from' | 'heading'>,
  { wants }: Pick<ParsedQuestion, 'wants'>,
  weights: readonly number[],
  scan: ScanTerms,
): PassageQuote {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const numberWorth = wants.number === undefined ? 0 : 0.15 * all
  const worth = (terms: ReadonlySet<number>, hasNumber: boolean) =>
    [...terms].reduce((sum, term) => sum + (weights[term] ?? 0), 0) + (hasNumber ? numberWorth : 0)
  // where a number is wanted, the line that gives one says more than the one that repeats the words
  const lineWorth: LineWorth = (terms, hasNumber) => worth(terms, hasNumber) + (hasNumber ? numberWorth : 0)
  const lines = readLines(text, heading, scan, lineWorth)
  let key = 0
  for (const [i, { score }] of lines.entries()) if (score > (lines[key] as QuoteLine).score) key = i
  const { start, end } = trimBlank(lines, chooseStretch(lines, key, worth))
  return { line: from + start, end_line: from + end, key: from + Math.min(Math.max(key, start), end) }
}

/** The stretch of at most `maxQuoteChars` with the line `key` in it that holds most. */
function chooseStretch(lines: readonly QuoteLine[], key: number, worth: LineWorth): LineRange {
  let best = { start: key, end: key, score: -1, chars: 0 }
  const isOpen = (at: number) => lines[at]?.isBoilerplate === false || lines[key]?.isBoilerplate === true
  let first = key
  let room = maxQuoteChars
  while (first > 0 && isOpen(first - 1) && room > 0) room -= (lines[--first] as QuoteLine).text.length + 1
  for (let start = first; start <= key; start++) {
    if (start !== key && !beginsUnit(lines, start)) continue
    const held = new Set<number>()
    let chars = 0
    let number = false
    for (let end = start; end < lines.length && (end <= key || isOpen(end)); end++) {
      const line = lines[end] as QuoteLine
      chars += line.text.length + 1
      if (chars > maxQuoteChars && end > start) break
      for (const term of line.terms) held.add(term)
      number ||= line.number
      if (end < key || (end > key && end < lines.length - 1 && !beginsUnit(lines, end + 1))) continue
      const score = worth(held, number)
      if (score > best.score || (score === best.score && chars > best.chars))
        best = { start, end, score, chars }
    }
  }
  return best
}

type LineWorth = (terms: ReadonlySet<number>, hasNumber: boolean) => number

const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
/** A title names what is asked, the line below it says it. */
const titleLine = /^\s*(?:#{1,6}\s|[-=~]{3,}\s*$|```)/
const boilerplate = new RegExp(
  String.raw`^\s*(?:import\s.*(?:['"];?|[{(,])|import\s+[\w.*]+;?|from\s+[\w.]+\s+import\b.*|` +
    String.raw`#\s*include\s*[<"].*|(?:const|let|var)\s.*=\s*require\(.*|use\s+[\w:]+(?:::[\w:{}, *]+)?;|` +
    String.raw`using\s+[\w.]+;|package\s+[\w.]+;?|['"]use strict['"];?|\}\s*from\s+['"].*|#!.*)\s*$`,
)
const sentenceEnd = /(?<=[.!?]["'”’)\]*_`]*)\s+(?=[^\s\p{Ll}])/u
/** An example shows what the text around it says. */
const exampleShare = 0.75
/** Shorter lines are one statement. */
const maxSentenceChars = 200

function readLines(text: string, heading: string, scan: ScanTerms, worth: LineWorth): QuoteLine[] {
  const termsOf = (words: string) => {
    const terms = new Set<number>()
    scan(words, ({ term }) => terms.add(term))
    return terms
  }
  const raw = text.split('\n')
  let columns = heading.split(' > ').at(-1)?.split(', ') ?? []
  let fenced = false
  return raw.map((line, i) => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const isBoilerplate = boilerplate.test(line)
    const isHead = tableRow.test(line) && tableRule.test(raw[i + 1] ?? '')
    if (isHead) columns = cellsOf(line)
    const isRow = tableRow.test(line) && !isHead && !tableRule.test(line)
    const named = isRow ? cellsOf(line).map((cell, n) => (cell === '' ? '' : (columns[n] ?? ''))) : []
    const columnTerms = cellsOf(line).length === columns.length ? termsOf(named.join('\n')) : []
    const terms = isBoilerplate ? new Set<number>() : new Set([...termsOf(line), ...columnTerms])
    const number = /\d/.test(line) && !isBoilerplate
    const parts = isRow || line.length <= maxSentenceChars ? [] : line.split(sentenceEnd)
    const score =
      parts.length < 2
        ? worth(terms, number)
        : Math.max(...parts.map((part) => worth(termsOf(part), /\d/.test(part))))
    const share = titleLine.test(line) ? 0.5 : fenced ? exampleShare : 1
    return { text: line, terms, number, score: score * share, isBoilerplate }
  })
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

function trimBlank(lines: readonly QuoteLine[], range: { start: number; end: number }) {
  let { start, end } = range
  while (start < end && (lines[start] as QuoteLine).text.trim() === '') start++
  while (end > start && (lines[end] as QuoteLine).text.trim() === '') end--
  return { start, end }
}

const opening = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\||>|```|~~~|\/\*|@|<(?:p|li|tr|dt|h\d))/
const ended = /[.!?:;)}\]>`|]["'”’*_]*\s*$/

/**
 * Whether a quotation may begin with this line: behind a blank one, at a list item, row or title, or where no
 * sentence with a number goes on from the line before.
 */
function beginsUnit(lines: readonly QuoteLine[], at: number): boolean {
  const before = lines[at - 1]
  const own = lines[at] as QuoteLine
  // the head of a table stays with its first row
  if (tableRule.test(own.text) || (before && tableRule.test(before.text))) return false
  if (!before || before.text.trim() === '' || own.text.trim() === '' || opening.test(own.text)) return true
  if (ended.test(before.text)) return true
  const tail = before.text.slice(lastEnd(before.text))
  const next = /^[^.!?]*[.!?]?/.exec(own.text)?.[0] ?? own.text
  // prose goes on in small letters; statements of a program do not
  const goesOn = /^\s*[\p{Ll}(]/u.test(own.text) || /,\s*$/.test(before.text)
  return !goesOn || !(/\d/.test(tail) || /\d/.test(next))
}

const lastEnd = (text: string) => Math.max(0, ...[...text.matchAll(/[.!?]\s/g)].map(({ index }) => index + 1))
