// Words of a question: weighted stems, names as a whole and in their parts, synonyms, and the kind of answer
// that the question wants.

import { foldVariants } from '../base/text/scripts/unspaced-script.ts'
import { splitQuestion } from '../text-analysis/facets.ts'
import { listSynonymGroups } from './field-synonyms.ts'
import {
  guessLanguage,
  isSmallWord,
  keepWord,
  loadStemmer,
  type QuestionLanguage,
  removeAccents,
  type StemWord,
} from './language.ts'
import { isAfterDeterminer, joinPhrases, weighCommonWord } from './languages/common-words.ts'
import { splitToken, termsOfForeign } from './languages/foreign-terms.ts'
import { listVerbForms } from './languages/irregular-verbs.ts'
import {
  capabilityWords,
  isYesNoQuestion,
  listDeniedWords,
  listMeasureWords,
  readImpliedWords,
  readWantedAnswer,
  type WantedAnswer,
  wantedAmount,
} from './languages/wanted-answer.ts'

/** A word of the question that is counted in passages. */
interface QuestionTerm {
  /** The word as it is written in the question, or a word that the question implies. */
  word: string
  /**
   * Stem in lower case without accents. For a name with several words: all words in lower
   * case, without separators.
   */
  stem: string
  /**
   * Weight from 0 to 1. It is 1 for a plain word and for a name of several words, and less for the parts of a
   * name, words with hyphens, words that are common in questions, and examples.
   */
  weight: number
  /** True if the word looks like a name and so has no synonyms. */
  isName: boolean
  /**
   * True if the word matches a whole identifier such as `maxParamLength`, with any separators
   * between its words.
   */
  isCompound: boolean
  /**
   * How a word in another script is found: `unspaced` without spaces between words, `forms` by the list in
   * `forms`. Default: by its stem, as with Latin letters.
   */
  script?: 'unspaced' | 'forms'
  /** Forms of a word in a script with particles and endings. */
  forms?: readonly string[]
  /** Stems of irregular forms of the same verb, which count like the word. Default: none. */
  inflected?: readonly string[] | undefined
  /** Stems of synonyms, which count less than the word. */
  synonyms: readonly string[]
  /** Index of the first part of the question that contains the word. */
  part: number
  /** Indices of the other parts that contain the word. */
  also: readonly number[]
  /** True if the question denies the word, as in "without a key". */
  isDenied?: boolean
}

export interface ParsedQuestion {
  language: QuestionLanguage
  terms: readonly QuestionTerm[]
  /**
   * The parts of the question, which ask for separate things and have terms; the whole question if no part
   * has terms. Phrases such as "turn off" are replaced by one word.
   */
  parts: readonly string[]
  /** Indices of the parts that want a yes or a no. */
  yesNo: ReadonlySet<number>
  /**
   * For each part, the kind of amount that its answer has to contain; undefined for a part that asks
   * for no amount.
   */
  amounts: readonly WantedAnswer['amount'][]
  stem: StemWord
  /** Kind of answer that the question wants. */
  wants: WantedAnswer
}

/**
 * Factor for the weight of words that an answer seldom repeats: words for ability in yes-or-no questions, and
 * words for a measure or a comparison.
 */
const lightShare = 0.25

/**
 * Matches the start of an example or an earlier question in brackets, which counts less than
 * the question itself.
 */
const example = new RegExp(
  String.raw`\(also: |\b(?:such as|for (?:example|instance)|e\.g\.|zum Beispiel|z\. ?B\.|par exemple|` +
    String.raw`por ejemplo)(?!\p{L})`,
  'iu',
)
const exampleShare = 0.4

/** Matches words whose suffix changes the meaning: positional and position are not the same. */
const derived = /(?:al|ally|able|ably|less|ful|ness|ity|ism|ist|ous)$/i

/**
 * Returns true if the term may have synonyms. False for names, words that are not in Latin letters, and
 * derived words such as "positional" that no group of synonyms lists.
 */
