// Words of scripts that put no spaces between them: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
import { once } from '../../once.ts'

const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u
const runs = once(() => new RegExp(`${unspaced.source}[${unspaced.source.slice(1, -1)}\\p{M}]*`, 'gu'))

/**
 * Matches texts that may contain such a script. The first of its letters is Thai, and most texts have no
 * letter above it.
 */
const mayBeUnspaced = /[\u0e00-\uffff]/

/** Returns true if `text` has a letter of a script that is written without spaces. */
export const hasUnspacedScript = (text: string): boolean => mayBeUnspaced.test(text) && unspaced.test(text)

/** A part of a text, with the index of its first character. */
interface TextRun {
  text: string
  index: number
  isUnspaced: boolean
}

/** Splits `text` where a script with spaces meets one without: `使用Redis` is two runs. */
export function splitScriptRuns(text: string): TextRun[] {
  if (!hasUnspacedScript(text)) return [{ text, index: 0, isUnspaced: false }]
  const out: TextRun[] = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(runs())) {
    if (index > from) out.push({ text: text.slice(from, index), index: from, isUnspaced: false })
    out.push({ text: run, index, isUnspaced: true })
    from = index + run.length
  }
  if (from < text.length) out.push({ text: text.slice(from), index: from, isUnspaced: false })
  return out
}

let segmenter: Intl.Segmenter | undefined

/** Returns the words of a run without spaces in order, as the dictionary of the runtime separates them. */
export function segmentWords(run: string): { word: string; index: number }[] {
  // the locale is fixed, so that a text has the same words on every machine
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment, index }) => ({ word: segment, index }))
}

/**
 * Matches radicals, compatibility ideographs, wide and half-width forms, which PDFs and
 * Japanese texts contain.
 */
const variants = /[\u2e80-\u2fdf\uf900-\ufaff\uff01-\uff9f]/g

/** Returns the text with usual characters in place of their variants. Every character keeps its index. */
export function foldVariants(text: string): string {
  if (text.search(variants) < 0) return text
  return text.replace(variants, (char) => {
    const usual = char.normalize('NFKC')
    return usual.length === 1 ? usual : char
  })
}

/** Returns the part of a Japanese word that inflection does not change: `開` of `開きます`, else the word. */
export function withoutOkurigana(word: string): string {
  return /^(\p{sc=Han}[\p{sc=Han}々]*)\p{sc=Hira}+$/u.exec(word)?.[1] ?? word
}

/**
 * Returns the pairs of neighboring characters of a word of three or more Chinese characters, which find parts
 * of a compound. Empty for other words.
 */
export function listBigrams(word: string): string[] {
  const chars = [...word]
  if (chars.length < 3 || !/^\p{sc=Han}+$/u.test(word)) return []
  return chars.slice(1).map((char, i) => `${chars[i]}${char}`)
}
