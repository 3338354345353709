// Reader of the files of a search, in their order. It uses only this thread unless the reading takes more
// than a few seconds.
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { PassageFile } from '../passage.ts'
import type { ParsedQuestion } from '../words.ts'
import { createFileCounter, type FileCount } from './file-counter.ts'
import { readerFile, SplitReading, type SplitReadingOptions } from './split-reading.ts'

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
  /** The question as the user wrote it, and its parsed words. */
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
export async function* readFiles(reading: FileReading): AsyncGenerator<FileCount> {
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

interface Progress extends Pick<SplitReadingOptions, 'count' | 'pause'> {
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
  { index, bytes, tookMs, count, pause }: Progress,
): SplitReading | undefined {
  const sizes = files.slice(index).map(sizeOf)
  const left = sizes.reduce((sum, size) => sum + size, 0)
  const leftMs = (left / Math.max(bytes, 1)) * tookMs
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
