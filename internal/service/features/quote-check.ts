// Comparison of the quotes in any text with the files of a workspace that the text names.
import { fingerprint } from '../../base/fingerprint.ts'
import { containsQuote } from '../../study/verify/quotation.ts'
import { fileReaderBelow } from '../../study/verify/source-reader.ts'
import type { QuoteCheck, QuoteVerdict } from '../../tool/verification.ts'

/** A quote in a text, with the file and the lines whose mention is nearest to the quote. */
interface NamedQuote {
  quote: string
  file: string | undefined
  from: number | undefined
  to: number | undefined
}

/**
 * Smallest number of letters and digits of a quote that is checked. Shorter ones are usually single words
 * in quote marks.
 */
const leastLetters = 5
const maxQuotes = 200
/**
 * Penalty in characters for a file name in another sentence than the quote. The file with the smallest
 * distance is chosen.
 */
const otherSentence = 10_000
/**
 * Penalty in characters for a file name after the quote, unless only words such as "from" or "in" are
 * between the two.
 */
const otherClause = 1_000
const linkWords = /^[\s([{`—–-]*(?:(?:from|in|at|of|see|file|line)[\s([{`:]*)*$/i

const quotePattern = /```[^\n]*\n([\s\S]*?)```|"([^"\n]+)"|“([^“”]+)”|«([^«»]+)»|^((?:> ?.*(?:\n|$))+)/gm
const placePattern = /([\w@./-]*[\w-]\.[A-Za-z]\w{0,9})(?::(?:L)?(\d+)(?:-(?:L)?(\d+))?)?/g

/**
 * Checks the first 200 quotes in quote marks, block quotes or code blocks, each against the file whose
 * mention is nearest. A file that is missing or for which `isOpen` returns false gives `no_file`. Quotes of
 * fewer than 5 letters and digits, and those after the first 200, are only counted.
 */
export async function checkQuotes(
  workspace: string,
  text: string,
  isOpen: (path: string) => boolean,
): Promise<QuoteCheck> {
  const read = fileReaderBelow(workspace)
  const verdicts: QuoteVerdict[] = []
  const { named: all, short } = findQuotes(text)
  for (const named of all.slice(0, maxQuotes)) {
    const { quote, file, from, to } = named
    const bytes = file === undefined || !isOpen(file) ? undefined : await read(file)
    if (file === undefined || !bytes) {
      verdicts.push({ quote, state: 'no_file', file })
      continue
    }
    const whole = Buffer.from(bytes).toString('utf8')
    const lines =
      from === undefined
        ? undefined
        : whole
            .split('\n')
            .slice(from - 1, to ?? from)
            .join('\n')
    const state = !containsQuote(whole, quote)
      ? 'missing'
      : lines === undefined || containsQuote(lines, quote)
        ? 'found'
        : 'elsewhere'
    const lineRange = from === undefined ? undefined : to === undefined ? `${from}` : `${from}-${to}`
    verdicts.push({ quote, state, file, lines: lineRange, sha256: fingerprint(bytes) })
  }
  return { quotes: verdicts, short, beyond: Math.max(0, all.length - maxQuotes) }
}

function findQuotes(text: string): { named: NamedQuote[]; short: number } {
  const quotes: { quote: string; start: number; end: number }[] = []
  let short = 0
  for (const match of text.matchAll(quotePattern)) {
    const [whole, fenced, straight, curly, angled, block] = match
    const quote = (fenced ?? straight ?? curly ?? angled ?? (block ?? '').replace(/^> ?/gm, '')).trim()
    if (quote.replace(/[^\p{L}\p{N}]/gu, '').length < leastLetters) short++
    else quotes.push({ quote, start: match.index, end: match.index + whole.length })
  }
  const places = [...text.matchAll(placePattern)]
    .map((match) => ({ match, at: match.index, end: match.index + match[0].length }))
    .filter(({ at }) => !quotes.some(({ start, end }) => at >= start && at < end))
  const named = quotes.map(({ quote, start, end }) => {
    const distance = ({ at, end: until }: (typeof places)[number]) => {
      const between = at >= end ? text.slice(end, at) : text.slice(until, start)
      // a file in another sentence or clause probably belongs to another quote
      if (/[.!?]\s|\n\s*\n/.test(between)) return between.length + otherSentence
      if (at >= end) return linkWords.test(between) ? 0 : between.length + otherClause
      return between.length
    }
    const [nearest] = [...places].sort((a, b) => distance(a) - distance(b))
    const [, file, from, to] = nearest?.match ?? []
    return { quote, file, from: numberOf(from), to: numberOf(to) }
  })
  return { named, short }
}

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))
