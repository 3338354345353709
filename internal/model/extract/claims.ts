// Quotes from the passages that a search has shown.
import { findContradictoryPairs } from '../../text-analysis/contradictions.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'
import { type LineSentence, sentencesOfLines } from '../../text-analysis/sentences.ts'
import { extractTerms, findTerms } from '../../text-analysis/terms.ts'
import type { ShownHit } from './found-passages.ts'

export interface QuotedPassage {
  path: string
  /** Number of the first line of the quote, from 1; `to` is the number of its last line. */
  from: number
  to: number
  /** Position of the quote in a document such as a PDF, where a reader sees no line numbers. */
  place?: string
  heading: string
  kind: string
  /** Text of the source, trimmed, with `…` in place of lines that are left out. */
  quote: string
  /** The words of the quote that say most about the question. */
  key: string
  /**
   * The quote for users, without blank lines, rules and fences, and without comment marks or heading marks.
   * If it has several lines, its most informative words are in bold.
   */
  shown: string
  /** The quote as a statement: prose unchanged, programs without comment marks. */
  text: string
  part: number
  /** Indices of the parts of the question that the quote answers. */
  tells: readonly number[]
  score: number
  evidence?: string
}

const maxClaims = 6

/**
 * Usual smallest score of a quoted passage, as a share of the best score. A passage with less is quoted only
 * for a part of the question without another quote, or if it contradicts one.
 */
const leastScore = 0.35

/** A passage that contradicts a better one is quoted from this share of the usual smallest score on. */
const opposedShare = 0.5

/**
 * Returns at most six quotes with different texts, best first; those added for a part of the question or a
 * value come last. If the best quote is prose, prose precedes programs. Then one quote that answers a part of
 * the question may move to the front.
 */
export function chooseClaims(hits: readonly ShownHit[], question: string): QuotedPassage[] {
  const terms = extractTerms(question)
  const floor = (hits[0]?.score ?? 0) * leastScore
  const out: QuotedPassage[] = []
  for (const hit of withSecondQuotes(hits)) {
    if (out.length === maxClaims) break
    const firstOfPart = !out.some(({ part }) => part === hit.part)
    const claim = quotePassage(hit, terms)
    // A passage with a low score is quoted too if it contradicts a better quote.
    const isNear = claim !== undefined && hit.score >= floor * opposedShare
    if (hit.score < floor && !firstOfPart && !(isNear && hasContradiction(claim, out))) continue
    if (claim && !out.some(({ quote }) => quote === claim.quote)) out.push(claim)
  }
  if (out.length === maxClaims)
    quoteValue(
      out,
      hits.filter(({ score }) => score >= floor),
      terms,
    )
  keepEachPart(out, hits, terms)
  return answerFirst(proseFirst(out), question)
}

/**
 * Changes `out` so that each part of the question has a quote, if any passage answers that part. If `out` is
 * full, it replaces the quote with the lowest score of those whose parts other quotes answer too, and skips
 * the part if every quote is needed.
 */
function keepEachPart(out: QuotedPassage[], hits: readonly ShownHit[], terms: readonly string[]): void {
  const quoted = withSecondQuotes(hits)
  const parts = new Set(quoted.flatMap(({ best }) => best.tells ?? []))
  for (const part of parts) {
    if (out.some(({ tells }) => tells.includes(part))) continue
    const hit = quoted.find(({ best }) => best.tells?.includes(part))
    const claim = hit && quotePassage(hit, terms)
    if (!claim) continue
    const isSpare = (one: QuotedPassage) =>
      one.tells.every((index) => out.some((other) => other !== one && other.tells.includes(index)))
    const spare = out.filter(isSpare).sort((a, b) => a.score - b.score)[0]
    if (out.length >= maxClaims && spare) out.splice(out.indexOf(spare), 1)
    if (out.length < maxClaims) out.push(claim)
  }
}

/**
 * Replaces the last quote of `out` by the definition of a value that a better quote refers to, unless a
 * definition is quoted already. The sixth quote mostly repeats others.
 */
function quoteValue(out: QuotedPassage[], hits: readonly ShownHit[], terms: readonly string[]): void {
  const values = hits.filter(({ follows }) => follows !== undefined)
  const claims = values.flatMap((hit) => quotePassage(hit, terms) ?? [])
  if (claims.some(({ quote }) => out.some((one) => one.quote === quote))) return
  if (claims[0]) out.splice(-1, 1, claims[0])
}

