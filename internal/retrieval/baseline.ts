// Plain BM25 over paragraphs. It is used only for comparison, as the method that every other one
// has to surpass.
import { readFileText } from './count-file.ts'
import type { PassageFile } from './passage.ts'
import { linesOfText } from './split-file.ts'

interface RankedParagraph {
  path: string
  from: number
  to: number
  text: string
  score: number
}

const saturation = 1.2
const lengthShare = 0.75

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

interface CountedParagraph {
  path: string
  from: number
  to: number
  text: string
  length: number
  counts: number[]
}

/**
 * Returns the paragraphs with a word of the question, best first, with at most `letters` characters in total.
 * Words of one or two letters do not count. The last paragraph may be truncated.
 */
export async function rankParagraphsBm25(
  files: readonly PassageFile[],
  question: string,
  letters: number,
): Promise<RankedParagraph[]> {
  const words = [...new Set(wordsOf(question))].filter((word) => word.length > 2)
  const paragraphs: CountedParagraph[] = []
  const frequency = words.map(() => 0)
  let all = 0
  let length = 0
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const read = await readFileText(file)
    if (!('text' in read)) continue
    for (const paragraph of paragraphsOf(file.path, linesOfText(read.text))) {
      all++
      const paragraphWords = wordsOf(paragraph.text)
      length += paragraphWords.length
      const counts = words.map((word) => paragraphWords.filter((other) => other === word).length)
      if (!counts.some((count) => count > 0)) continue
      for (const [i, count] of counts.entries()) if (count > 0) frequency[i] = (frequency[i] as number) + 1
      paragraphs.push({ ...paragraph, length: paragraphWords.length, counts })
    }
  }
  const rarity = frequency.map((df) => Math.log(1 + (all - df + 0.5) / (df + 0.5)))
  const mean = length / Math.max(1, all)
  const ranked = paragraphs
    .map(({ counts, length: wordCount, ...paragraph }) => ({
      ...paragraph,
      score: counts.reduce((sum, count, i) => {
        const norm = saturation * (1 - lengthShare + (lengthShare * wordCount) / mean)
        return sum + ((rarity[i] as number) * count * (saturation + 1)) / (count + norm)
      }, 0),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.from - b.from))
  return takeLetters(ranked, letters)
}

function takeLetters(ranked: readonly RankedParagraph[], letters: number): RankedParagraph[] {
  const out: RankedParagraph[] = []
  let remainingLetters = letters
  for (const one of ranked) {
    if (remainingLetters <= 0) break
    out.push({ ...one, text: one.text.slice(0, remainingLetters) })
    remainingLetters -= one.text.length
  }
  return out
}

function* paragraphsOf(path: string, lines: readonly string[]) {
  let from = -1
  for (let i = 0; i <= lines.length; i++) {
    const isBlank = i === lines.length || (lines[i] as string).trim() === ''
    if (!isBlank && from < 0) from = i
    if (isBlank && from >= 0) {
      yield { path, from: from + 1, to: i, text: lines.slice(from, i).join('\n') }
      from = -1
    }
  }
}
