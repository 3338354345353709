// Makes quotations of the passages that a search has shown.
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
  /** The same without marks of comments, its most telling line in bold. */
  text: string
  part: number
  score: number
  evidence?: string
}

const maxClaims = 6

/** What scores less than this share of the best passage says too little of what was asked. */
const leastScore = 0.25

/** At most six, best first; no words twice. */
export function chooseClaims(hits: readonly ShownHit[]): QuotedPassage[] {
  const floor = (hits[0]?.score ?? 0) * leastScore
  const out: QuotedPassage[] = []
  for (const hit of hits) {
    if (out.length === maxClaims) break
    const firstOfPart = !out.some(({ part }) => part === hit.part)
    if (hit.score < floor && !firstOfPart) continue
    const claim = quotePassage(hit)
    if (claim && !out.some(({ quote }) => quote === claim.quote)) out.push(claim)
  }
  return out
}

function quotePassage(hit: ShownHit): QuotedPassage | undefined {
  const { path, line, lines, place, heading, kind, best, part, score, evidence } = hit
  const quoted = lines.slice(best.from - line, best.to - line + 1)
  const quote = quoted.join('\n').trim()
  if (quote === '') return undefined
  return {
    path,
    from: best.from,
    to: best.to,
    ...(place !== undefined && { place }),
    heading,
    quote,
    text: showQuote(quoted, best.key - best.from, kind === 'code' || kind === 'config'),
    part,
    score,
    ...(evidence !== undefined && { evidence }),
  }
}

/** Marks of comments at the beginning and the end of a line of a program. */
const commentStart = /^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|\/\/+|#+(?!\[|!)|;+|--+|<!--)\s?/
const commentEnd = /\s*(?:\*\/|-->)\s*$/
const ruleOrFence = /^\s*(?:```.*|~~~.*|[-=*#_]{3,}|\|?[\s:|-]+\|[\s:|-]*)\s*$/

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

/** Marks that a list item or row begins with stay outside; rows of tables and lines in code marks stay as they are. */
function embolden(line: string): string {
  const [, mark = '', rest = ''] = /^(\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?)(.*)$/.exec(line) ?? []
  if (rest === '' || rest.startsWith('|')) return line
  return `${mark}**${rest.replaceAll('**', '').trim()}**`
}
