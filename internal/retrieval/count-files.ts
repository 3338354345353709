// The single pass of a search over its files, the most promising first and up to a limit: it reads them,
// counts words, keeps candidate passages and reports progress.

import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { FailureError } from '../base/errors.ts'
import { groupDigits } from '../base/text/count-noun.ts'
import { kindOfFile, weighFile } from './file-kind.ts'
import { maxSearchedBytes, maxSearchedFiles, withSteadyHeap } from './limits/search-limit.ts'
import type { PassageFile } from './passage.ts'
import { scoreBestPart, weighByPart } from './rank/parts.ts'
import { type CountedText, createFileCounter, type FileCount } from './reading/file-counter.ts'
import { readerFile, SplitReading, type SplitReadingOptions } from './reading/split-reading.ts'
import { type CountedPassage, weighTerms } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

/** Largest number of passages that are kept during counting. Of more, the weaker ones are dropped. */
const maxKept = 12_000
/**
 * Number of passages that stay when weaker ones are dropped. It is a third, so that most passages are
 * scored only once.
 */
const fewerKept = 4_000

/**
 * Mean size of a passage in characters. It estimates the number of passages without a matching word, which
 * are not counted one by one.
 */
const meanPassageChars = 800

const progressMs = 250

interface PassageProgress {
  files: number
  of: number
  bytes: number
}

export interface CountingRequest {
  /** The question as the user wrote it. */
  text: string
  files: readonly PassageFile[]
  /** Largest number of threads that read files. Default: one for each processor. */
  readers?: number | undefined
  signal: AbortSignal
  onProgress?: (progress: PassageProgress) => void
}

export interface CountedFiles {
  /** Files in the order in which they are read; `CountedPassage.file` is an index into this list. */
  files: readonly PassageFile[]
  kept: CountedPassage[]
  passages: number
  frequency: number[]
  read: { files: number; bytes: number }
  skipped: { path: string; why: string }[]
  cut?: string
}

/**
 * Reads the files and counts the terms of the question in their passages. Throws FailureError `cancelled`
 * if `signal` aborts.
 */
export function countFiles(request: CountingRequest, question: ParsedQuestion): Promise<CountedFiles> {
  return withSteadyHeap(request.files.length, () => countEach(request, question))
}

async function countEach(request: CountingRequest, question: ParsedQuestion): Promise<CountedFiles> {
  const files = inReadingOrder(request.files, question)
  const out: CountedFiles = {
    files,
    kept: [],
    passages: 0,
    frequency: question.terms.map(() => 0),
    read: { files: 0, bytes: 0 },
    skipped: [],
  }
  const counts = readFiles({ ...request, files: files.slice(0, maxSearchedFiles), question })
  let shownMs = Number.NEGATIVE_INFINITY
  let index = 0
  for await (const counted of counts) {
    const file = files[index++] as PassageFile
    const now = performance.now()
    if (now - shownMs > progressMs) {
      request.onProgress?.({ ...out.read, of: files.length })
      shownMs = now
    }
    if ('skipped' in counted) {
      out.skipped.push({ path: file.path, why: counted.skipped })
      continue
    }
    addCount(out, counted)
    if (out.kept.length > maxKept) out.kept = strongerPassages(out, question)
    if (out.read.bytes >= maxSearchedBytes) break
  }
  if (index < files.length) {
    const notice = `${groupDigits(files.length - index)} of ${groupDigits(files.length)} files were not read`
    const limit = index >= maxSearchedFiles ? `${groupDigits(maxSearchedFiles)} files` : '1 GB'
    out.cut = `${notice}: a search ends at ${limit}`
  }
  return out
}

function addCount(out: CountedFiles, { bytes, chars, matching, frequency, passages }: CountedText): void {
  out.read.files++
  out.read.bytes += bytes
  out.passages += matching.passages
  out.passages += Math.max(0, Math.round((chars - matching.chars) / meanPassageChars))
  for (const [i, count] of frequency.entries()) out.frequency[i] = (out.frequency[i] as number) + count
  for (const passage of passages) out.kept.push(passage)
}

