// Words of a text for the search terms that were read from it.
import { hasUnspacedScript } from '../base/text/scripts/unspaced-script.ts'
import { extractTerms } from './terms.ts'

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[./_-][\p{L}\p{N}\p{M}]+)*/gu

/**
 * Returns the words of `text` from which `terms` were read, in the order of the terms, each once. A term that
 * comes from no single word of `text` is returned unchanged: a phrase, or a word of a language model.
 */
export function findWholeWords(terms: readonly string[], text: string): string[] {
  const words = (text.normalize('NFC').match(word) ?? []).map((whole) => ({
    whole,
    own: new Set(extractTerms(whole)),
  }))
  // A script without spaces has no whole word around a term.
  const wholeWord = (term: string) =>
    hasUnspacedScript(term) ? term : (words.find(({ own }) => own.has(term))?.whole ?? term)
  return [...new Set(terms.map(wholeWord))]
}
