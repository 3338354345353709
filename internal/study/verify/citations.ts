// Rules for prose that cites claims: only known ids, no positions or links of a model, and a mark on facts
// without a citation.
import { isQuotation } from '../../text-analysis/synthesis.ts'
import type { StudyClaim } from '../log/entries.ts'

/** Matches citations as the aggregator writes them: `[C3.1]`, `[C3.1, C5.2]`. */
const bracket = /\[\s*(C\d+\.\d+(?:\s*[,;]\s*C\d+\.\d+)*)\s*\]/g
const mark = '[uncited]'
const marks = /[ \t]*\[uncited\]/g

/**
 * Smallest number of characters of a claim's text or quote that is hidden (masked) while a text is
 * split into sentences.
 */
const shortest = 12

/** Returns the ids of the claims that a text cites, each once, in order. */
export function findCitedClaims(text: string): string[] {
  return [...new Set([...text.matchAll(bracket)].flatMap((match) => idsIn(match[1] as string)))]
}

/** Replaces every citation by the result of `put(ids)`. */
export function replaceCitations(text: string, put: (ids: string[]) => string): string {
  return text.replace(bracket, (_, ids: string) => put(idsIn(ids)))
}

const idsIn = (list: string) => list.split(/[,;]/).map((id) => id.trim())

/**
 * Removes the ids of unknown claims from citations. A citation without any known id is removed completely.
 */
export function dropUnknownCitations(text: string, claims: ReadonlyMap<string, StudyClaim>): string {
  const markedText = replaceCitations(text, (ids) => {
    const knownIds = ids.filter((id) => claims.has(id))
    return knownIds.length > 0 ? `[${knownIds.join(', ')}]` : '\uE000'
  })
  return markedText.replace(/[ \t]*\uE000/g, '')
}

const link = /!?\[([^\]\n]*)\]\([^)\n]*\)/g
const address = /\b(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:file|data|javascript|vbscript):)[^\s<>"')\]]+/gi

/**
 * Removes links, because positions come from the evidence and never from a model. A link becomes its text and
 * a URL becomes a notice, unless a claim contains it. HTML needs no handling here, because every format of
 * the report escapes it.
 */
export function removeLinks(text: string, claims: Iterable<StudyClaim>): string {
  const quoted = [...claims]
    .map(({ text, quote }) => [text, quote, oneLine(text), oneLine(quote)].join('\n'))
    .join('\n')
  const keep = (match: string, instead: string) => (quoted.includes(match) ? match : instead)
  return text
    .replace(link, (whole: string, words: string) => keep(whole, words))
    .replace(address, (whole: string) => keep(whole, '(address left out)'))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Removes quote marks around texts of claims that are not quotes, because readers would take such a text for
 * words of the source.
 */
export function unquoteClaims(text: string, claims: Iterable<Pick<StudyClaim, 'text' | 'quote'>>): string {
  let out = text
  for (const { text: claimText, quote } of claims) {
    const claim = oneLine(claimText)
    if (claim === '' || isQuotation(claimText, quote)) continue
    for (const [open, close] of marked) out = out.replaceAll(open + claim + close, claim)
  }
  return out
}

const marked = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
  ['‘', '’'],
] as const

/**
 * Matches the ends of sentences. Citations after a full stop belong to the sentence before it, also if the
 * sentence continues after them, as in `"A." [C1.1] against "B." [C1.2]`.
 */
const end = /[.!?]["'”’)\]]*(?:\s*\[C\d[^\]\n]*\])*\s+(?=[^\s\p{Ll}])(?!\[C\d)/gu

const isStructure = /^\s*(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}|>\s*$|$)/
const none = /^\s*(?:[-*]\s*)?none\b/i

/**
 * Adds `[uncited]` to every sentence that states a number, date or proper name and cites no claim, and
 * returns the number of these sentences. Skips headings, code and lines that begin with `none`. An exact
 * quote of a claim is not split into sentences.
 */
export function markUncited(text: string, claims: Iterable<StudyClaim>): { text: string; uncited: number } {
  const hide = createQuoteMask(
    [...claims].flatMap(({ text, quote }) => [text, quote].flatMap((one) => [one, oneLine(one)])),
  )
  let uncited = 0
  let fenced = false
  const lines = text
    .replace(marks, '')
    .split('\n')
    .map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
      if (fenced || isStructure.test(line) || none.test(line)) return line
      const lead = /^\s*(?:(?:[-*+]|\d+[.)])\s+|>\s*)*/.exec(line)?.[0] ?? ''
      const marked = splitSentences(line.slice(lead.length), hide).map(({ text, masked }) => {
        if (findCitedClaims(masked).length > 0 || !statesFact(masked)) return text
        uncited++
        const body = text.trimEnd()
        return `${body} ${mark}${text.slice(body.length)}`
      })
      return lead + marked.join('')
    })
  return { text: lines.join('\n'), uncited }
}

/**
 * Returns the sentences of one line, each with the white space after it. In `masked`, digits replace the
 * quotes of claims.
 */
function splitSentences(line: string, hide: (line: string) => string): { text: string; masked: string }[] {
  const masked = hide(line)
  const out: { text: string; masked: string }[] = []
  let from = 0
  const push = (to: number) => {
    if (to > from) out.push({ text: line.slice(from, to), masked: masked.slice(from, to) })
    from = to
  }
  for (const match of masked.matchAll(end)) push(match.index + match[0].length)
  push(line.length)
  return out
}

/**
 * Returns a function that replaces every text and quote of a claim, from `shortest` characters on, by as many
 * digits. For speed, it finds them by their first letters.
 */
function createQuoteMask(quotes: readonly string[]): (line: string) => string {
  const byStart = new Map<string, string[]>()
  for (const quote of new Set(quotes)) {
    if (quote.length < shortest) continue
    const start = quote.slice(0, shortest)
    byStart.set(
      start,
      [...(byStart.get(start) ?? []), quote].sort((a, b) => b.length - a.length),
    )
  }
  return (line) => {
    let out = ''
    for (let at = 0; at < line.length; ) {
      const match = byStart.get(line.slice(at, at + shortest))?.find((quote) => line.startsWith(quote, at))
      out += match === undefined ? line.charAt(at) : '0'.repeat(match.length)
      at += match?.length ?? 1
    }
    return out
  }
}

/** Returns whether a sentence has a number, or a capitalized word after its first word. */
function statesFact(sentence: string): boolean {
  const words = sentence.replace(/[*_`]/g, '').trim()
  return /\d/.test(words) || /(?<=[\p{L}\p{N},;:)"'”’-]\s+["'“‘(]?)\p{Lu}[\p{L}\p{N}]+/u.test(words)
}