/** Moves prose before programs if the first quote is prose; otherwise returns the quotes in their order. */
function proseFirst(claims: readonly QuotedPassage[]): QuotedPassage[] {
  const isCode = ({ kind }: QuotedPassage) => kind === 'code'
  const [first] = claims
  if (!first || isCode(first)) return [...claims]
  return [...claims.filter((one) => !isCode(one)), ...claims.filter(isCode)]
}

/** Smallest score of an answer that precedes the other quotes, as a share of the first one's score. */
const answerShare = 0.75

/**
 * Moves the first quote that answers a part of the question to the front, because a passage that only repeats
 * the words of the question can have a higher score. The order stays if the quotes leave a part open, or if
 * the score of the answer is much lower.
 */
function answerFirst(claims: readonly QuotedPassage[], question: string): QuotedPassage[] {
  const answer = claims.find(({ tells }) => tells.length > 0)
  const parts = Math.max(1, splitQuestion(question).length)
  const answered = new Set(claims.flatMap(({ tells }) => tells))
  const isNear = answer && answer.score >= answerShare * (claims[0]?.score ?? 0)
  if (!isNear || answered.size < parts) return [...claims]
  return [answer, ...claims.filter((one) => one !== answer)]
}

/** Factor for the score of the second quote of a passage, after the score was multiplied by its `share`. */
const secondWorth = 0.8

/**
 * Returns the hits and, for each second quote, a separate hit with a lower score. The separate hit precedes
 * the first later hit with an even lower score.
 */
function withSecondQuotes(hits: readonly ShownHit[]): ShownHit[] {
  const out = [...hits]
  for (const hit of hits) {
    const { second, ...rest } = hit
    if (!second) continue
    const secondHit = { ...rest, best: second, score: hit.score * second.share * secondWorth }
    const at = out.findIndex((other, i) => i > out.indexOf(hit) && other.score < secondHit.score)
    out.splice(at < 0 ? out.length : at, 0, secondHit)
  }
  return out
}

const hasContradiction = ({ quote }: QuotedPassage, passages: readonly QuotedPassage[]) =>
  findContradictoryPairs([...passages.map((one) => one.quote), quote]).some(([, b]) => b === passages.length)

function quotePassage(hit: ShownHit, terms: readonly string[]): QuotedPassage | undefined {
  const { path, place, heading, kind, best, part, score, evidence } = hit
  const numbered = quotedLines(hit)
  const quoted = numbered.map(({ text }) => text)
  const quote = quoted.join('\n').trim()
  if (quote === '') return undefined
  const isProgram = kind === 'code' || kind === 'config'
  const key = Math.max(
    0,
    numbered.findIndex(({ line }) => line === best.key),
  )
  return {
    path,
    from: best.from,
    to: best.to,
    place,
    heading,
    kind,
    quote,
    key: keyOf(quoted, key, isProgram, terms),
    shown: showQuote(quoted, boldLines(quoted, key, isProgram, terms), isProgram),
    text: isProgram ? showQuote(quoted, [], true) : quote,
    part: best.tells?.[0] === undefined || best.tells.includes(part) ? part : best.tells[0],
    tells: best.tells ?? [],
    score,
    evidence,
  }
}

/** Returns the lines of a quote. An ellipsis, which has no number, replaces the lines that are left out. */
function quotedLines({ line, lines, frame = [], best }: ShownHit): { line?: number; text: string }[] {
  const passageLines = lines.map((text, i) => ({ line: line + i, text }))
  const all = [...frame, ...passageLines].sort((a, b) => a.line - b.line)
  const pieces = best.pieces ?? [[best.from, best.to]]
  const quoted = pieces.flatMap(([from, to]) => [
    { text: '…' },
    ...all.filter((one) => from <= one.line && one.line <= to),
  ])
  return [...quoted.slice(1), ...(best.continues ? [{ text: '…' }] : [])]
}

/**
 * Returns the most informative words: for a program the key line without comment marks, for prose a sentence,
 * also across lines, and for a heading or a table row the whole line.
 */
