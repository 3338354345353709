// Weights of words that are common in questions, and phrases of questions that mean the same as one word.
import { isForeignWeakWord } from '../../base/text/scripts/foreign-words.ts'
import type { StemWord } from '../language.ts'

/** Words that are common in questions and say little about their subject. */
const weak = new Set(
  `work happen mean possible way thing kind sort handle make need want behave behaviour behavior come go call
  called take look see know help try purpose difference different differ differs exactly actually default
  happens reason case change configure set setting option value used using allow allowed support supported
  many long much detail currently current usually available right correct certain specific provide particular
  funktionieren passieren möglich bedeuten machen arbeiten einstellen wert
  fonctionner passer possible faire utiliser valeur
  funcionar pasar posible hacer usar valor`.split(/\s+/),
)
/** Words that are common in questions, but say something about their subject. */
const halfWeak = new Set([
  'default',
  'option',
  'setting',
  'support',
  'supported',
  'allow',
  'allowed',
  'change',
])

const weakShare = 0.25
const halfWeakShare = 0.6

interface CommonStems {
  weak: ReadonlySet<string>
  half: ReadonlySet<string>
}

/** Stems of the common words by the stemmer of the language, because every form of a word is as common. */
const stemsOf = new WeakMap<StemWord, CommonStems>()

interface WordForm {
  /** The infinitive of a verb with irregular forms; else the word itself. */
  verb: string
  /** True if the word is a noun. Then only words that are listed in this form are common. */
  isNoun: boolean
  stem: StemWord
  /** Returns the stem in the form in which words are compared. */
  stemOf: (word: string) => string
}

/** Returns the factor for the weight of a word in lower case: 1 unless the word is common in questions. */
export function weighCommonWord(lower: string, { verb, isNoun, stem, stemOf }: WordForm): number {
  if (halfWeak.has(lower)) return halfWeakShare
  if (weak.has(lower) || isForeignWeakWord(lower)) return weakShare
  if (isNoun) return 1
  const stems = stemsOf.get(stem) ?? {
    weak: new Set([...weak].map(stemOf)),
    half: new Set([...halfWeak].map(stemOf)),
  }
  stemsOf.set(stem, stems)
  const verbStem = stemOf(verb)
  return stems.half.has(verbStem) ? halfWeakShare : stems.weak.has(verbStem) ? weakShare : 1
}

const determiner = /\b(?:the|an?|its|their|his|her|my|your|our|this|these|those|many) $/i

/**
 * Returns true if a word such as "its" precedes the index `at`. The next word is a noun then: "its use" says
 * something about the subject, while "does it use" does not.
 */
export const isAfterDeterminer = (text: string, at: number): boolean => determiner.test(text.slice(0, at))

/**
 * Groups of words with the meaning of one word. They are replaced by that word, because texts
 * use either form.
 */
const phrases: readonly [RegExp, string][] = [
  [/\b(?:turn|switch)(?:s|ed|ing)? ((?:\S+ ){0,2}?)off\b/gi, 'disable $1'],
  [/\b(?:turn|switch)(?:s|ed|ing)? ((?:\S+ ){0,2}?)on\b/gi, 'enable $1'],
  [/\b(?:tr(?:y|ies|ied|ying)) ((?:\S+ ){0,2}?)again\b/gi, 'retry $1'],
  [/\b(?:shut|shuts|shutting) ((?:\S+ ){0,2}?)down\b/gi, 'shutdown $1'],
  [/\b(?:log|logs|logged|logging|sign|signs|signed|signing) in\b/gi, 'login'],
  [/\b(?:get|gets|getting|got) rid of\b/gi, 'remove'],
  [/\bhow (wide|tall|heavy)\b/gi, '$1'],
  [/\b(?:symbolic|soft) links?\b/gi, 'symlink'],
  [/\bthr(?:ow|ows|owing|ew|own) ((?:\S+ ){0,2}?)away\b/gi, 'discard $1'],
  [/\b(?:leav(?:e|es|ing)|left) ((?:\S+ ){0,2}?)out\b/gi, 'exclude $1'],
  [/\b(?:bring(?:s|ing)?|brought) ((?:\S+ ){0,2}?)back\b/gi, 'restore $1'],
  [/\b(?:carr(?:y|ies|ied|ying)|go(?:es|ing)?|went) on\b/gi, 'continue'],
  [/\bphas(?:e|es|ed|ing) ((?:\S+ ){0,2}?)out\b/gi, 'deprecate $1'],
  [/\bkick(?:s|ed|ing)? ((?:\S+ ){0,2}?)out\b/gi, 'evict $1'],
  [/\bturn(?:s|ed|ing)? ((?:\S+ ){1,2}?)into\b/gi, 'convert $1'],
  [/\bside by side\b/gi, 'parallel'],
  [/\b(?:of|with) (?:zero|no) length\b|\bzero[- ]length\b/gi, 'empty'],
  [/\bon (?:its|their|my) own\b/gi, 'automatically'],
]

/** Returns the question with one word in place of each phrase. */
export const joinPhrases = (question: string): string =>
  phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), question)
