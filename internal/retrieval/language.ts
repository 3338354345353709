// Guess of a question's language from its script and small words, and stemming of words in that language.
import { once } from '../base/once.ts'
import {
  foreignSmallWords,
  languageOfScript,
  type ScriptLanguage,
} from '../base/text/scripts/foreign-words.ts'

type LatinLanguage = 'en' | 'de' | 'fr' | 'es' | 'vi'
export type QuestionLanguage = LatinLanguage | ScriptLanguage

/** Words that are frequent in each language and independent of the subject of a question. */
const small: Readonly<Record<QuestionLanguage, string>> = {
  ...foreignSmallWords,
  en: `a about above after again against all also although always am among an and another any anyone around
    anything are as at be because been before being below between both but by can cannot could did do
    does doing done during each either else enough ever every few for from further get gets give given
    gives goes got had has have having he her here hers him his how however i if in into is it its
    itself just let like many may maybe me might mine more most much must my neither nor of off often
    on once one only onto or other others our out over own per please rather same say says shall she
    should so some somebody someone something such than that the their them then there therefore these
    they this those though through thus to together too toward under until up upon us via very was way
    we well were what whatever when where whether which while who whoever whom whose why will with
    within without would yes yet you your yours explain describe tell show list find nobody nothing none
    unless otherwise taken told asked`,
  de: `aber alle als also am an andere auch auf aus bei beim bin bis da damit dann darf das dass dem den
    der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen
    einer eines er es etwa für gegen gibt haben hat hatte hatten höchstens mindestens ich ihr im in
    ist ja jede jeder jedes kann kein keine können man mehr mich mit muss nach nicht noch nur ob oder
    ohne sehr sein seine sich sie sind so soll sollen über um und uns unter vom von vor war warum was
    wann welche welcher welches welchen wenn wer werden wessen wie wieviel wird wir wo woher wohin
    wozu zu zum zur zwischen lange viel viele`,
  fr: `a au aux avec ce ces cet cette ceux comme comment d dans de des donc dont du elle elles en entre
    est et être eu il ils j je l la le les leur leurs lui ma mais me même mes moi mon n ne nos notre
    nous on ont ou où par pas peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels
    qui quoi s sa sans se sera ses si soit son sont sous sur ta te tes ton tu un une vos votre vous y
    combien faut fait`,
  es: `a al algo ante antes como con contra cual cuál cuales cuáles cuando cuándo cuanto cuánto cuántos
    de del desde donde dónde e el ella ellas ellos en entre era es esa ese eso esta está están este
    esto fue ha hace hasta hay la las le les lo los más me mi mientras muy nada ni no nos nosotros o
    otra otro para pero poco por porque puede pueden que qué quien quién quienes se ser si sí sin
    sobre son su sus también te tiene tienen tu un una uno y ya`,
}

const sets = once(
  () =>
    Object.fromEntries(
      Object.entries(small).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
    ) as unknown as Readonly<Record<QuestionLanguage, ReadonlySet<string>>>,
)
const latin: readonly LatinLanguage[] = ['en', 'de', 'fr', 'es', 'vi']

/**
 * Smallest share of small words from which on they decide the language. Fewer may be chance: `en` may be the
 * name of a directory.
 */
const minSmallShare = 0.2

/** Matches letters that only Vietnamese has among languages with Latin script. */
const vietnamese = /[\u01a1\u01b0\u1ea0-\u1ef9]/i

/**
 * Returns the language of the words by their script, by letters of Vietnamese, or by their small words.
 * Returns English if too few of them are small words of another language.
 */
export function guessLanguage(words: readonly string[]): QuestionLanguage {
  const script = languageOfScript(words.join(' '))
  if (script !== undefined) return script
  if (words.some((word) => vietnamese.test(word))) return 'vi'
  const counts = latin.map((language) => ({
    language,
    count: words.filter((word) => sets()[language].has(word.toLowerCase())).length,
  }))
  counts.sort((a, b) => b.count - a.count || (a.language === 'en' ? -1 : b.language === 'en' ? 1 : 0))
  const [first] = counts
  return first && first.count >= minSmallShare * words.length ? first.language : 'en'
}

const names: Readonly<Record<QuestionLanguage, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  vi: 'Vietnamese',
  zh: 'Chinese',
  ja: 'Japanese',
  ko: 'Korean',
  th: 'Thai',
  ar: 'Arabic',
  he: 'Hebrew',
  hi: 'Hindi',
  ru: 'Russian',
}

/** Smallest number of small words in a text from which its language is certain enough. */
const minSmallWords = 20

/**
 * Returns a notice if `text` is in another language than `questionLanguage`; undefined if the language is the
 * same, or not certain.
 */
export function describeLanguageGap(questionLanguage: QuestionLanguage, text: string): string | undefined {
  const words = text.match(/\p{L}+/gu) ?? []
  const written = guessLanguage(words)
  const isSure =
    languageOfScript(text) === written ||
    words.filter((word) => sets()[written].has(word.toLowerCase())).length >= minSmallWords
  if (written === questionLanguage || !isSure) return undefined
  const question = names[questionLanguage]
  const files = names[written]
  const why = 'its words are not translated'
  return `the question is in ${question} and the files are in ${files}: ${why}, ask in ${files}`
}

/**
 * Returns true for a small word of the language, written in lower case. In a language with another script
 * than Latin, small English words count too.
 */
export const isSmallWord = (word: string, language: QuestionLanguage): boolean =>
  sets()[language].has(word) ||
  (!latin.includes(language as LatinLanguage) && /^[a-z]/.test(word) && sets().en.has(word))

/**
 * Returns the stem of a word in lower case, which is equal for most forms of the word. In Vietnamese the word
 * itself is the stem.
 */
export type StemWord = (word: string) => string

/**
 * Returns the word with its accents, which distinguish words in Vietnamese: bán means to sell, bạn a friend.
 */
export const keepWord: StemWord = (word) => word.normalize('NFC')

/**
 * Returns the function that stems words of the language. It returns words of a script without
 * a stemmer unchanged.
 */
export async function loadStemmer(language: QuestionLanguage): Promise<StemWord> {
  if (language === 'vi') return keepWord
  const { stemPorter, stemFrench, stemGerman, stemRussian, stemSpanish } = await import('./word-stemmers.ts')
  const stemEnglish: StemWord = (word) => restoreStem(word, stemPorter(word))
  switch (language) {
    case 'de':
      return stemGerman
    case 'fr':
      return stemFrench
    case 'es':
      return stemSpanish
    case 'ru':
      return (word) => (/[\u0400-\u04ff]/.test(word) ? stemRussian(word) : stemEnglish(word))
    default:
      return stemEnglish
  }
}

/**
 * Returns the stem of an English word. The library cuts one letter too many from words in -sion and -tion, so
 * that "protection" would have another stem than "protect".
 */
function restoreStem(word: string, stem: string): string {
  const [suffix, letter] = /([st])ions?$/.exec(word) ?? []
  return suffix !== undefined && stem + suffix === word ? `${stem}${letter}` : stem
}

const accents = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])\p{M}+/gu

/**
 * Returns the word without accents, and with `ss` for `ß` and `d` for `đ`, so that both spellings are equal.
 * Marks of other scripts than Latin, Greek and Cyrillic stay.
 */
export const removeAccents = (word: string): string =>
  /^[\x00-\x7f]*$/.test(word)
    ? word
    : word.normalize('NFD').replace(accents, '$1').normalize('NFC').replaceAll('ß', 'ss').replaceAll('đ', 'd')
