// Chooses the lines of a passage that are worth quoting, and the one of them that says most.
import type { PassageHit } from './choose.ts'
import type { ScanTerms } from './term-scanner.ts'
import type { ParsedQuestion } from './words.ts'

/** A quotation has at most this many characters; only a single line may be longer. */
export const maxQuoteChars = 700

export interface PassageQuote {
  line: number
  end_line: number
  /** The line of it that holds most of the question. */
  key: number
}

interface QuoteLine {
  text: string
  /** Weight of each term that it holds. */
  terms: ReadonlySet<number>
  number: boolean
}

/** The lines that hold most of the question; of equal stretches the longest, so that a reader sees what is meant. */
export function chooseQuote(
  { text, from, heading }: Pick<PassageHit, 'text' | 'from' | 'heading'>,
  { wants }: Pick<ParsedQuestion, 'wants'>,
  weights: readonly number[],
  scan: ScanTerms,
): PassageQuote {
  const lines = text.split('\n').map((line): QuoteLine => {
    const terms = new Set<number>()
    scan(line, ({ term }) => terms.add(term))
    return { text: line, terms, number: /\d/.test(line) }
  })
  const inHeading = new Set<number>()
  scan(heading, ({ term }) => inHeading.add(term))
  const worth = (terms: ReadonlySet<number>) =>
    [...terms].reduce((sum, term) => sum + (weights[term] ?? 0), 0)
  const all = weights.reduce((sum, one) => sum + one, 0)
  const numberWorth = wants.number === undefined ? 0 : 0.15 * all
  let best = { start: 0, end: lines.length - 1, score: -1, chars: 0 }
  if (text.length > maxQuoteChars) {
    for (const [start] of lines.entries()) {
      if (!beginsUnit(lines, start)) continue
      const held = new Set<number>()
      let chars = 0
      let number = false
      for (let end = start; end < lines.length; end++) {
        const line = lines[end] as QuoteLine
        chars += line.text.length + 1
        if (chars > maxQuoteChars && end > start) break
        for (const term of line.terms) held.add(term)
        number ||= line.number
        if (end < lines.length - 1 && !beginsUnit(lines, end + 1)) continue
        const score = worth(held) + (number ? numberWorth : 0)
        if (score > best.score || (score === best.score && chars > best.chars))
          best = { start, end, score, chars }
      }
    }
  }
  const { start, end } = trimBlank(lines, best)
  let key = start
  let keyWorth = -1
  for (let i = start; i <= end; i++) {
    const { terms, number, text: own } = lines[i] as QuoteLine
    // a title names what is asked, the line below it says it
    const isTitle = /^\s*(?:#{1,6}\s|[-=~]{3,}\s*$|```)/.test(own)
    const score = (worth(terms) + (number ? numberWorth : 0)) * (isTitle ? 0.5 : 1)
    if (score > keyWorth) {
      key = i
      keyWorth = score
    }
  }
  return { line: from + start, end_line: from + end, key: from + key }
}

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
  if (!before || before.text.trim() === '' || own.text.trim() === '' || opening.test(own.text)) return true
  if (ended.test(before.text)) return true
  const tail = before.text.slice(lastEnd(before.text))
  const next = /^[^.!?]*[.!?]?/.exec(own.text)?.[0] ?? own.text
  // prose goes on in small letters; statements of a program do not
  const goesOn = /^\s*[\p{Ll}(]/u.test(own.text) || /,\s*$/.test(before.text)
  return !goesOn || !(/\d/.test(tail) || /\d/.test(next))
}

const lastEnd = (text: string) => Math.max(0, ...[...text.matchAll(/[.!?]\s/g)].map(({ index }) => index + 1))
