// Words of scripts that put no spaces between them: Chinese, Japanese, Thai, Lao, Khmer, Burmese.

const letters = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`
const unspaced = new RegExp(`[${letters}]`, 'u')
const runs = new RegExp(`[${letters}][${letters}\\p{M}]*`, 'gu')

/** The lowest of these letters is Thai; most texts have no letter from there on. */
const mayBeUnspaced = /[\u0e00-\uffff]/

/** Returns whether `text` has a letter of a script that is written without spaces. */
export const hasUnspacedScript = (text: string): boolean => mayBeUnspaced.test(text) && unspaced.test(text)

/** A part of a text, with the index of its first character. */
interface TextRun {
  text: string
  index: number
  isUnspaced: boolean
}

/** Cuts `text` where a script with spaces meets one without: `使用Redis` is two runs. */
export function splitScriptRuns(text: string): TextRun[] {
  if (!hasUnspacedScript(text)) return [{ text, index: 0, isUnspaced: false }]
  const out: TextRun[] = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (index > from) out.push({ text: text.slice(from, index), index: from, isUnspaced: false })
    out.push({ text: run, index, isUnspaced: true })
    from = index + run.length
  }
  if (from < text.length) out.push({ text: text.slice(from), index: from, isUnspaced: false })
  return out
}

let segmenter: Intl.Segmenter | undefined

/** The words of a run of such a script, by the dictionary of the runtime, in order. */
export function segmentWords(run: string): { word: string; index: number }[] {
  // the locale is fixed: the same text has the same words on every machine
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment, index }) => ({ word: segment, index }))
}

/** Radicals, compatibility ideographs, wide and half-width forms: PDFs and Japanese texts have them. */
const variants = /[\u2e80-\u2fdf\uf900-\ufaff\uff01-\uff9f]/g

/** Replaces variants of a character by the usual one. Every character keeps its index. */
export function foldVariants(text: string): string {
  if (text.search(variants) < 0) return text
  return text.replace(variants, (char) => {
    const usual = char.normalize('NFKC')
    return usual.length === 1 ? usual : char
  })
}

/** Returns the part that stays when a Japanese word is inflected: `開` of `開きます`, else the word. */
export function withoutOkurigana(word: string): string {
  return /^(\p{sc=Han}[\p{sc=Han}々]*)\p{sc=Hira}+$/u.exec(word)?.[1] ?? word
}

/** The pairs of characters of a word of three or more, which find parts of a compound. */
export function listBigrams(word: string): string[] {
  const chars = [...word]
  if (chars.length < 3 || !/^\p{sc=Han}+$/u.test(word)) return []
  return chars.slice(1).map((char, i) => `${chars[i]}${char}`)
}
