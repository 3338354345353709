// Search terms of a question, which are the words that a search looks for.
import { isForeignSmallWord } from '../base/text/scripts/foreign-words.ts'
import {
  foldVariants,
  hasUnspacedScript,
  segmentWords,
  splitScriptRuns,
  withoutOkurigana,
} from '../base/text/scripts/unspaced-script.ts'
import { bareForm, hasWordForms, listWordForms } from '../base/text/scripts/word-forms.ts'

/** Words that say nothing about the subject of a search. */
const stopWords = new Set(
  `a about above after again against all also although always am among an and another any anyone anything
  are as at be because been before being below between both but by can cannot could did do does doing done
  down during each either else enough ever every few for from further get gets give given gives goes had
  has have having he her here hers him his how however if in into is it its itself just know let like many
  may maybe me might mine more most much must my neither never no nobody none nor not nothing now of off
  often on once one only onto or other others our out over own per please rather same say says shall she
  should show since so some somebody someone something such tell than that the their them themselves then
  there therefore these they this those though through thus to together too toward under until up upon us
  use used uses using very via was way we well were what whatever when where whether which while who
  whoever whom whose why will with within without would yes yet you your yours explain describe find list
  please unless otherwise taken told asked`.split(/\s+/),
)

const quoted = /"([^"\n]{3,})"|“([^”\n]{3,})”|`([^`\n]{3,})`|(?<=^|[\s(])'([^'\n]{3,})'(?=$|[\s).,;:?!])/gu
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[./_-][\p{L}\p{N}\p{M}]+)*/gu

/** Returns a text in the form in which terms are compared: NFC and lower case. */
export const foldText = (text: string): string => text.normalize('NFC').toLowerCase()

/**
 * Returns the terms of `text` in lower case, in order, each once. Quoted phrases stay whole. A word with an
 * inner `.`, `/`, `_`, `-` or in camel case stays whole and is also split; plain words lose a final -s or
 * -es. Stop words and short words, such as Latin ones under three letters, are dropped.
 */
export function extractTerms(text: string): string[] {
  const clean = text.normalize('NFC')
  const termMatches: [at: number, term: string][] = []
  const rest = clean.replace(quoted, (whole: string, ...groups: unknown[]) => {
    const phrase = groups.slice(0, 4).find((group) => typeof group === 'string') as string
    termMatches.push([groups[4] as number, foldText(phrase.trim())])
    return ' '.repeat(whole.length)
  })
  for (const match of rest.matchAll(word)) {
    for (const run of splitScriptRuns(match[0])) {
      const terms = run.isUnspaced ? splitUnspaced(run.text) : splitWord(run.text)
      for (const term of terms) termMatches.push([match.index + run.index, term])
    }
  }
  termMatches.sort((a, b) => a[0] - b[0])
  return [...new Set(termMatches.map(([, term]) => term))].filter((term) => !isIdle(term))
}

/**
 * Splits text that is written without spaces into words. Short words in hiragana are dropped, because
 * they are grammar.
 */
const splitUnspaced = (run: string): string[] =>
  segmentWords(foldVariants(run))
    .filter(({ word }) => !isForeignSmallWord(word) && !/^\p{sc=Hira}{1,2}$/u.test(word))
    .map(({ word }) => withoutOkurigana(word))

/**
 * Returns a word in its basic form, or a name in code with its parts. The list is empty for a small word
 * of another language.
 */
function splitWord(text: string): string[] {
  const parts = text.split(/[./_-]|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
  if (hasWordForms(text)) return isForeignSmallWord(foldText(text)) ? [] : [bareForm(text)]
  const whole = foldText(text)
  return parts.length === 1
    ? [toSingular(whole)]
    : [whole, ...parts.map((part) => toSingular(foldText(part)))]
}

/** Removes a plain ending -s or -es. So the term of `decides` also finds decide, decided and decider. */
function toSingular(word: string): string {
  if (/^\p{Ll}{2,}(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2)
  return /^\p{Ll}{3,}[^\W\dsui]s$/u.test(word) ? word.slice(0, -1) : word
}

/**
 * Returns true if a term is too short. Two letters are enough in a script other than Latin, and one
 * Chinese character is.
 */
const isShort = (term: string) =>
  term.length < 3 && !/^\p{sc=Han}/u.test(term) && !(term.length === 2 && /[\u0100-\uffff]/.test(term))

const isIdle = (term: string) => isShort(term) || stopWords.has(term) || isForeignSmallWord(term)

/**
 * Returns which of the terms `terms` are in `text`, which need not be in lower case. A term has to begin
 * where a word begins, also inside camelCase: `dies` is in `it dies` and `onceItDies`, and not in `studies`.
 * The word may continue after it. A term in a script without spaces may be anywhere, so that particles do
 * not hide it.
 */
export function findTerms(text: string, terms: readonly string[]): string[] {
  const clean = text.normalize('NFC')
  const folded = clean.toLowerCase()
  // A few letters change their length when their case changes. Positions would then not match the original,
  // so the folded text is used.
  const original = folded.length === clean.length ? clean : folded
  const forms = terms.some(hasWordForms) ? formsIn(clean) : undefined
  const unspaced = terms.some(hasUnspacedScript) ? foldVariants(clean) : ''
  return terms.filter((term) => {
    if (hasUnspacedScript(term)) return unspaced.includes(term)
    if (forms && hasWordForms(term)) return listWordForms(term).some((form) => forms.has(form))
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + 1)) {
      if (at === 0 || isWordStart(original, at)) return true
    }
    return false
  })
}

const formsIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[\p{L}\p{M}]+/gu) ?? []).filter(hasWordForms).flatMap(listWordForms))

/**
 * Returns true if a word begins at `at`: the previous character is not a letter, or the case changes
 * as in camelCase.
 */
function isWordStart(text: string, at: number): boolean {
  return /^(?:[^\p{L}\p{M}]|\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll}))/u.test(text.slice(at - 1, at + 2))
}

/**
 * Returns how similar two lists of terms are: the size of their intersection divided by that of their union;
 * 0 for two empty lists.
 */
export const termSimilarity = (a: readonly string[], b: readonly string[]): number =>
  setSimilarity(new Set(a), new Set(b))

/** Returns how similar two sets are, for callers that compare one set with many. */
export function setSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let both = 0
  for (const item of small) if (large.has(item)) both++
  const all = a.size + b.size - both
  return all === 0 ? 0 : both / all
}

/**
 * Returns the largest value that `setSimilarity` can have for sets of these sizes. This one division
 * avoids most comparisons.
 */
export const maxSimilarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  Math.min(a.size, b.size) / Math.max(1, a.size, b.size)

/**
 * Returns the words of `text` from which `terms` were read, in the order of the terms, each once. A term
 * is returned unchanged if it comes from no single word of `text`, as a phrase does, or if its script
 * has no spaces.
 */
export function findWholeWords(terms: readonly string[], text: string): string[] {
  const words = (text.normalize('NFC').match(word) ?? []).map((whole) => ({
    whole,
    own: new Set(extractTerms(whole)),
  }))
  // A script without spaces has no whole word around a term.
  const wholeWord = (term: string) =>
    hasUnspacedScript(term) ? term : (words.find(({ own: wordTerms }) => wordTerms.has(term))?.whole ?? term)
  return [...new Set(terms.map(wholeWord))]
}