function keyOf(lines: readonly string[], at: number, isProgram: boolean, terms: readonly string[]): string {
  const line = lines[at] ?? ''
  if (isProgram) return line.replace(commentStart, '').replace(commentEnd, '').trim()
  const sentence = keySentence(lines, at, terms)?.text ?? line
  return sentence.replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/, '').trim()
}

/**
 * Returns the sentence that overlaps line `at` and contains the most terms; of equal ones, the first one with
 * a digit, or else the first. Undefined for a heading or a table row.
 */
function keySentence(
  lines: readonly string[],
  at: number,
  terms: readonly string[],
): LineSentence | undefined {
  if (/^\s*(?:\||#)/.test(lines[at] ?? '')) return undefined
  const worth = ({ text }: LineSentence) => findTerms(text, terms).length + (/\d/.test(text) ? 0.5 : 0)
  return sentencesOfLines(lines)
    .filter(({ from, to }) => from <= at && at <= to)
    .reduce<LineSentence | undefined>(
      (best, one) => (best && worth(best) >= worth(one) ? best : one),
      undefined,
    )
}

/** Match comment marks at the beginning and the end of a program line. */
const commentStart = /^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|\/\/+|#+(?!\[|!)|;+|--+|<!--)\s?/
const commentEnd = /\s*(?:\*\/|-->)\s*$/
const ruleOrFence = /^\s*(?:```.*|~~~.*|[-=*#_]{3,}|\|?[\s:|-]+\|[\s:|-]*|<a [^<>]*>(?:<\/a>)?)\s*$/

/**
 * Returns for each line of a quote the words to set in bold, or undefined. In prose this is a sentence. For a
 * program, a heading or a row of a table it is the whole key line.
 */
function boldLines(
  lines: readonly string[],
  key: number,
  isProgram: boolean,
  terms: readonly string[],
): (string | undefined)[] {
  const sentence = isProgram ? undefined : keySentence(lines, key, terms)
  if (!sentence) return lines.map((line, i) => (i === key ? line : undefined))
  let remainingText = sentence.text
  return lines.map((line, i) => {
    if (i < sentence.from || i > sentence.to) return undefined
    const words = line.trim()
    const from = i === sentence.from ? beginningIn(words, remainingText) : 0
    const linePart = words.slice(from, from + remainingText.length)
    remainingText = remainingText.slice(linePart.length).trimStart()
    return linePart
  })
}

/**
 * Returns the first index in `line` from which it belongs to `sentence`, which may continue in the next line;
 * 0 without such an index.
 */
function beginningIn(line: string, sentence: string): number {
  for (let at = 0; at < line.length; at++) {
    const rest = line.slice(at)
    if (sentence.startsWith(rest) || rest.startsWith(sentence)) return at
  }
  return 0
}

function showQuote(
  lines: readonly string[],
  bold: readonly (string | undefined)[],
  isProgram: boolean,
): string {
  const bareLines = lines.map((line, i) => {
    const bare = isProgram
      ? line.replace(commentStart, '').replace(commentEnd, '')
      : line.replace(/^\s{0,3}#{1,6}\s+/, '')
    const text = ruleOrFence.test(bare) ? '' : bare.trimEnd()
    return { text, bold: bold[i]?.trim() }
  })
  const textLines = bareLines.filter(({ text }) => text.trim() !== '')
  const indent = Math.min(...textLines.map(({ text }) => /^\s*/.exec(text)?.[0].length ?? 0))
  return textLines
    .map(({ text, bold }) =>
      bold && textLines.length > 1 ? emboldenWords(text.slice(indent), bold) : text.slice(indent),
    )
    .join('\n')
}

/**
 * Returns the line with `words` in bold, or with all of it in bold if it lacks them. The mark of a
 * list item stays outside; rows of tables stay unchanged.
 */
function emboldenWords(line: string, words: string): string {
  const [, mark = '', rest = ''] = /^(\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?)(.*)$/.exec(line) ?? []
  if (rest === '' || rest.startsWith('|')) return line
  const at = rest.indexOf(words)
  const [from, to] = at < 0 ? [0, rest.length] : [at, at + words.length]
  const bold = rest.slice(from, to).replaceAll('**', '').trim()
  return `${mark}${rest.slice(0, from)}**${bold}**${rest.slice(to)}`
}
