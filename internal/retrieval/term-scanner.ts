// Scanner for the terms of a question in a text. One regular expression finds where words begin, then the
// stems of the words are compared.
import { removeAccents } from './language.ts'
import { createScriptScanner } from './languages/script-scanner.ts'
import { foldWord, type ParsedQuestion } from './words.ts'

/** Weight of a synonym relative to the word itself. */
const synonymWeight = 0.4

/** One occurrence of a term in a text. */
export interface TermPlace {
  at: number
  /** Index of the term in the question. */
  term: number
  weight: number
}

/**
 * Calls `take` for each occurrence of a term, in no fixed order. Questions that the text quotes are skipped.
 */
export type ScanTerms = (text: string, take: (place: TermPlace) => void) => void

type WordMeaning = readonly { term: number; weight: number }[]

/**
 * Largest length of a word in characters. Longer words are skipped, because they usually come from a program.
 */
const maxWordChars = 64

/**
 * Returns a pattern for the letters with which all words of a stem begin: `dai` is the stem of days,
 * `polici` of policy.
 */
function beginningOf(stem: string, letters: LetterVariants): string {
  if (!/.[iy]$/.test(stem)) return patternOf(stem, letters)
  const short = patternOf(stem.slice(0, -1), letters)
  return stem.length > 3 ? short : `${short}[iyìíîïýÿ]`
}

const pieces = /[\p{Lu}]+(?![\p{Ll}])\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+\p{N}*|\p{N}+/gu

/**
 * Returns a pattern for the words of a name, joined directly or by at most two separators: `max_size`,
 * `max-size` or `maxSize`.
 */
const compoundPattern = (word: string, letters: LetterVariants): string =>
  (word.match(pieces) ?? [])
    .map((piece) => patternOf(removeAccents(piece.toLowerCase()), letters))
    .join('[-_.:/ ]{0,2}')
    // The last digit may not continue: `HTTP/2` does not match the beginning of `HTTP 200`.
    .replace(/(?<=\d)$/, '(?!\\d)')

/**
 * Returns a pattern that matches each of the beginnings; undefined without one. A beginning that itself
 * starts with another one is omitted, because the shorter one also finds it.
 */
function patternOfBeginnings(beginnings: readonly string[]): RegExp | undefined {
  const starts = beginnings.filter((one) => one !== '')
  const short = starts.filter((one) => !starts.some((other) => other !== one && one.startsWith(other)))
  return short.length === 0 ? undefined : new RegExp(short.join('|'), 'gi')
}

export function createTermScanner({ terms, stem }: ParsedQuestion): ScanTerms {
  const meanings = new Map<string, { term: number; weight: number }[]>()
  const add = (key: string, term: number, weight: number) => {
    const wordMeaning = meanings.get(key) ?? []
    if (!wordMeaning.some((one) => one.term === term)) wordMeaning.push({ term, weight })
    meanings.set(key, wordMeaning)
  }
  const beginnings = new Set<string>()
  const compounds: { pattern: string; term: number }[] = []
  const letters = lettersFor(terms.map(({ word }) => word).join(''))
  for (const [i, term] of terms.entries()) {
    if (term.script !== undefined) continue
    if (term.isCompound) {
      const joined = compoundPattern(term.word, letters)
      compounds.push({ pattern: joined, term: i })
      continue
    }
    for (const one of [term.stem, ...(term.inflected ?? [])]) {
      add(one, i, 1)
      beginnings.add(beginningOf(one, letters))
    }
  }
  for (const [i, { synonyms }] of terms.entries()) {
    for (const one of synonyms) {
      add(one, i, synonymWeight)
      beginnings.add(beginningOf(one, letters))
    }
  }
  const meaningCache = new Map<string, WordMeaning>()
  const meaningOf = (word: string): WordMeaning => {
    const cached = meaningCache.get(word)
    if (cached) return cached
    const lower = word.toLowerCase()
    const meaning =
      meanings.get(foldWord(lower, stem)) ?? meanings.get(foldWord(lower.replace(/\d+$/, ''), stem)) ?? []
    // The key is a copy, because a slice of a text would keep the whole text in memory.
    if (meaningCache.size < 20_000) meaningCache.set(Buffer.from(word).toString(), meaning)
    return meaning
  }
  const words = patternOfBeginnings([...beginnings])
  const whole = compounds.map(({ pattern, term }) => ({ pattern: new RegExp(pattern, 'gi'), term }))
  const questionWords = new Set(terms.map(({ word }) => word.toLowerCase()))
  const scanScripts = createScriptScanner(terms)
  return (full, take) => {
    const text = withoutQuotedQuestions(full)
    scanScripts?.(text, take)
    for (const { pattern, term } of whole) {
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        const at = match.index
        if (beginsWord(text, at)) {
          const weight = weighName(text, { from: at, to: at + match[0].length }, questionWords)
          take({ at, term, weight })
        }
        if (match[0] === '') pattern.lastIndex++
      }
    }
    if (words) scanWords(text, words, meaningOf, take)
  }
}

/**
 * Weight of a name inside of a longer one, which is the name of another thing:
 * `IsExcluded` in `defaultIsExcluded`.
 */
const innerWeight = 0.8

/**
 * Returns `innerWeight` if the name from index `from` up to, but not including, `to` is inside a longer name,
 * otherwise 1. A plural is not a longer name. Words that are joined by other characters, as in
 * `DEFAULT_WORKER_TTL`, and words of the question, as in `DefaultTimeout` for the default of `Timeout`, do
 * not count either.
 */
