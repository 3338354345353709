// Decision by its quotes whether a claim is verified, quoted or not found.

import { foldVariants, hasUnspacedScript } from '../../base/text/scripts/unspaced-script.ts'
import { kindOfFile } from '../../retrieval/file-kind.ts'
import type { ClaimState } from '../log/entries.ts'
import { type ClaimAmount, isSameAmount, listAmounts } from './claim-amounts.ts'
import { deniesProgram, isDenialOnOneSide } from './claim-denial.ts'
import { isAboutNames, isSubjectNamed } from './claim-names.ts'
import { areOpposite, isSetOpposite } from './claim-opposites.ts'
import { type ClaimTerm, listClaimTerms, readTextWords, weighInNames, weighTerm } from './claim-terms.ts'
import { containsQuote, dropCommentMarks, foldSpace, splitQuote } from './quotation.ts'

/** A quote of a claim, and the evidence in which it should occur. */
export interface QuotedPlace {
  quote: string
  excerpt: string
  /** Path or URL of the source. */
  path?: string
  heading?: string | undefined
}

/**
 * Returns the state of a claim with at least one quote. For any state but `not_found`, every quote has to be
 * in its excerpt.
 */
export function judgeClaim(text: string, places: readonly QuotedPlace[]): ClaimState {
  if (places.length === 0 || !places.every(({ excerpt, quote }) => containsQuote(excerpt, quote)))
    return 'not_found'
  return carriesClaim(text, places.map(readPlace)) ? 'verified' : 'quoted'
}

interface ReadPlace {
  quote: string
  /**
   * The lines with the quote, and two lines before and after them, of which at most 200 characters
   * on each side.
   */
  near: string
  /** Path, title and excerpt together, which may all name the subject of the quote. */
  nearby: string
  /** Path and heading of the source. */
  title: string
  isProgram: boolean
  isShort: boolean
}

function readPlace({ quote, excerpt, path = '', heading = '' }: QuotedPlace): ReadPlace {
  const near = linesNear(excerpt, quote)
  return {
    quote,
    near,
    nearby: [path, heading, excerpt].join('\n'),
    title: [path, heading].join('\n'),
    isProgram: isProgram(quote, path),
    isShort: isShort(quote, excerpt),
  }
}

const contextLines = 2
/**
 * Largest number of characters that count as context before and after the quote, because a line may be
 * a whole paragraph.
 */
const maxContext = 200

/** Returns the lines of the excerpt that contain the quote, with the lines around them. */
function linesNear(excerpt: string, quote: string): string {
  const lines = excerpt.split('\n')
  const has = (from: number, to: number) => containsQuote(lines.slice(from, to).join('\n'), quote)
  let to = lines.length
  let from = 0
  // The range is narrowed in large steps first, because an excerpt may have hundreds of lines.
  for (const step of [64, 8, 1]) {
    while (to - step > from && has(from, to - step)) to -= step
    while (from + step < to && has(from + step, to)) from += step
  }
  const before = lines.slice(Math.max(0, from - contextLines), from).join('\n')
  const after = lines.slice(to, to + contextLines).join('\n')
  return [before.slice(-maxContext), ...lines.slice(from, to), after.slice(0, maxContext)].join('\n')
}

/** Returns true if the quote is part of a program or of settings, and not of a comment. */
function isProgram(quote: string, path: string): boolean {
  const isCode = path !== '' && !/^https?:/.test(path) && kindOfFile(path) !== 'prose'
  const lines = quote.split('\n').filter((line) => line.trim() !== '')
  const comments = lines.filter((line) => isCommentLine(line) || looksLikeProse(line))
  if (isCode) return comments.length * 2 <= lines.length
  return lines.every((line) => !looksLikeProse(line)) && /[={}();]|\w_\w|::|->/.test(quote)
}

const isCommentLine = (line: string) => {
  const bare = dropCommentMarks(line).trim()
  return bare !== line.trim() && !line.trim().startsWith(bare)
}

