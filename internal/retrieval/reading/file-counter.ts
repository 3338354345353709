// Counter of the words of a question in one file after the other.
import { countFile, readFileText } from '../count-file.ts'
import type { PassageFile } from '../passage.ts'
import { scoreBestPart, weighByPart } from '../rank/parts.ts'
import { createTermScanner } from '../term-scanner.ts'
import { type CountedPassage, computeRarity, holdsTerm } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'

/** The counts of a file. They can be sent between threads. */
export interface CountedText {
  bytes: number
  chars: number
  /** Number of passages with a term, and of characters in them, also of those that were dropped. */
  matching: { passages: number; chars: number }
  /**
   * Number of passages of the file with each term, by the index of the term, including dropped passages. A
   * passage adds the value of `holdsTerm`: 1 if it contains the word itself, and less if it has only one
   * synonym, or the name only inside a longer name.
   */
  frequency: number[]
  /** The passages with a term, at most `maxFilePassages`, in their order. */
  passages: CountedPassage[]
}

/** The counts of one file, or the reason why the file was skipped. */
export type FileCount = { skipped: string } | CountedText

/**
 * Counts the file at `index` in the order in which the search reads files. A file gets the same counts
 * in every thread.
 */
export type FileCounter = (file: PassageFile, index: number) => Promise<FileCount>

/**
 * Largest number of passages of one file that are kept. The thread that counts a file drops the weaker ones,
 * so that the main thread has fewer passages to compare.
 */
export const maxFilePassages = 150

export function createFileCounter(question: ParsedQuestion): FileCounter {
  const scan = createTermScanner(question)
  return async (file, index) => {
    const read = await readFileText(file)
    if ('skipped' in read) return { skipped: read.skipped }
    const { passages, chars } = countFile(read.text, { path: file.path, index }, question, scan)
    const frequency = question.terms.map((_, i) =>
      passages.reduce((sum, passage) => sum + holdsTerm(passage, i), 0),
    )
    const matching = {
      passages: passages.length,
      chars: passages.reduce((sum, { lengths }) => sum + lengths.text, 0),
    }
    const bestPassages =
      passages.length > maxFilePassages ? chooseStrongest(passages, frequency, question) : passages
    return { bytes: read.bytes, chars, matching, frequency, passages: bestPassages }
  }
}

/**
 * Returns the `maxFilePassages` passages with the highest scores, in their order. A term counts at least as
 * in the question, because a term that is common in this file may be rare in all files.
 */
function chooseStrongest(
  passages: readonly CountedPassage[],
  frequency: readonly number[],
  question: ParsedQuestion,
): CountedPassage[] {
  const weights = question.terms.map(
    ({ weight }, i) => weight * (1 + computeRarity(passages.length, frequency[i] as number)),
  )
  const byPart = weighByPart(question, weights)
  const scores = passages.map((passage) => scoreBestPart(passage, question, byPart))
  const bestIndexes = [...passages.keys()]
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, maxFilePassages)
  return bestIndexes.sort((a, b) => a - b).map((i) => passages[i] as CountedPassage)
}
