// The single pass over all files: reads, counts, keeps candidates and reports progress.

import { setImmediate } from 'node:timers/promises'
import { FailureError } from '../base/errors.ts'
import { groupDigits } from '../base/text/group-digits.ts'
import { countFile, readFileText } from './count-file.ts'
import { kindOfFile, weighFile } from './file-kind.ts'
import { maxSearchedBytes, maxSearchedFiles } from './limits/search-limit.ts'
import { withSteadyHeap } from './limits/steady-heap.ts'
import type { PassageFile } from './passage.ts'
import { scoreBestPart, weighByPart } from './rank/parts.ts'
import { createTermScanner } from './term-scanner.ts'
import { type CountedPassage, holdsTerm, weighTerms } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

/** Maximum number of passages during counting. Above it the weaker half is dropped. */
const maxKept = 8_000

/** Mean passage size in characters, used for files without a matching word, which are not split. */
const meanPassageChars = 800

const yieldMs = 30
const progressMs = 250

interface PassageProgress {
  files: number
  of: number
  bytes: number
}

export interface CountingRequest {
  files: readonly PassageFile[]
  signal: AbortSignal
  onProgress?: (progress: PassageProgress) => void
}

export interface CountedFiles {
  /** In reading order; `CountedPassage.file` is an index into this list. */
  files: readonly PassageFile[]
  kept: CountedPassage[]
  passages: number
  frequency: number[]
  read: { files: number; bytes: number }
  skipped: { path: string; why: string }[]
  cut?: string
}

/**
 * Reads the files and counts the terms of the question in their passages. Throws FailureError `cancelled`.
 */
export function countFiles(request: CountingRequest, question: ParsedQuestion): Promise<CountedFiles> {
  return withSteadyHeap(request.files.length, () => countEach(request, question))
}

async function countEach(request: CountingRequest, question: ParsedQuestion): Promise<CountedFiles> {
  const files = inReadingOrder(request.files, question)
  const scan = createTermScanner(question)
  const out: CountedFiles = {
    files,
    kept: [],
    passages: 0,
    frequency: question.terms.map(() => 0),
    read: { files: 0, bytes: 0 },
    skipped: [],
  }
  let yieldedMs = performance.now()
  let shownMs = Number.NEGATIVE_INFINITY
  for (const [index, file] of files.entries()) {
    if (index >= maxSearchedFiles || out.read.bytes >= maxSearchedBytes) {
      const left = `${groupDigits(files.length - index)} of ${groupDigits(files.length)} files were not read`
      const limit = index >= maxSearchedFiles ? `${groupDigits(maxSearchedFiles)} files` : '1 GB'
      out.cut = `${left}: a search ends at ${limit}`
      break
    }
    const now = performance.now()
    if (now - shownMs > progressMs) {
      request.onProgress?.({ ...out.read, of: files.length })
      shownMs = now
    }
    if (now - yieldedMs > yieldMs) {
      await setImmediate()
      yieldedMs = performance.now()
      if (request.signal.aborted)
        throw new FailureError({ code: 'cancelled', message: 'the search was cancelled' })
    }
    const read = await readFileText(file)
    if ('skipped' in read) {
      out.skipped.push({ path: file.path, why: read.skipped })
      continue
    }
    out.read.files++
    out.read.bytes += read.bytes
    const counted = countFile(read.text, { path: file.path, index }, question, scan)
    out.passages += counted.passages.length
    const rest = counted.chars - counted.passages.reduce((sum, { lengths }) => sum + lengths.text, 0)
    out.passages += Math.max(0, Math.round(rest / meanPassageChars))
    for (const passage of counted.passages) countFrequency(passage, out.frequency)
    for (const passage of counted.passages) out.kept.push(passage)
    if (out.kept.length > maxKept) out.kept = strongerHalf(out, question)
  }
  return out
}

function countFrequency(passage: CountedPassage, frequency: number[]): void {
  for (let i = 0; i < frequency.length; i++) frequency[i] = (frequency[i] as number) + holdsTerm(passage, i)
}

function strongerHalf(counted: CountedFiles, question: ParsedQuestion): CountedPassage[] {
  const byPart = weighByPart(question, weighTerms(question, counted))
  return counted.kept
    .map((passage) => ({ passage, score: scoreBestPart(passage, question, byPart) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, maxKept / 2)
    .map(({ passage }) => passage)
}

/**
 * Sorts the files by the chance that they contain an answer, so that a limit drops the least promising files.
 * Ties are sorted by path.
 */
function inReadingOrder(files: readonly PassageFile[], question: ParsedQuestion): PassageFile[] {
  const stems = question.terms.map(({ stem }) => stem)
  const rank = { prose: 0, config: 1, code: 2, data: 3 } as const
  return files
    .map((file) => ({ file, rank: rank[kindOfFile(file.path)] + 4 * (1 - weighFile(file.path, stems)) }))
    .sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0))
    .map(({ file }) => file)
}
