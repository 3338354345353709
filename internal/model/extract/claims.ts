// Makes quotations of the passages that a search has shown.
import { findContradictoryPairs } from '../../text-analysis/contradictions.ts'
import { extractTerms, findTerms } from '../../text-analysis/terms.ts'
import type { ShownHit } from './found-passages.ts'

export interface QuotedPassage {
  path: string
  /** Lines the quotation stands on, 1-based, both included. */
  from: number
  to: number
  /** Where it stands in a document, whose lines nobody sees. */
  place?: string
  heading: string
  /** Words of the source as they stand there. */
  quote: string
  /** Words of it that say most. */
  key: string
  /** The same for people: without marks of comments, its most telling line in bold. */
  shown: string
  /** The same as a statement: prose as it stands, programs without marks of comments. */
  text: string
  part: number
  score: number
  evidence?: string
}

const maxClaims = 6

/** What scores less than this share of the best passage says too little of what was asked. */
const leastScore = 0.35

/** The same for one that contradicts a better one, as a share of that. */
const opposedShare = 0.5

/** At most six, best first; no words twice. */
export function chooseClaims(hits: readonly ShownHit[], question: string): QuotedPassage[] {
  const terms = extractTerms(question)
  const floor = (hits[0]?.score ?? 0) * leastScore
  const out: QuotedPassage[] = []
  for (const hit of hits) {
    if (out.length === maxClaims) break
    const firstOfPart = !out.some(({ part }) => part === hit.part)
    const claim = quotePassage(hit, terms)
    // what says otherwise is worth its place however weak its file is
    const isNear = claim !== undefined && hit.score >= floor * opposedShare
    if (hit.score < floor && !firstOfPart && !(isNear && opposes(claim, out))) continue
    if (claim && !out.some(({ quote }) => quote === claim.quote)) out.push(claim)
  }
  return out
}

const opposes = ({ quote }: QuotedPassage, chosen: readonly QuotedPassage[]) =>
  findContradictoryPairs([...chosen.map((one) => one.quote), quote]).some(([, b]) => b === chosen.length)

function quotePassage(hit: ShownHit, terms: readonly string[]): QuotedPassage | undefined {
  const { path, line, lines, place, heading, kind, best, part, score, evidence } = hit
  const quoted = lines.slice(best.from - line, best.to - line + 1)
  const quote = quoted.join('\n').trim()
  if (quote === '') return undefined
  const isProgram = kind === 'code' || kind === 'config'
  return {
    path,
    from: best.from,
    to: best.to,
    ...(place !== undefined && { place }),
    heading,
    quote,
    key: keyOf(quoted[best.key - best.from] ?? '', isProgram, terms),
    shown: showQuote(quoted, best.key - best.from, isProgram),
    text: isProgram ? showQuote(quoted, -1, true) : quote,
    part,
    score,
    ...(evidence !== undefined && { evidence }),
  }
}

/** A longer line is no line that somebody sees at once: of it the sentence that says most. */
const maxKeyChars = 200

/** Words of a line without the marks of comments, titles and items before them. */
function keyOf(line: string, isProgram: boolean, terms: readonly string[]): string {
  const bare = isProgram
    ? line.replace(commentStart, '').replace(commentEnd, '')
    : line.replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/, '')
  if (bare.length <= maxKeyChars || bare.trimStart().startsWith('|')) return bare.trim()
  const sentences = bare.split(/(?<=[.!?]["'”’)\]*_`]*)\s+(?=[^\s\p{Ll}])/u)
  const worth = (one: string) => findTerms(one, terms).length + (/\d/.test(one) ? 0.5 : 0)
  return sentences.reduce((best, one) => (worth(one) > worth(best) ? one : best)).trim()
}

/** Marks of comments at the beginning and the end of a line of a program. */
const commentStart = /^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|\/\/+|#+(?!\[|!)|;+|--+|<!--)\s?/
const commentEnd = /\s*(?:\*\/|-->)\s*$/
const ruleOrFence = /^\s*(?:```.*|~~~.*|[-=*#_]{3,}|\|?[\s:|-]+\|[\s:|-]*|<a [^<>]*>(?:<\/a>)?)\s*$/

function showQuote(lines: readonly string[], key: number, isProgram: boolean): string {
  const shown = lines.map((line, i) => {
    const bare = isProgram
      ? line.replace(commentStart, '').replace(commentEnd, '')
      : line.replace(/^\s{0,3}#{1,6}\s+/, '')
    const text = ruleOrFence.test(bare) ? '' : bare.trimEnd()
    return { text, isKey: i === key }
  })
  const kept = shown.filter(({ text }) => text.trim() !== '')
  const indent = Math.min(...kept.map(({ text }) => /^\s*/.exec(text)?.[0].length ?? 0))
  return kept
    .map(({ text, isKey }) => (isKey && kept.length > 1 ? embolden(text.slice(indent)) : text.slice(indent)))
    .join('\n')
}

/** The mark of a list item stays outside; rows of tables stay as they are. */
function embolden(line: string): string {
  const [, mark = '', rest = ''] = /^(\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?)(.*)$/.exec(line) ?? []
  if (rest === '' || rest.startsWith('|')) return line
  return `${mark}**${rest.replaceAll('**', '').trim()}**`
}
