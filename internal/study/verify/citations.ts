// The rules for prose that cites claims: known ids only, no places or links of a model's own, and what cites
// nothing is marked.
import { isQuotation } from '../../text-analysis/synthesis.ts'
import type { StudyClaim } from '../log/entries.ts'

/** Citations as the aggregator writes them: `[C3.1]`, `[C3.1, C5.2]`. */
const bracket = /\[\s*(C\d+\.\d+(?:\s*[,;]\s*C\d+\.\d+)*)\s*\]/g
const mark = '[uncited]'
const marks = /[ \t]*\[uncited\]/g

/** Texts of claims shorter than this are words rather than quotations. */
const shortest = 12

/** The claims that a text cites, each once, in order. */
export function findCitedClaims(text: string): string[] {
  return [...new Set([...text.matchAll(bracket)].flatMap((match) => idsIn(match[1] as string)))]
}

/** Puts `put(ids)` in place of every citation. */
export function replaceCitations(text: string, put: (ids: string[]) => string): string {
  return text.replace(bracket, (_, ids: string) => put(idsIn(ids)))
}

const idsIn = (list: string) => list.split(/[,;]/).map((id) => id.trim())

/** Takes out ids that no claim has; a citation without any left goes. */
export function dropUnknownCitations(text: string, claims: ReadonlyMap<string, StudyClaim>): string {
  const kept = replaceCitations(text, (ids) => {
    const known = ids.filter((id) => claims.has(id))
    return known.length > 0 ? `[${known.join(', ')}]` : '\uE000'
  })
  return kept.replace(/[ \t]*\uE000/g, '')
}

const link = /!?\[([^\]\n]*)\]\([^)\n]*\)/g
const address = /\b(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:file|data|javascript|vbscript):)[^\s<>"')\]]+/gi

/**
 * Places are printed from the evidence, never in a model's words: links lose their target, addresses go
 * unless a claim quotes them. HTML needs nothing here; every form of the report escapes it.
 */
export function removeLinks(text: string, claims: Iterable<StudyClaim>): string {
  const quoted = [...claims]
    .map(({ text, quote }) => [text, quote, oneLine(text), oneLine(quote)].join('\n'))
    .join('\n')
  const keep = (found: string, instead: string) => (quoted.includes(found) ? found : instead)
  return text
    .replace(link, (whole: string, words: string) => keep(whole, words))
    .replace(address, (whole: string) => keep(whole, '(address left out)'))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Takes the quotation marks off claims: whoever reads them takes what stands between for words of the source.
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

/** Ends of sentences; the citations that follow a full stop belong to the sentence before it. */
const end = /[.!?]["'”’)\]]*(?:\s*\[C\d[^\]\n]*\])*\s+(?=[^\s\p{Ll}])/gu

const isStructure = /^\s*(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}|>\s*$|$)/
const none = /^\s*(?:[-*]\s*)?none\b/i

/**
 * Adds `[uncited]` to every sentence that states a number, date or proper name and cites no claim. What is
 * quoted from a claim word for word is never cut into sentences.
 */
export function markUncited(text: string, claims: Iterable<StudyClaim>): { text: string; uncited: number } {
  const hide = masker(
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
      const marked = sentences(line.slice(lead.length), hide).map(({ text, masked }) => {
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
 * The sentences of one line, with the white space after them; `masked` has figures in the place of
 * quotations.
 */
function sentences(line: string, hide: (line: string) => string): { text: string; masked: string }[] {
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
 * Puts as many figures in the place of every quotation; found by its first letters, so that many cost little.
 */
function masker(quotes: readonly string[]): (line: string) => string {
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
      const found = byStart.get(line.slice(at, at + shortest))?.find((quote) => line.startsWith(quote, at))
      out += found === undefined ? line.charAt(at) : '0'.repeat(found.length)
      at += found?.length ?? 1
    }
    return out
  }
}

/** A figure, or a word with a capital that does not just begin the sentence. */
function statesFact(sentence: string): boolean {
  const words = sentence.replace(/[*_`]/g, '').trim()
  return /\d/.test(words) || /(?<=[\p{L}\p{N},;:)"'”’-]\s+["'“‘(]?)\p{Lu}[\p{L}\p{N}]+/u.test(words)
}