function strongerPassages(counted: CountedFiles, question: ParsedQuestion): CountedPassage[] {
  const byPart = weighByPart(question, weighTerms(question, counted))
  return counted.kept
    .map((passage) => ({ passage, score: scoreBestPart(passage, question, byPart) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, fewerKept)
    .map(({ passage }) => passage)
}

/**
 * Sorts the files by the chance that they contain an answer, so that a limit drops the least promising ones.
 * Equal files are sorted by path.
 */
function inReadingOrder(files: readonly PassageFile[], question: ParsedQuestion): PassageFile[] {
  const stems = question.terms.map(({ stem }) => stem)
  const rank = { prose: 0, config: 1, code: 2, data: 3 } as const
  return files
    .map((file) => ({ file, rank: rank[kindOfFile(file.path)] + 4 * (1 - weighFile(file.path, stems)) }))
    .sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0))
    .map(({ file }) => file)
}

const yieldMs = 30
/**
 * Milliseconds after which the remaining time is estimated for the first time. Each further estimate follows
 * after twice the time.
 */
const firstEstimateMs = 700
/**
 * Estimated milliseconds of the whole reading below which no threads are started, because starting a thread
 * takes some time too.
 */
const minSplitMs = 3_000
/** Size in bytes above which a file does not count in the estimate, because most larger files are skipped. */
const maxCountedBytes = 2 << 20

interface FileReading {
  /** The question as the user wrote it. `question` is the same question after parsing. */
  text: string
  question: ParsedQuestion
  files: readonly PassageFile[]
  /** Largest number of threads that read, including this one. Default: one for each processor. */
  readers?: number | undefined
  signal: AbortSignal
}

/**
 * Yields the counts of each file, in the order of the files. Throws FailureError `cancelled` if `signal`
 * aborts. `readers` (the number of threads) does not change the result, only the duration.
 */
async function* readFiles(reading: FileReading): AsyncGenerator<FileCount> {
  const { files, signal } = reading
  const count = createFileCounter(reading.question)
  const began = performance.now()
  let yieldedMs = began
  const pause = async () => {
    if (performance.now() - yieldedMs > yieldMs) {
      await setImmediate()
      yieldedMs = performance.now()
    }
    if (signal.aborted) throw new FailureError({ code: 'cancelled', message: 'the search was cancelled' })
  }
  let split: SplitReading | undefined
  let estimateMs =
    reading.readers === 1 || files[0]?.text !== undefined ? Number.POSITIVE_INFINITY : firstEstimateMs
  let bytes = 0
  try {
    for (const [index, file] of files.entries()) {
      await pause()
      const tookMs = performance.now() - began
      if (!split && tookMs > estimateMs) {
        estimateMs = 2 * tookMs
        split = splitRest(reading, { index, bytes, tookMs, count, pause })
      }
      const counted = await (split ? split.count(index) : count(file, index))
      if ('bytes' in counted) bytes += counted.bytes
      yield counted
    }
  } finally {
    await split?.close()
  }
}

interface CountingProgress extends Pick<SplitReadingOptions, 'count' | 'pause'> {
  index: number
  bytes: number
  tookMs: number
}

/**
 * Returns a reader that splits the files from `index` on over several threads. Returns undefined if that
 * would save little time, or without a build that contains the script of the threads.
 */
function splitRest(
  { text, files, readers, signal }: FileReading,
  { index, bytes, tookMs, count, pause }: CountingProgress,
): SplitReading | undefined {
  const sizes = files.slice(index).map(sizeOf)
  const remainingBytes = sizes.reduce((sum, size) => sum + size, 0)
  const leftMs = (remainingBytes / Math.max(bytes, 1)) * tookMs
  const maxReaders = Math.min(
    readers ?? Number.POSITIVE_INFINITY,
    availableParallelism(),
    Math.ceil(leftMs / 1_000),
  )
  if (tookMs + leftMs < minSplitMs || maxReaders < 2 || readerFile() === undefined) return undefined
  const threads = maxReaders - 1
  return new SplitReading({ question: text, files, from: index, sizes, threads, count, pause, signal })
}

function sizeOf({ real }: PassageFile): number {
  const size = statSync(real, { throwIfNoEntry: false })?.size ?? 0
  return size > maxCountedBytes ? 0 : size
}
