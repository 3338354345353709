// Counts the words of a question in one file after the other.
import { countFile, readFileText } from '../count-file.ts'
import type { PassageFile } from '../passage.ts'
import { createTermScanner } from '../term-scanner.ts'
import type { CountedPassage } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'

/** The counts of one file, or the reason why the file was skipped. Both can be sent between threads. */
export type FileCount = { skipped: string } | { bytes: number; chars: number; passages: CountedPassage[] }

/** Counts the file at `index` in the reading order. A file gets the same counts in every thread. */
export type FileCounter = (file: PassageFile, index: number) => Promise<FileCount>

export function createFileCounter(question: ParsedQuestion): FileCounter {
  const scan = createTermScanner(question)
  return async (file, index) => {
    const read = await readFileText(file)
    if ('skipped' in read) return { skipped: read.skipped }
    return { bytes: read.bytes, ...countFile(read.text, { path: file.path, index }, question, scan) }
  }
}