function weighName(
  text: string,
  { from, to }: { from: number; to: number },
  questionWords: ReadonlySet<string>,
): number {
  const isJoined = (at: number) => isLetter(text.charCodeAt(at)) || isDigit(text.charCodeAt(at))
  const isAsked = (rest: string) => rest === '' || questionWords.has(rest.toLowerCase())
  let first = from
  while (first > 0 && isJoined(first - 1)) first--
  let end = text[to] === 's' && !isLower(text.charCodeAt(to + 1)) ? to + 1 : to
  const last = end
  while (end < text.length && isJoined(end)) end++
  return isAsked(text.slice(first, from)) && isAsked(text.slice(last, end)) ? 1 : innerWeight
}

function scanWords(
  text: string,
  pattern: RegExp,
  meaningOf: (word: string) => WordMeaning,
  take: (place: TermPlace) => void,
): void {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const at = match.index
    if (!beginsWord(text, at)) {
      // The next match may begin inside this one, so the search continues one character later.
      pattern.lastIndex = at + 1
      continue
    }
    const end = wordEnd(text, at)
    pattern.lastIndex = Math.max(end, at + 1)
    if (end - at > maxWordChars) continue
    for (const { term, weight } of meaningOf(text.slice(at, end))) take({ at, term, weight })
    // `HTTPServer` is read as the word `HTTP` and again as the whole name. Other names of joined
    // words are too.
    const glued = gluedEnd(text, at, end)
    if (glued > end && glued - at <= maxWordChars) {
      for (const { term, weight } of meaningOf(text.slice(at, glued))) take({ at, term, weight })
    }
  }
}

const isLower = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 0xdf && code <= 0xff && code !== 0xf7)
const isUpper = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde && code !== 0xd7)
const isDigit = (code: number) => code >= 48 && code <= 57
/**
 * Returns true for a Latin, Greek or Cyrillic letter. A letter of another script ends a Latin name, because
 * languages such as Japanese add particles without a space.
 */
const isLetter = (code: number) =>
  isLower(code) || isUpper(code) || (code > 0xff && alphabet.test(String.fromCharCode(code)))
const alphabet = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zinh}]/u

/**
 * Returns true if a word begins at `at`: the previous character is not a letter, or the case changes as in
 * camelCase. A digit begins a word only if the previous character is neither a letter nor a digit.
 */
function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  const charCode = text.charCodeAt(at)
  if (isDigit(charCode)) return !isDigit(before) && !isLetter(before)
  if (!isLetter(before)) return true
  if (!isUpper(charCode)) return false
  return isLower(before) || isLower(text.charCodeAt(at + 1))
}

/**
 * Returns the index after the last letter or digit of the word at `at`. A capital begins another word after a
 * small letter, and before a small letter after other capitals. A very long word is cut.
 */
function wordEnd(text: string, at: number): number {
  let i = at + 1
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (!isLetter(code) && !isDigit(code)) break
    if (isUpper(code)) {
      const before = text.charCodeAt(i - 1)
      if (isLower(before)) break
      if (isUpper(before) && isLower(text.charCodeAt(i + 1))) break
    }
    if (i - at > maxWordChars) break
  }
  return i
}

/**
 * Returns the index after the letters and digits from `end` on, even if their case changes. Stops soon after
 * `maxWordChars` characters from `at`.
 */
function gluedEnd(text: string, at: number, end: number): number {
  let i = end
  while (i < text.length && i - at <= maxWordChars) {
    const code = text.charCodeAt(i)
    if (!isLetter(code) && !isDigit(code)) break
    i++
  }
  return i
}

const quotedQuestion = /(["'`“«])[^"'`“”«»\n]{6,200}\?["'`”»]/g

/**
 * Returns the text with spaces in place of the questions that it quotes. All other positions stay the same.
 */
export function withoutQuotedQuestions(text: string): string {
  if (!text.includes('?')) return text
  return text.replace(quotedQuestion, (question) => ' '.repeat(question.length))
}

/** All forms of each letter, including the letter: `a` has `aàáâãäå`. */
type LetterVariants = Readonly<Record<string, string>>

const accented: LetterVariants = {
  a: 'aàáâãäå',
  c: 'cç',
  e: 'eèéêë',
  i: 'iìíîï',
  n: 'nñ',
  o: 'oòóôõö',
  s: 'sß',
  u: 'uùúûü',
  y: 'yýÿ',
}

/** Blocks of Unicode beyond Western European letters: more Latin, Greek and Cyrillic. */
const widerBlocks = [
  [0x100, 0x24f],
  [0x370, 0x4ff],
  [0x1e00, 0x1fff],
] as const

let wide: LetterVariants | undefined

/**
 * Returns the table of letter forms for the words of a question. The wider table slows every search down, so
 * it is used only if the question has letters from outside Western Europe.
 */
function lettersFor(words: string): LetterVariants {
  if (!/[\u0100-\u04ff\u1e00-\u1fff]/.test(words)) return accented
  if (wide) return wide
  const out: Record<string, string> = { ...accented }
  for (const [from, to] of widerBlocks) {
    for (let code = from; code <= to; code++) {
      const char = String.fromCharCode(code)
      const base = removeAccents(char.toLowerCase())
      if (base !== char && base.length === 1) out[base] = `${out[base] ?? base}${char}`
    }
  }
  wide = out
  return wide
}

/** Returns the source of a regular expression that matches `stem` with and without accents. */
function patternOf(stem: string, letters: LetterVariants): string {
  return [...stem]
    .map((char) => {
      const all = letters[char]
      return all === undefined ? char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&') : `[${all}]`
    })
    .join('')
    .replaceAll('[sß][sß]', '(?:ss|ß)')
}
