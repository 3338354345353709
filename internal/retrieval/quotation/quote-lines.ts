// Lines of a passage with their value for a question, and the lines at which a quote may begin.
import { hasNumeral } from '../../base/text/scripts/foreign-words.ts'
import { readDefinition } from '../../search/symbols/definitions.ts'
import { sentencesOfLines } from '../../text-analysis/sentences.ts'
import type { PassageHit } from '../choose.ts'
import { withoutTemplate } from '../file-kind.ts'
import type { PassageKind } from '../passage.ts'
import type { ScanTerms } from '../term-scanner.ts'
import type { PassageQuote } from './passage-quote.ts'
import type { QuotableLine } from './quote-units.ts'

export interface QuoteLine {
  text: string
  /**
   * Indices of the question's terms that are in the line. In a table row, terms in the names of its
   * columns are included.
   */
  terms: ReadonlySet<number>
  number: boolean
  /** Value for the question: that of the line alone, or of the best sentence to which the line belongs. */
  score: number
  /** True for lines without information, such as imports and the header of a file. */
  isBoilerplate: boolean
  /**
   * True if the line defines a name, the passage is code, and the question asks for code or a place. If the
   * question contains names, only their definitions count.
   */
  defines: boolean
  /** True if the line belongs to an example, which shows what other lines explain. */
  isExample: boolean
  /** True if a paragraph, item, row, setting or fenced text begins with the line. */
  beginsParagraph: boolean
  /** True if a sentence, item, row or statement begins with the line. */
  begins: boolean
  /**
   * True if a quote may begin with the line when no better line exists. It may not in the middle of a
   * sentence with a number.
   */
  mayBegin: boolean
}

/**
 * Returns how much a piece of text (a sentence, a line or a range of lines) helps to answer the question.
 * `terms` are the indices of the question's terms that the text contains. `hasNumber` is true if the text
 * contains a number.
 */
export type LineWorth = (terms: ReadonlySet<number>, hasNumber: boolean) => number

const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
/** Matches the first or last line of a fenced block. */
const fence = /^\s*(?:```|~~~)/
/**
 * Matches titles and fences, which count half: a title names the subject, and the lines below it
 * have the answer.
 */
const titleLine = /^\s*(?:#{1,6}\s|[-=~]{3,}\s*$|```)/
const boilerplate = new RegExp(
  String.raw`^\s*(?:import\s.*(?:['"];?|[{(,])|import\s+[\w.*]+;?|from\s+[\w.]+\s+import\b.*|` +
    String.raw`#\s*include\s*[<"].*|(?:const|let|var)\s.*=\s*require\(.*|use\s+[\w:]+(?:::[\w:{}, *]+)?;|` +
    String.raw`using\s+[\w.]+;|package\s+[\w.]+;?|['"]use strict['"];?|\}\s*from\s+['"].*|#!.*)\s*$`,
)
/** Weight of a line in an example, because the text around the example explains the same. */
export const exampleShare = 0.75

export interface LineReading {
  scan: ScanTerms
  worth: LineWorth
  /** True if the passage is code and the question asks for code or a place. */
  isPlaceInCode: boolean
  /** Names in the question. Default: none. */
  names?: readonly string[]
}

/** Returns the name without the case and the separators, in which its spellings differ. */
const bareName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

export function readQuoteLines(
  { text, heading, kind, path }: Pick<PassageHit, 'text' | 'heading' | 'kind' | 'path'>,
  { scan, worth, isPlaceInCode, names = [] }: LineReading,
): QuoteLine[] {
  const termsOf = (words: string) => {
    const terms = new Set<number>()
    scan(words, ({ term }) => terms.add(term))
    return terms
  }
  const askedNames = new Set(names.map(bareName))
  const raw = text.split('\n')
  const stated =
    kind === 'prose' ? readSentences(raw, (words) => worth(termsOf(words), hasNumeral(words))) : []
  let columns = heading.split(' > ').at(-1)?.split(', ') ?? []
  let fenced = false
  const lines = raw.map((line, i): QuoteLine => {
    const isFence = fence.test(line)
    if (isFence) fenced = !fenced
    const isBoilerplate = boilerplate.test(line)
    const isHead = tableRow.test(line) && tableRule.test(raw[i + 1] ?? '')
    if (isHead) columns = cellsOf(line)
    const isRow = tableRow.test(line) && !isHead && !tableRule.test(line)
    const named = isRow ? cellsOf(line).map((cell, n) => (cell === '' ? '' : (columns[n] ?? ''))) : []
    const columnTerms = cellsOf(line).length === columns.length ? termsOf(named.join('\n')) : []
    const terms = isBoilerplate ? new Set<number>() : new Set([...termsOf(line), ...columnTerms])
    const number = hasNumeral(line) && !isBoilerplate
    const isExample = kind === 'prose' && fenced
    const share = titleLine.test(line) ? 0.5 : isExample ? exampleShare : 1
    const sentence = isRow || isExample || isBoilerplate ? undefined : stated[i]
    const defined = isPlaceInCode ? readDefinition(withoutTemplate(path), line)?.name : undefined
    const defines = defined !== undefined && (askedNames.size === 0 || askedNames.has(bareName(defined)))
    const score = (sentence?.score ?? worth(terms, number)) * share
    return {
      text: line,
      terms,
      number,
      score,
      isBoilerplate,
      defines,
      isExample,
      beginsParagraph: true,
      begins: sentence?.begins ?? (!(isExample && !isFence) || raw[i - 1]?.trim() === ''),
      mayBegin: true,
    }
  })
  for (const [i, line] of lines.entries()) {
    line.mayBegin = beginsUnit(lines, i)
    line.begins &&= line.mayBegin
    line.beginsParagraph = line.mayBegin && beginsParagraph(lines, i, kind)
  }
  return lines
}