/**
 * Returns true if a line has at least four plain words that are two thirds of its words or more, or if its
 * script has no spaces.
 */
const looksLikeProse = (line: string) => {
  const words = line.trim().split(/\s+/)
  if (hasUnspacedScript(line)) return true
  const plain = words.filter((word) => /^[("'“‘`]?[\p{L}'’-]+[)"'”’`]?[,.;:!?]?$/u.test(word))
  return plain.length >= 4 && plain.length * 3 >= words.length * 2
}

/** Width, in letters, below which a quote that is only a part of a line is too short to state a claim. */
const shortest = 20
/** Width, in letters, below which a part of a line that contains a number is too short to state a claim. */
const shortestAmount = 12
const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu

/** Returns the width of a text. A character of a dense script, such as Chinese, counts as two letters. */
const widthOf = (text: string) => [...text].length + (text.match(dense) ?? []).length

/**
 * Returns true if a quote is too short to state anything: a small part of a line without an assignment, a
 * call or an amount.
 */
function isShort(quote: string, excerpt: string): boolean {
  const folded = foldSpace(quote)
  if (widthOf(folded) >= shortest || splitQuote(quote).length > 1) return false
  if (/\w\s*(?:=|:|\()\s*\S/.test(folded)) return false
  if (/\d/.test(folded) && widthOf(folded) >= shortestAmount) return false
  return !excerpt.split('\n').some((line) => foldSpace(line) === folded)
}

/** Number of terms above which a claim about prose needs two of its terms in the quote. */
const longClaim = 6
const nearShare = 0.5
/**
 * Matches letters that English does not use. In other languages, two terms have to be in the quote itself.
 */
const foreignLetter = /[^\p{ASCII}\P{L}]/u

/**
 * Returns true if the quotes state the claim. All of them have to be in their excerpts, which
 * was checked before.
 */
function carriesClaim(text: string, places: readonly ReadPlace[]): boolean {
  if (places.every(({ isShort }) => isShort)) return false
  const quotes = places.map(({ quote }) => quote).join('\n')
  if (foldSpace(text) === foldSpace(quotes)) return true
  const terms = listClaimTerms(text)
  if (terms.length === 0) return false
  if (!areAmountsNear(text, places) || !areNamesNearby(text, places)) return false
  const isProgram = places.some((place) => place.isProgram)
  const near = places.map((place) => place.near).join('\n')
  if (!hasEnough(text, terms, { quotes, near, isProgram })) return false
  const titles = places.map(({ title }) => title)
  if (!isProgram && !isSubjectNamed(text, quotes, [near, ...titles].join('\n'))) return false
  return !isDenied(text, terms, places)
}

function hasEnough(
  text: string,
  terms: readonly ClaimTerm[],
  { quotes, near, isProgram }: { quotes: string; near: string; isProgram: boolean },
): boolean {
  const words = readTextWords(quotes)
  const nearby = readTextWords(near)
  const isForeign = foreignLetter.test(text)
  let sum = 0
  for (const term of terms) {
    const inside = weighTerm(term, words) || (isProgram ? weighInNames(term, words) : 0)
    sum += inside || (isForeign ? 0 : nearShare * weighTerm(term, nearby))
  }
  if (isProgram && hasLiteral(text, quotes)) return true
  if (isProgram && hasSameAmount(text, quotes)) return isAboutNames(terms, quotes, near)
  const needed = isProgram || (terms.length <= longClaim && !isForeign) ? 1 : 2
  return sum >= Math.min(needed, terms.length)
}

function hasSameAmount(text: string, quotes: string): boolean {
  const theirs = listAmounts(quotes, true)
  return listAmounts(text).some((amount) => theirs.some((other) => isSameAmount(amount, other)))
}

/** Returns true if the claim contains, as a word, a string literal of the quoted program. */
function hasLiteral(text: string, quotes: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,}/gu))
  return [...quotes.matchAll(/(["'])([\w.-]{2,})\1/g)].some((match) =>
    words.has((match[2] as string).toLowerCase()),
  )
}

/**
 * Returns true if each amount of the claim occurs in its quotes, or in the lines around them if no quote
 * states other amounts. In that case a number in words without a unit may also be missing.
 */
function areAmountsNear(text: string, places: readonly ReadPlace[]): boolean {
  const ours = listAmounts(text)
  const quoted = places.map(({ quote }) => listAmounts(quote, true))
  const isIn = (list: readonly ClaimAmount[]) => (amount: ClaimAmount) =>
    list.some((one) => isSameAmount(amount, one))
  const missing = ours.filter((amount) => !isIn(quoted.flat())(amount))
  // If a quote has amounts, but none that the claim has, it states other amounts. Then amounts in nearby
  // lines do not count.
  const isOther = quoted.some((list) => list.length > 0 && !list.some(isIn(ours)))
  const near = isOther ? [] : places.flatMap(({ near }) => listAmounts(near, true))
  return missing.every((amount) => (amount.isLoose && !isOther) || isIn(near)(amount))
}

const codeSpan = /`([^`\n]+)`/g
const nameInWords = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:[\p{Ll}\p{N}]+(?:\p{Lu}[\p{Ll}\p{N}]*)+|` +
    String.raw`\p{Lu}\p{Ll}{2,}(?:\p{Lu}\p{Ll}+)+|\w+_\w+|\p{Lu}{4,}\p{N}*|--[a-z][\w-]+)(?![\p{L}\p{N}_])`,
  'gu',
)
/** Matches names that a claim may add although its source lacks them, because every reader knows them. */
const commonNames =
  /^(?:HTTPS?|JSON|HTML|YAML|TOML|ASCII|POSIX|UUIDS?|UNIX|NULL|TODO|JavaScript|TypeScript|GitHub)$/

/**
 * Returns true if every name in the claim occurs around the quotes, as a whole or by at least one of its
 * terms. Common names such as JSON may be missing, unless the claim has them in backticks.
 */
function areNamesNearby(text: string, places: readonly ReadPlace[]): boolean {
  const names = [...text.matchAll(codeSpan)].map((match) => match[1] as string)
  names.push(
    ...(text.replace(codeSpan, ' ').match(nameInWords) ?? []).filter((name) => !commonNames.test(name)),
  )
  if (names.length === 0) return true
  const nearby = places.map((place) => place.nearby).join('\n')
  const plainText = foldVariants(nearby).toLowerCase()
  const words = readTextWords(nearby)
  return names.every((name) => {
    if (plainText.includes(name.toLowerCase())) return true
    const terms = listClaimTerms(name)
    return terms.length === 0 || terms.some((term) => weighTerm(term, words) === 1)
  })
}

/**
 * Returns true if the claim and one of its quotes contradict each other, by a denial or by opposite words
 * such as "enabled" and "disabled". A quote in prose contradicts if each of its sentences that best match the
 * claim does. A quote from a program counts only if it is the only quote.
 */
function isDenied(text: string, terms: readonly ClaimTerm[], places: readonly ReadPlace[]): boolean {
  return places.some(({ quote, isProgram }) => {
    if (isProgram) return places.length === 1 && (deniesProgram(text, quote) || isSetOpposite(text, quote))
    const sentences = dropCommentMarks(quote).split(/(?<=[.!?])\s+(?=\P{Ll})|\n\s*\n/u)
    const shared = sentences.map((sentence) => {
      const words = readTextWords(sentence)
      return terms.reduce((sum, term) => sum + weighTerm(term, words), 0)
    })
    const highest = Math.max(...shared)
    const best = sentences.filter((_, i) => shared[i] === highest)
    return best.every((sentence) => isDenialOnOneSide(text, sentence) || areOpposite(text, sentence))
  })
}