function hasSynonyms({ word, isName, isCompound, script }: Omit<QuestionTerm, 'synonyms' | 'also'>): boolean {
  if (isName || isCompound || script !== undefined) return false
  return !derived.test(word) || listSynonymGroups().some((group) => group.includes(word.toLowerCase()))
}

const token = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*(?:[.:/-]{1,2}[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*)*/gu
const pieces = /[\p{Lu}]+(?![\p{Ll}])[\p{N}]*|[\p{Lu}]?[\p{Ll}\p{Lo}\p{M}]+[\p{N}]*|[\p{N}]+/gu

/**
 * Matches words of measure after "how". They determine the kind of the answer, but a text with the answer
 * does not repeat them.
 */
const measure = new RegExp(
  String.raw`\b(how|wie) (?:long|many|much|large|big|often|soon|fast|high|deep|old|lange|viele?|` +
    String.raw`groß|oft|hoch|schnell)\b`,
  'gi',
)
/**
 * Matches phrases for the searched project, such as "this repository". The files of the project
 * seldom use them.
 */
const searched = new RegExp(
  [
    String.raw`\b(?:these|those|this) (?:papers?|articles?|documents?|files?|texts?|notes|folder)\b`,
    String.raw`\b(?:these|those|this) (?:director(?:y|ies)|repo|repositor(?:y|ies)|project|code ?base)\b`,
    String.raw`\bdiese[nrsm]? (?:Texte?n?|Dokumente?n?|Dateie?n?|Artikel|Ordner|Projekt)\b`,
    String.raw`\bce(?:s|tte|t)? (?:articles?|documents?|fichiers?|textes?|dépôt|projet|dossier)\b`,
    String.raw`\best(?:os|as|e|a) (?:artículos?|documentos?|archivos?|textos?|repositorio|proyecto)\b`,
  ].join('|'),
  'giu',
)
/** Parses the question: guesses its language, removes small words, and counts a repeated word once. */
export async function parseQuestion(question: string): Promise<ParsedQuestion> {
  const clean = joinPhrases(foldVariants(question.normalize('NFC')))
  const words = (clean.match(token) ?? []).map((word) => word.toLowerCase())
  const language = guessLanguage(words)
  const stem = await loadStemmer(language)
  const synonyms = synonymsOf(stem)
  const split = splitQuestion(clean)
  const parts = split.length > 0 ? split : [clean]
  const terms: QuestionTerm[] = []
  const add = (term: Omit<QuestionTerm, 'synonyms' | 'also'>) => {
    const sameTerm = terms.find((one) => one.stem === term.stem)
    const termSynonyms = hasSynonyms(term) ? (synonyms.get(term.stem) ?? []) : []
    if (!sameTerm) terms.push({ ...term, also: [], synonyms: termSynonyms })
    else {
      sameTerm.weight = Math.max(sameTerm.weight, term.weight)
      if (sameTerm.part !== term.part) sameTerm.also = [...new Set([...sameTerm.also, term.part])]
    }
  }
  const yesNo = new Set<number>()
  for (const [part, text] of parts.entries()) {
    const isYesNo = isYesNoQuestion(text, language)
    if (isYesNo) yesNo.add(part)
    const { text: plain, implied } = readImpliedWords(text)
    const telling = plain.replace(measure, '$1').replace(searched, '')
    const denied = new Set(listDeniedWords(telling))
    const at = telling.search(example)
    const exampleAt = at < 0 ? telling.length : at
    const measures = new Set(listMeasureWords(plain))
    for (const [i, match] of [...telling.matchAll(token)].entries()) {
      const tokenTerms = splitToken(match[0]).flatMap((token) =>
        token.script === undefined
          ? termsOfToken(token.text, i === 0, {
              language,
              stem,
              isNoun: isAfterDeterminer(telling, match.index),
            })
          : termsOfForeign(token, language),
      )
      const lower = match[0].toLowerCase()
      const isLight = measures.has(lower) || (isYesNo && capabilityWords.has(lower))
      const share = match.index >= exampleAt ? exampleShare : 1
      const isDenied = denied.has(lower) || undefined
      for (const term of tokenTerms)
        add({ ...term, weight: Math.min(term.weight * share, isLight ? lightShare : 1), part, isDenied })
    }
    for (const { word, weight } of implied) {
      const impliedTerm = { word, stem: foldWord(word, stem), isName: false, isCompound: false }
      if (!terms.some((term) => term.stem === impliedTerm.stem)) add({ ...impliedTerm, weight, part })
    }
  }
  return {
    language,
    terms,
    parts,
    yesNo,
    amounts: parts.length > 1 ? parts.map(wantedAmount) : [wantedAmount(clean)],
    stem,
    wants: readWantedAnswer(clean),
  }
}

type BareTerm = Omit<QuestionTerm, 'synonyms' | 'part' | 'also'>

/**
 * Returns the term of a plain word, or the terms of a name: the whole name and its parts. Single letters, and
 * small words that do not look like names, give no term.
 */
function termsOfToken(
  word: string,
  isFirst: boolean,
  { language, stem, isNoun }: { language: QuestionLanguage; stem: StemWord; isNoun: boolean },
): BareTerm[] {
  const wordPieces = word.match(pieces) ?? []
  const plain = (text: string, weight: number, isName: boolean): BareTerm[] => {
    const lower = text.toLowerCase()
    if (lower.length < 2 && !/\d/.test(lower)) return []
    if (isSmallWord(lower, language) && !isName) return []
    const [verb = lower, ...forms] = language === 'en' && !isName ? listVerbForms(lower) : []
    const share = weighCommonWord(lower, { verb, isNoun, stemOf: (one) => foldWord(one, stem), stem })
    const inflected = forms.length > 0 ? forms.map((form) => foldWord(form, stem)) : undefined
    const bareTerm = { word: text, stem: foldWord(verb, stem), inflected, isName, isCompound: false }
    return [{ ...bareTerm, weight: weight * share }]
  }
  if (wordPieces.length <= 1) {
    // Capitals in the middle of a sentence, words in capitals, and digits mark names. German also
    // capitalizes every noun.
    const isUpper = /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(word)
    const isProper = /^\p{Lu}\p{Ll}+/u.test(word) && !isFirst && language !== 'de'
    return plain(word, 1, isUpper || isProper || /\d/.test(word))
  }
  const isPlainHyphen = /^\p{Ll}+(?:-\p{Ll}+)+$/u.test(word)
  const whole: BareTerm = {
    word,
    stem: wordPieces.map((piece) => removeAccents(piece.toLowerCase())).join(''),
    weight: isPlainHyphen ? 0.6 : 1.5,
    isName: !isPlainHyphen,
    isCompound: true,
  }
  return [whole, ...wordPieces.flatMap((piece) => plain(piece, isPlainHyphen ? 0.8 : 0.5, false))]
}

/** Returns the form in which words of questions and of files are compared. */
export function foldWord(lower: string, stem: StemWord): string {
  return stem === keepWord ? stem(lower) : removeAccents(stem(lower))
}

/**
 * Returns the word with its irregular forms. For a past form such as "left", returns only the word, because
 * in a group of synonyms it is another word, such as a noun.
 */
function formsOfSynonym(word: string): readonly string[] {
  const forms = listVerbForms(word)
  return forms[0] === word ? forms : [word]
}

/** Returns for each stem the stems of its synonyms. */
function synonymsOf(stem: StemWord): Map<string, string[]> {
  const out = new Map<string, string[]>()
  for (const group of listSynonymGroups()) {
    const stems = [...new Set(group.flatMap(formsOfSynonym).map((word) => foldWord(word, stem)))]
    for (const one of stems) {
      const others = stems.filter((other) => other !== one)
      out.set(one, [...new Set([...(out.get(one) ?? []), ...others])])
    }
  }
  return out
}
