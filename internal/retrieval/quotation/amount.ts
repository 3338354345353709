// Decision whether a number in a text is an amount of what a question asks for.
import { type AskedKind, measureWords } from './asked-kind.ts'
import type { TextSpan } from './statement-lines.ts'
import type { ValueStatement } from './value-statement.ts'

/** A number in a quote. */
interface QuotedNumber {
  quote: string
  at: number
  /** The number as written. */
  value: string
  statement: Pick<ValueStatement, 'own' | 'isCode'>
  kind: AskedKind
  /**
   * True if the part of the question names the thing that it asks for with "which" or "what", as
   * in "which port".
   */
  isNamed: boolean
  /** True if the part asks for a measure of any kind, as in "how hot", so that every noun is a unit. */
  hasAnyUnit: boolean
  /**
   * True for English questions. Only in English is the noun after a number read, which says what
   * the number counts.
   */
  hasNouns: boolean
  /** Returns true if this range of the quote contains a word of the part of the question. */
  isAsked: (span: TextSpan) => boolean
}

/** Largest number of characters before and after a number that say what it is. */
const contextChars = 60

/** Matches text before a number that makes the number a name: `status 404`, `RFC 6455`, `line 12`, `#34`. */
const label = new RegExp(
  String.raw`(?:\b(?:status(?: codes?)?|codes?|https?|errors?|errno|exit(?:s| codes?| status)?|ports?|` +
    'lines?|versions?|v|rfc|issues?|pull|pr|pages?|sections?|chapters?|steps?|parts?|figure|fig|' +
    String.raw`node(?:\.js)?|python|go|java|php|ruby|rust|es|c\+\+|unicode|utf|iso|sha|md|base|id|no|` +
    String.raw`number)|[#§])[\s\x60:(\[/-]*$`,
  'iu',
)
/** Matches text before a number that is part of a name or a path: `utf-8`, `HTTP/1`. */
const joined = /[\p{L}\p{N}_]-$|\/$|\p{L}\.$|\.\d*$/u
const year = /^(?:19|20)\d\d$/
const beforeYear = /(?:\b(?:in|of|since|by|until|from)|[©,–-]|\(c\)|copyright)\s*$/i
const denial = new RegExp(
  String.raw`\b(?:not|never|instead of|rather than|unlike|previously|formerly|used to be|no longer)\s+` +
    String.raw`(?:(?!more|less|fewer)\w+\s+){0,2}$`,
  'iu',
)
/** Matches the sign of a negative number, which marks an error or a missing value. */
const minus = /(?:^|[^\w)\]])-\s?$/
/** Matches text after "once" in its meaning of "as soon as". */
const asSoonAs = /^\s+(?!per|an?\b|every|each|in\b|daily|only|at\b)\p{L}/u

/**
 * Returns true if the number is an amount: it does not name something, such as a status or a year, it is not
 * denied, and it counts or measures what the part asks for. If the part asks for a named number, as in "which
 * port", any number in digits without a noun after it counts.
 */
export function isAmount(number: QuotedNumber): boolean {
  const { quote, at, value, statement, kind, isAsked } = number
  const before = quote.slice(Math.max(statement.own.from, at - contextChars), at)
  const isIndex = statement.isCode && /\[\s*$/.test(before) && quote[at + value.length] === ']'
  if (denial.test(before) || isIndex) return false
  if (kind === 'number' && number.isNamed) return /^\d/.test(value) && nounsAfter(number).length === 0
  const named = label.exec(before)
  if (named && !isAsked({ from: at - (before.length - named.index), to: at })) return false
  if (joined.test(before) || (kind !== 'value' && minus.test(before))) return false
  if (year.test(value) && !statement.isCode && beforeYear.test(before)) return false
  if (kind === 'count' && /^(?:never|always|forever|eternal|half)$/i.test(value)) return false
  if (/^once$/i.test(value) && asSoonAs.test(quote.slice(at + value.length))) return false
  if (statement.isCode && isPositional(number)) return false
  return countsAsked(number)
}

/**
 * Returns true if the noun or the unit after the number fits the part. A number without a noun fits any part,
 * but a duration needs a unit near it.
 */
function countsAsked(number: QuotedNumber): boolean {
  const { quote, at, value, statement, kind, isAsked } = number
  const nouns = statement.isCode || !number.hasNouns ? [] : nounsAfter(number)
  if (nouns.length === 0) {
    const { from, to } = statement.own
    const context = quote.slice(
      Math.max(from, at - contextChars),
      Math.min(to, at + value.length + contextChars),
    )
    return kind !== 'duration' || measureWords.test(context)
  }
  const isUnit =
    number.hasAnyUnit ||
    (kind !== 'count' && measureWords.test(`${value} ${quote.slice(nouns[0]?.from, nouns[0]?.to)}`))
  return isUnit || nouns.some(isAsked)
}

/** Words after a number that are not the noun that it counts. */
const noNoun = new RegExp(
  '^(?:and|or|of|per|in|for|to|the|a|an|at|by|with|is|are|was|were|be|if|when|then|but|from|on|as|than|' +
    'that|which|after|before|until|times?|through|up|down|only|more|fewer|less|so|while|unless|can|may|' +
    String.raw`will|must|should|it|this|these|und|oder|pro|et|ou|par|y|o|por|\w+ly)$`,
  'iu',
)
const maxNouns = 3

/** Returns up to three words after the number, until punctuation or a word that cannot belong to the noun. */
function nounsAfter({ quote, at, value, statement }: QuotedNumber): TextSpan[] {
  const start = at + value.length
  const after = quote.slice(start, Math.min(statement.own.to, start + contextChars))
  const out: TextSpan[] = []
  if (!/^[\s`'"*_]*\p{L}/u.test(after)) return out
  for (const { index, 0: match, groups } of after.matchAll(/(?<word>\p{L}[\p{L}\p{N}_-]*)[^\p{L}\p{N}]*/gu)) {
    const word = groups?.word ?? ''
    if (noNoun.test(word)) break
    out.push({ from: start + index, to: start + index + word.length })
    if (out.length === maxNouns || !/^[\s`'"*]*$/.test(match.slice(word.length))) break
  }
  return out
}

const textInCode = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|(?:\/\/|#|\/\*).*$/gm

/**
 * Returns true for one of several arguments of a call, unless a text or a comment in the line says what the
 * arguments are for.
 */
function isPositional({ quote, at, statement: { own: ownSpan }, isAsked }: QuotedNumber): boolean {
  const isLater = /\w\s*\([^()]*,\s*[-+]?$/.test(quote.slice(ownSpan.from, at))
  const isFirst =
    /\w\s*\([-+]?$/.test(quote.slice(ownSpan.from, at)) && /^[\w.]+\s*,/.test(quote.slice(at, ownSpan.to))
  if (!isLater && !isFirst) return false
  return ![...quote.slice(ownSpan.from, ownSpan.to).matchAll(textInCode)].some(({ index, 0: text }) =>
    isAsked({ from: ownSpan.from + index, to: ownSpan.from + index + text.length }),
  )
}
