// Conversion of a text from a user or a model into a full-text query, which is always valid.

import { hasUnspacedScript, segmentWords, splitScriptRuns } from '../../base/text/scripts/unspaced-script.ts'
import { listWordBeginnings } from '../../base/text/scripts/word-forms.ts'
import { spaceCharacters } from './index-text.ts'

/** Words that say nothing about a subject. They are removed from a query that has other words. */
const common: ReadonlySet<string> = new Set(
  `a about all an and any are as at be been but by can could did do does find for from had has have how i
   if in into is it its me my no not of on or our should so that the their them then there these they this
   to was we were what when where which who why will with would you your`.split(/\s+/),
)

/**
 * Returns the distinct terms of a query, at most 16: words, and phrases in double quotes. Case does
 * not distinguish terms. Common words are removed if other terms remain, and terms without a letter
 * or digit always.
 */
export function parseQueryTerms(query: string): string[] {
  const allTerms: string[] = []
  for (const [, quoted, word] of query.normalize('NFC').matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const terms = quoted === undefined ? cutUnspaced(word ?? '') : [quoted.trim()]
    // The index contains only letters and digits, so a term without any of them would match nothing.
    allTerms.push(...terms.filter((term) => /[\p{L}\p{N}]/u.test(term)))
  }
  const unique = [...new Map(allTerms.map((term) => [term.toLowerCase(), term])).values()]
  const telling = unique.filter((term) => !common.has(term.toLowerCase()))
  return (telling.length > 0 ? telling : unique).slice(0, 16)
}

/** Splits an unquoted part of a query into words where its script has no spaces between words. */
function cutUnspaced(word: string): string[] {
  if (!hasUnspacedScript(word)) return [word.trim()]
  return splitScriptRuns(word).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? segmentWords(text).map((one) => one.word) : [text],
  )
}

/**
 * Returns one term in the query language of the index: as a phrase, or, if `listWordBeginnings` returns
 * beginnings of its written forms, as these beginnings.
 */
export function quotePhrase(term: string): string {
  const beginnings = listWordBeginnings(term)
  if (beginnings.length > 0) return `(${beginnings.map((one) => `"${one}" *`).join(' OR ')})`
  return `"${spaceCharacters(term).replaceAll('"', ' ').replaceAll('\0', ' ').trim()}"`
}

/**
 * Returns a query for events that contain all or any of the terms of `parseQueryTerms`, have all scopes in
 * `within` and none of those in `except`.
 */
export function buildMatchQuery(
  terms: readonly string[],
  mode: 'all' | 'any',
  within: readonly string[],
  except: readonly string[],
): string {
  const words = `text : (${terms.map(quotePhrase).join(mode === 'all' ? ' AND ' : ' OR ')})`
  const inside = within.map((token) => `scope : "${token}" AND `).join('')
  const outside = except.map((token) => ` NOT scope : "${token}"`).join('')
  return `(${inside}${words})${outside}`
}
