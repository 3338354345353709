// The lines of a passage with what each says of a question, and where a quotation may begin.
import { hasNumeral } from '../../base/text/scripts/numerals.ts'
import { readDefinition } from '../../search/symbols/definitions.ts'
import { sentencesOfLines } from '../../text-analysis/sentences.ts'
import type { PassageHit } from '../choose.ts'
import type { ScanTerms } from '../term-scanner.ts'

export interface QuoteLine {
  text: string
  /** Terms that it holds; of a row those that its columns are named by as well. */
  terms: ReadonlySet<number>
  number: boolean
  /** What it alone, or a sentence that it has a part in, says of the question. */
  score: number
  /** Says nothing to whoever asks: imports, and what every file begins with. */
  isBoilerplate: boolean
  /** Defines a name, where the place of one is asked for. */
  defines: boolean
  /** Shows what other lines say. */
  isExample: boolean
  /** Whether a sentence, item, row or statement begins with it. */
  begins: boolean
  /** The same where no such line is near enough: no sentence with a number goes on from the line before. */
  mayBegin: boolean
}

/** What terms are worth, with or without a number beside them. */
export type LineWorth = (terms: ReadonlySet<number>, hasNumber: boolean) => number

const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
/** A title names what is asked, the line below it says it. */
const fence = /^\s*(?:```|~~~)/
const titleLine = /^\s*(?:#{1,6}\s|[-=~]{3,}\s*$|```)/
const boilerplate = new RegExp(
  String.raw`^\s*(?:import\s.*(?:['"];?|[{(,])|import\s+[\w.*]+;?|from\s+[\w.]+\s+import\b.*|` +
    String.raw`#\s*include\s*[<"].*|(?:const|let|var)\s.*=\s*require\(.*|use\s+[\w:]+(?:::[\w:{}, *]+)?;|` +
    String.raw`using\s+[\w.]+;|package\s+[\w.]+;?|['"]use strict['"];?|\}\s*from\s+['"].*|#!.*)\s*$`,
)
/** An example shows what the text around it says. */
export const exampleShare = 0.75

interface LineReading {
  scan: ScanTerms
  worth: LineWorth
  /** Whether the place of a definition is asked for. */
  isPlaceInCode: boolean
}

export function readQuoteLines(
  { text, heading, kind, path }: Pick<PassageHit, 'text' | 'heading' | 'kind' | 'path'>,
  { scan, worth, isPlaceInCode }: LineReading,
): QuoteLine[] {
  const termsOf = (words: string) => {
    const terms = new Set<number>()
    scan(words, ({ term }) => terms.add(term))
    return terms
  }
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
    const defines = isPlaceInCode && readDefinition(path, line) !== undefined
    const score = (sentence?.score ?? worth(terms, number)) * share
    return {
      text: line,
      terms,
      number,
      score,
      isBoilerplate,
      defines,
      isExample,
      begins: sentence?.begins ?? (!(isExample && !isFence) || raw[i - 1]?.trim() === ''),
      mayBegin: true,
    }
  })
  for (const [i, line] of lines.entries()) {
    line.mayBegin = beginsUnit(lines, i)
    line.begins &&= line.mayBegin
  }
  return lines
}

/** Of each line of prose what its best sentence is worth, and whether one begins with the line. */
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
      const known = out[i]
      const begins = (known?.begins ?? false) || (i === from && beginsLine)
      out[i] = { score: Math.max(known?.score ?? 0, score), begins }
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
const ended = /[.!?:;)}\]>`|。！？：；।؟۔」』）]["'”’*_]*\s*$/

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

const lastEnd = (text: string) =>
  Math.max(0, ...[...text.matchAll(/[.!?।؟۔]\s|[。！？]/g)].map(({ index }) => index + 1))
