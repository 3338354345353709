// Check whether a claim and the names in its quotes have the same subject. For example, `MaxSessions 10`
// proves nothing about keys.
import { type ClaimTerm, listClaimTerms, readTextWords, weighInNames, weighTerm } from './claim-terms.ts'
import { dropCommentMarks } from './quotation.ts'

/** Stems of words in names of programs that do not name a subject, such as `max` in `maxSessions`. */
const general = new Set(
  `max min default limit siz count num numb tim timeout interval sec second minut hour day week month
year ms valu self cls thi con const let var val def function func fn return if in for els int float
str string bool boolean true false none null undefin nil byt kb mb kib mib percent fix most least
tot static public priv final new typ option opt set setting config conf param arg args kwargs env
export import from class and or not is has get duration delta timedelta raise throw error len length
up down more less than`.split(/\s+/),
)
const isSubject = (stem: string) => stem.length > 1 && !general.has(stem) && !/^\P{L}+$/u.test(stem)

/**
 * Smallest number of letters of an abbreviation in a name, such as `auth` for "authenticate". A shorter one
 * does not count.
 */
const minAbbreviation = 3

/**
 * Returns true if the quote or a comment near it names something that the claim is about, or if the names in
 * the quote are too general to tell. `near` are the lines around the quote.
 */
export function isAboutNames(terms: readonly ClaimTerm[], quotes: string, near: string): boolean {
  const comments = near
    .split('\n')
    .map((line) => ({ line: line.trim(), bare: dropCommentMarks(line).trim() }))
    .filter(({ line, bare }) => line !== bare && !line.startsWith(bare))
    .map(({ bare }) => bare)
  const knownWords = readTextWords([quotes, ...comments].join('\n'))
  const names = [...readTextWords(quotes).stems].filter(isSubject)
  if (names.length === 0) return true
  return terms.filter(({ stems }) => stems.some(isSubject)).some((term) => isNamed(term, knownWords))
}

/** Matches a part before the subject: "by default", or an introduction that ends with a comma. */
const introduction =
  /^(?:by default\b,?|(?:in|on|at|with|without|if|when|after|before|once|during|for|as)\b[^,]*,)\s*/i
const preposition = /^(?:in|on|at|with|without|if|when|after|before|once|during|for|as|by|there)\b/i
/** Matches a quote whose subject is a pronoun, which another sentence explains. */
const pronoun = /(?:^|[.,;:(]\s*|\b(?:if|when|that|and|but)\s+)(?:it|they|this|these|we|you|he|she|i)\b/i
const foreign = /[^\p{ASCII}\P{L}]/u

/**
 * Returns true if the first term of the claim, which usually names its subject, occurs in `context`: the
 * lines around the quote, and the title and path of its source. Also returns true if that cannot be decided:
 * the quotes have a pronoun as a subject, or the claim begins with an introduction without a comma, has
 * letters that English does not use, or has no term.
 */
export function isSubjectNamed(text: string, quotes: string, context: string): boolean {
  const main = text.replace(introduction, '')
  if (preposition.test(main) || pronoun.test(quotes) || foreign.test(text)) return true
  const subject = listClaimTerms(main).find(({ word }) => /\p{L}/u.test(word))
  return subject === undefined || isNamed(subject, readTextWords(context))
}

/** Returns true if a text contains a term, a synonym or abbreviation of it, or a name with it. */
function isNamed(term: ClaimTerm, words: ReturnType<typeof readTextWords>): boolean {
  if (weighTerm(term, words) > 0 || weighInNames(term, words) > 0) return true
  return term.stems.some((stem) => [...words.stems].some((name) => isAbbreviation(name, stem)))
}

const isAbbreviation = (name: string, stem: string) =>
  name.length >= minAbbreviation && name.length < stem.length && stem.startsWith(name)
