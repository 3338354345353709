// Scanner for terms of a question in scripts without spaces, and in scripts whose words have
// particles and endings.
import { foldVariants } from '../../base/text/scripts/unspaced-script.ts'
import { listWordForms } from '../../base/text/scripts/word-forms.ts'

/** Occurrence of a term, as the term scanner returns it. */
interface TermPlace {
  at: number
  term: number
  weight: number
}

type ScanTerms = (text: string, take: (place: TermPlace) => void) => void

interface ScriptTerm {
  word: string
  script?: 'unspaced' | 'forms'
  forms?: readonly string[]
}

/** Weight of a match that is a part of a longer word, or a single syllable. */
const partWeight = 0.4

/** Matches words of scripts with spaces. Latin letters and digits have a separate scanner. */
const words = new RegExp(
  String.raw`[\u0530-\u0e00\u0e80-\u2fff\ua000-\udfff\ufb1d-\ufdff\ufe70-\ufeff]` +
    String.raw`(?:[\p{L}\p{M}\u200c\u200d](?<![\p{sc=Latn}\p{sc=Cyrl}]))*`,
  'gu',
)

/**
 * Largest number of distinct words whose matches one scanner caches. Matches of further words are
 * computed each time.
 */
const maxRemembered = 20_000

/**
 * Returns a scanner that finds in a text those words of a question that have a `script`; undefined if no
 * word has one.
 */
export function createScriptScanner(terms: readonly ScriptTerm[]): ScanTerms | undefined {
  const unspaced = terms.flatMap(({ word, script }, term) => (script === 'unspaced' ? [{ word, term }] : []))
  const formed = terms.flatMap(({ forms }, term) => (forms ? [{ forms, term }] : []))
  if (unspaced.length === 0 && formed.length === 0) return undefined
  const scanForms = formed.length > 0 ? createFormScanner(formed) : undefined
  return (text, take) => {
    if (!/[\u0530-\uffff]/.test(text)) return
    scanForms?.(text, take)
    const folded = unspaced.length > 0 ? foldVariants(text) : text
    for (const { word, term } of unspaced) {
      for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
        // A mark after the match belongs to its last syllable, so the syllable is another one.
        if (/\p{M}/u.test(folded.charAt(at + word.length))) continue
        take({ at, term, weight: isInsideKatakana(folded, at) ? partWeight : 1 })
      }
    }
  }
}

const katakana = /[\u30a1-\u30fa\u30fc]/

/** Returns true if the match begins inside a katakana word. ポート in パスポート, for example, is another word. */
const isInsideKatakana = (text: string, at: number): boolean =>
  at > 0 && katakana.test(text.charAt(at)) && katakana.test(text.charAt(at - 1))

type FormedTerm = { forms: readonly string[]; term: number }
type WordMeaning = readonly Omit<TermPlace, 'at'>[]

function createFormScanner(formed: readonly FormedTerm[]): ScanTerms {
  const meaningsByWord = new Map<string, WordMeaning>()
  const meaningOf = (word: string): WordMeaning => {
    const cached = meaningsByWord.get(word)
    if (cached) return cached
    const forms = listWordForms(word)
    const meaning = formed.flatMap(({ forms: termForms, term }) => {
      const weight = matchForms(forms, termForms)
      return weight > 0 ? [{ term, weight }] : []
    })
    if (meaningsByWord.size < maxRemembered) meaningsByWord.set(Buffer.from(word).toString(), meaning)
    return meaning
  }
  return (text, take) => {
    for (const { 0: word, index } of text.matchAll(words))
      for (const meaning of meaningOf(word)) take({ at: index, ...meaning })
  }
}

/**
 * Returns the weight with which a word of the text matches a term. Each has several possible forms. The
 * weight is 1 for a shared form of two or more letters, for equal first forms, and for a word that begins
 * with a term of one form and three or more letters. It is less for another shared form or a Korean
 * compound, else 0.
 */
function matchForms(forms: readonly string[], termForms: readonly string[]): number {
  const common = forms.filter((form) => termForms.includes(form))
  if (common.length > 0) {
    const isSure = common.some((form) => form.length > 1) || forms[0] === termForms[0]
    return isSure ? 1 : partWeight
  }
  const [word = ''] = forms
  // A Korean compound contains the term anywhere. In other languages without special rules, words only get
  // endings, so the beginnings are compared.
  if (/^\p{sc=Hang}/u.test(word)) {
    return termForms.some((form) => form.length >= 2 && word.includes(form)) ? partWeight : 0
  }
  const [termForm = ''] = termForms
  return termForms.length === 1 && termForm.length >= 3 && word.startsWith(termForm) ? 1 : 0
}
