// Words of a question in scripts without spaces, and in scripts whose words have several forms
// that are compared.

import { isForeignWeakWord } from '../../base/text/scripts/foreign-words.ts'
import {
  foldVariants,
  listBigrams,
  segmentWords,
  splitScriptRuns,
  withoutOkurigana,
} from '../../base/text/scripts/unspaced-script.ts'
import { hasWordForms, listWordForms } from '../../base/text/scripts/word-forms.ts'
import { isSmallWord, type QuestionLanguage } from '../language.ts'

/**
 * Weight of two neighboring characters of a word, which are a term too. They also match texts that write the
 * word in another way.
 */
const pairWeight = 0.4
/** Weight of a word that is common in questions and so says little about the subject. */
const weakWeight = 0.25
/** Weight of a single character, which is low because it occurs in many words. */
const singleWeight = 0.5

/** Term of a question in a script without spaces or in one whose words have several forms. */
interface ForeignTerm {
  word: string
  stem: string
  weight: number
  isName: false
  isCompound: false
  script: 'unspaced' | 'forms'
  forms?: readonly string[]
}

/** A piece of a word that is written in one script, and how to search for it. */
interface ScriptToken {
  text: string
  script: 'unspaced' | 'forms' | undefined
}

const formed = String.raw`\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}`
const formRuns = new RegExp(`[${formed}][${formed}\\p{M}\\u200c\\u200d]*`, 'gu')

/** Splits a token where its script changes: `Redis의` is a name and a particle. */
export function splitToken(token: string): ScriptToken[] {
  if (!/[\u0530-\uffff]/.test(token)) return [{ text: token, script: undefined }]
  const out: ScriptToken[] = []
  const push = (text: string) => {
    const bare = text.replace(/^[.:/-]+|[.:/-]+$/g, '')
    if (bare !== '') out.push({ text: bare, script: hasWordForms(bare) ? 'forms' : undefined })
  }
  for (const { text, isUnspaced } of splitScriptRuns(token)) {
    if (isUnspaced) {
      out.push({ text, script: 'unspaced' })
      continue
    }
    let from = 0
    for (const { 0: run, index } of text.matchAll(formRuns)) {
      push(text.slice(from, index))
      push(run)
      from = index + run.length
    }
    push(text.slice(from))
  }
  return out
}

/**
 * Returns the terms of a piece in a script without spaces or in one whose words have several forms, so not in
 * Latin, Greek or Cyrillic letters. Small words such as articles give no term, and neither does a single
 * letter of a script whose words have several forms.
 */
export function termsOfForeign({ text, script }: ScriptToken, language: QuestionLanguage): ForeignTerm[] {
  return script === 'unspaced' ? termsOfUnspaced(text, language) : termsOfForms(text, language)
}

function termsOfUnspaced(run: string, language: QuestionLanguage): ForeignTerm[] {
  const out: ForeignTerm[] = []
  const add = (word: string, weight: number) =>
    out.push({ word, stem: word, weight, isName: false, isCompound: false, script: 'unspaced' })
  for (const { word: segment } of segmentWords(foldVariants(run))) {
    if (isSmallWord(segment, language)) continue
    const word = withoutOkurigana(segment)
    if (isSmallWord(word, language)) continue
    // Short runs of hiragana are mostly grammar, so they get a low weight.
    const isWeak =
      /^\p{sc=Hira}{1,3}$/u.test(segment) || isForeignWeakWord(segment) || isForeignWeakWord(word)
    add(word, isWeak ? weakWeight : word.length === 1 ? singleWeight : 1)
    for (const pair of listBigrams(word)) if (!isSmallWord(pair, language)) add(pair, pairWeight)
  }
  return out
}

function termsOfForms(word: string, language: QuestionLanguage): ForeignTerm[] {
  const forms = listWordForms(word)
  const [folded = word] = forms
  const isSmall =
    isSmallWord(word.normalize('NFC'), language) ||
    isSmallWord(folded, language) ||
    // A Korean word counts as a small word with an ending if it has three or more syllables: 무엇인가요 does,
    // 수도 does not.
    (folded.length >= 3 && /^\p{sc=Hang}/u.test(folded) && forms.some((form) => isSmallWord(form, language)))
  if (isSmall || folded.length < 2) return []
  const isShort = forms.some((form) => form.length === 1)
  const weight =
    isForeignWeakWord(folded) || forms.some(isForeignWeakWord) ? weakWeight : isShort ? singleWeight : 1
  return [{ word, stem: folded, weight, isName: false, isCompound: false, script: 'forms', forms }]
}
