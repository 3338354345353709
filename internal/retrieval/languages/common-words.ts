// Weights of words that are common in questions.
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