/**
 * Returns for each prose line the value of its best sentence, and whether a sentence begins with the line.
 * Undefined for blank lines and fenced text.
 */
function readSentences(
  raw: readonly string[],
  worthOf: (words: string) => number,
): ({ score: number; begins: boolean } | undefined)[] {
  let fenced = false
  const prose = raw.map((line) => {
    const isFence = fence.test(line)
    if (isFence) fenced = !fenced
    return isFence || fenced ? '' : line
  })
  const out: ({ score: number; begins: boolean } | undefined)[] = raw.map(() => undefined)
  for (const { text, from, to, beginsLine } of sentencesOfLines(prose)) {
    const score = worthOf(text)
    for (let i = from; i <= to; i++) {
      const lineScore = out[i]
      const begins = (lineScore?.begins ?? false) || (i === from && beginsLine)
      out[i] = { score: Math.max(lineScore?.score ?? 0, score), begins }
    }
  }
  return out
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const opening = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\||>|```|~~~|\/\*|@|<(?:p|li|tr|dt|h\d))/
const closingMark = /[.!?:;)}\]>`|。！？：；।؟۔」』）]["'”’*_]*\s*$/

/**
 * Returns true if a quote may begin with this line: after a blank line, or at a list item, row or title. Any
 * other line may begin one if no sentence with a number continues from the previous line. The head of a table
 * stays together with its first row.
 */
function beginsUnit(lines: readonly QuoteLine[], at: number): boolean {
  const before = lines[at - 1]
  const line = lines[at] as QuoteLine
  // The head of a table stays together with its first row.
  if (tableRule.test(line.text) || (before && tableRule.test(before.text))) return false
  if (!before || before.text.trim() === '' || line.text.trim() === '' || opening.test(line.text)) return true
  if (closingMark.test(before.text)) return true
  const tail = before.text.slice(lastEnd(before.text))
  const next = /^[^.!?]*[.!?]?/.exec(line.text)?.[0] ?? line.text
  // A line of prose that begins in lower case continues a sentence. A statement of a program does not.
  const goesOn = /^\s*[\p{Ll}(]/u.test(line.text) || /,\s*$/.test(before.text)
  return !goesOn || !(/\d/.test(tail) || /\d/.test(next))
}

const itemStart = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s)/
const commentLine = /^\s*(?:#|;|\/\/|\/\*|\*|--|!)/

/**
 * Returns true if a paragraph, list item, table row or title begins with the line, and for blank lines
 * outside of fenced text. Fenced text is one paragraph. In files of settings every line begins one, unless a
 * comment above belongs to it.
 */
function beginsParagraph(lines: readonly QuoteLine[], at: number, kind: PassageKind): boolean {
  const line = lines[at] as QuoteLine
  const before = lines[at - 1]
  if (!before) return true
  if (kind === 'config') return !commentLine.test(before.text)
  if (line.isExample && before.isExample) return false
  if (before.text.trim() === '' || line.text.trim() === '') return true
  if (fence.test(line.text) || fence.test(before.text) || tableRow.test(line.text)) return true
  return itemStart.test(line.text) || titleLine.test(line.text) || /^\s*#{1,6}\s/.test(before.text)
}

const lastEnd = (text: string) =>
  Math.max(0, ...[...text.matchAll(/[.!?।؟۔]\s|[。！？]/g)].map(({ index }) => index + 1))

/**
 * A passage that begins at line `from`. `frame` has the lines outside of it that a quote of its code needs,
 * such as the signature of the function.
 */
interface FramedText {
  from: number
  text: string
  frame?: readonly QuotableLine[] | undefined
}

/** Returns the lines of the passage and its frame in the order of the file. */
export function numberLines({ from, text, frame = [] }: FramedText): QuotableLine[] {
  const textLines = text.split('\n').map((line, i) => ({ line: from + i, text: line }))
  const after = frame.findIndex(({ line }) => line > from)
  const at = after < 0 ? frame.length : after
  return [...frame.slice(0, at), ...textLines, ...frame.slice(at)]
}

/** Returns the lines of a quote in the order of the file. */
export function linesOfQuote(passage: FramedText, { line, end_line, pieces }: PassageQuote): QuotableLine[] {
  const ranges = pieces ?? [[line, end_line]]
  return numberLines(passage).filter((one) => ranges.some(([from, to]) => from <= one.line && one.line <= to))
}

export const textOfQuote = (passage: FramedText, quote: PassageQuote): string =>
  linesOfQuote(passage, quote)
    .map(({ text }) => text)
    .join('\n')
