// Chooses the quotations that answer a facet (study.md 4.1, rule 4).
import { subjectTerms, textsDiffer } from '../../text-analysis/contradictions.ts'
import { findTerms, termSimilarity } from '../../text-analysis/terms.ts'
import { type TermWeights, weighFile } from './file-ranking.ts'

/** A stretch of a file that was really read. */
export interface FilePassage {
  path: string
  /** 1-based number of the first line. */
  line: number
  lines: readonly string[]
}

export interface QuotedPassage {
  path: string
  /** Lines the quotation stands on, 1-based, both included. */
  from: number
  to: number
  text: string
  terms: string[]
  score: number
}

export interface FacetClaims {
  taken: QuotedPassage[]
  /** True when one quotation holds at least half of the terms. */
  answered: boolean
}

const shortest = 20
const maxClaims = 5

/** Lines that only bring names in and state nothing. */
const naming =
  /^(?:import\b|export (?:\*|(?:type )?\{)|\} from |from \S+ import\b|#include\b|using \w+;|use \w+::)/

/** Prose is quoted by sentence, everything else by line. */
const prose =
  /\.(?:md|markdown|mdx|txt|text|rst|adoc|org|tex)$|(?:^|\/)(?:readme|changelog|license|notice)[^/.]*$/i

/** A quotation that scores less than this share of the best one says too little of what was asked. */
const least = 0.5

/**
 * The best quotations for `wanted`, at most five, best first; ties go to plain sentences, then path and line.
 * One that speaks of the same things as one before it is left out, unless they say something else about them.
 */
export function chooseClaims(
  passages: readonly FilePassage[],
  wanted: readonly string[],
  weight: TermWeights,
): FacetClaims {
  const all = passages.flatMap((passage) => candidates(passage, wanted, weight))
  all.sort((a, b) => b.score - a.score || plainness(a) - plainness(b) || byPlace(a, b))
  const floor = (all[0]?.score ?? 0) * least
  const taken: QuotedPassage[] = []
  const subjects: string[][] = []
  for (const candidate of all) {
    if (taken.length === maxClaims || candidate.score < floor) break
    const own = subjectTerms(candidate.text)
    const twin = taken.find(
      ({ text }, i) =>
        text === candidate.text ||
        (termSimilarity(subjects[i] as string[], own) > 0.6 && !textsDiffer(text, candidate.text)),
    )
    if (twin) continue
    taken.push(candidate)
    subjects.push(own)
  }
  return { taken, answered: taken.some(({ terms }) => terms.length * 2 >= wanted.length && terms.length > 0) }
}

/** Of equal ones a whole sentence comes before a fragment, a short one before a long one. */
const plainness = ({ text }: QuotedPassage) => (/[.!?]["'”’)\]]*$/.test(text) ? 0 : 1_000_000) + text.length

const byPlace = (a: QuotedPassage, b: QuotedPassage) =>
  a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1

/** `sum of weights / (1 + max(0, length - 200) / 200)`: long lines have to hold more. */
function score(text: string, terms: readonly string[], weight: TermWeights): number {
  const sum = terms.reduce((total, term) => total + weight.of(term), 0)
  return sum / (1 + Math.max(0, text.length - 200) / 200)
}

function candidates(passage: FilePassage, wanted: readonly string[], weight: TermWeights): QuotedPassage[] {
  const place = weighFile(passage.path, wanted)
  const spans = prose.test(passage.path) ? sentences(passage) : lines(passage)
  return spans.flatMap((span) => {
    if (span.text.length < shortest || naming.test(span.text)) return []
    const terms = findTerms(span.text.replace(question, ' '), wanted)
    if (terms.length === 0) return []
    const worth = span.code ? place * 0.6 : place
    const { code: _, ...quoted } = span
    return [{ path: passage.path, ...quoted, terms, score: score(span.text, terms, weight) * worth }]
  })
}

/** What asks states nothing: a question up to its mark, where that is no operator of a program. */
const question = /[^.!?]*\?(?=["'`”’)\]<]|\s*$)/g

/** A line of a program that speaks to people. */
const comment = /^(?:\/[/*]|\*|#|--|;|""|<!--)/

/** `code`: a line of a program, whatever file it stands in. */
type Span = Pick<QuotedPassage, 'from' | 'to' | 'text'> & { code: boolean }

function lines(passage: FilePassage): Span[] {
  return passage.lines.map((line, i) => {
    const text = line.trim()
    return { from: passage.line + i, to: passage.line + i, text, code: !comment.test(text) }
  })
}

/** What begins a paragraph of its own in Markdown and its relatives. */
const begins = /^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|\|)/

const fence = /^\s*(?:```|~~~)/

const heading = /^\s{0,3}#{1,6}\s/

/** The line of dashes below the names of a table's columns. */
const dashes = /^[\s|:-]*--[\s|:-]*$/

/**
 * Sentences, also over line ends; each item of a list and row of a table begins anew. Headings and heads of
 * tables state nothing.
 */
function sentences(passage: FilePassage): Span[] {
  const out: Span[] = []
  let block: { line: number; text: string }[] = []
  let fenced = false
  const flush = () => {
    out.push(...cut(block, fenced))
    block = []
  }
  for (const [i, text] of passage.lines.entries()) {
    if (text.trim() === '' || fenced || begins.test(text)) flush()
    if (fence.test(text)) {
      flush()
      fenced = !fenced
      continue
    }
    const isHead = heading.test(text) || dashes.test(text) || dashes.test(passage.lines[i + 1] ?? '')
    if (text.trim() !== '' && !isHead) block.push({ line: passage.line + i, text: text.trim() })
  }
  flush()
  return out
}

/** Cuts joined lines behind `.`, `!` or `?` that a space and something other than a small letter follow. */
function cut(block: readonly { line: number; text: string }[], code: boolean): Span[] {
  const text = block.map((part) => part.text).join(' ')
  const starts: number[] = []
  let length = 0
  for (const part of block) {
    starts.push(length)
    length += part.text.length + 1
  }
  const lineAt = (position: number) => {
    const i = starts.findLastIndex((start) => start <= position)
    return block[Math.max(0, i)]?.line ?? 1
  }
  const out: Span[] = []
  let from = 0
  const push = (to: number) => {
    const sentence = text.slice(from, to).trim()
    if (sentence !== '')
      out.push({ from: lineAt(from), to: lineAt(Math.max(from, to - 1)), text: sentence, code })
    from = to
  }
  for (const end of text.matchAll(/[.!?]["'”’)\]]*\s+(?=[^\s\p{Ll}])/gu)) push(end.index + end[0].length)
  push(text.length)
  return out
}
