// A long search, split over several threads. Each thread counts consecutive files, and the results are used
// in the order of the files, so that the number of threads does not change the result.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { PassageFile } from '../passage.ts'
import type { FileCount, FileCounter } from './file-counter.ts'
import type { ReadingOrder, ReadingResult } from './reader-thread.ts'

/** Size in bytes at which a share of files is complete. A thread counts such a share in about 50 ms. */
const shareBytes = 1 << 20
/** Largest number of files in a share. A share is complete at this number, even if its files are small. */
const shareFiles = 200
/**
 * Largest number of shares that a thread has at a time. It counts the second share while the search reads the
 * result of the first one.
 */
const ordersAhead = 2

/** Consecutive files for one thread. `from` and `to` are indices, without `to` itself. */
interface FileShare {
  from: number
  to: number
  isTaken: boolean
  counts?: FileCount[]
}

export interface SplitReadingOptions {
  question: string
  files: readonly PassageFile[]
  /** Index of the first file that the search has not counted before the split. */
  from: number
  /**
   * Sizes in bytes of the files from `from` on, by which threads get them in shares; 0 for files above 2 MiB,
   * because most of them are skipped.
   */
  sizes: readonly number[]
  /** Number of threads in addition to this one. */
  threads: number
  count: FileCounter
  /**
   * Called after each file that this thread counts and while it waits for results, so that messages of
   * threads arrive. Rejects if the search was cancelled.
   */
  pause(): Promise<void>
  signal: AbortSignal
  /** Starts a thread. Tests replace it to end a thread early. */
  startReader?: (question: string) => Worker
}

/**
 * Counts the words of the question in the files, split over several threads. If a thread dies, this thread
 * and the others count its files.
 */
export class SplitReading {
  readonly #options: SplitReadingOptions
  readonly #shares: FileShare[]
  readonly #readers = new Set<Worker>()
  /** Resolves when a result has arrived, a thread has died, or the search is cancelled. */
  #news: Promise<void> = Promise.resolve()
  #tell: () => void = () => undefined
  #current = 0

  constructor(options: SplitReadingOptions) {
    this.#options = options
    this.#shares = cutShares(options)
    this.#listen()
    options.signal.addEventListener('abort', this.#stop)
    for (let i = 0; i < options.threads; i++) this.#start()
  }

  /** Returns the counts of a file. Call it once for each file from `from` on, in their order. */
  async count(index: number): Promise<FileCount> {
    while ((this.#shares[this.#current] as FileShare).to <= index) this.#current++
    const share = this.#shares[this.#current] as FileShare
    while (!share.counts) {
      const next = share.isTaken ? this.#freeShare() : share
      if (next) await this.#countHere(next)
      else {
        await this.#news
        await this.#options.pause()
      }
    }
    const counted = share.counts[index - share.from] as FileCount
    // The counts of this share are not needed any more, so their memory is released.
    if (index === share.to - 1) share.counts = []
    return counted
  }

  /** Ends the threads that read files. */
  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#stop)
    await Promise.all([...this.#readers].map((reader) => reader.terminate()))
  }

  readonly #stop = (): void => this.#tell()

  #listen(): void {
    this.#news = new Promise((resolve) => {
      this.#tell = () => {
        this.#listen()
        resolve()
      }
    })
  }

  #freeShare(): FileShare | undefined {
    return this.#shares.find(({ isTaken }) => !isTaken)
  }

  async #countHere(share: FileShare): Promise<void> {
    share.isTaken = true
    const { files, count, pause } = this.#options
    const counts: FileCount[] = []
    for (let i = share.from; i < share.to; i++) {
      counts.push(await count(files[i] as PassageFile, i))
      await pause()
    }
    share.counts = counts
  }

  #start(): void {
    const { question, startReader: start = startReader } = this.#options
    const reader = start(question)
    const takenShares = new Set<FileShare>()
    const leave = () => {
      this.#readers.delete(reader)
      for (const share of takenShares) share.isTaken = false
      takenShares.clear()
      this.#tell()
    }
    reader.on('message', ({ from, counts }: ReadingResult) => {
      const share = [...takenShares].find((one) => one.from === from)
      if (!share) return
      takenShares.delete(share)
      share.counts = counts
      this.#order(reader, takenShares)
      this.#tell()
    })
    reader.on('error', leave)
    reader.on('exit', leave)
    this.#readers.add(reader)
    for (let i = 0; i < ordersAhead; i++) this.#order(reader, takenShares)
  }

  /** Gives a thread the next share of files, if one is left. */
  #order(reader: Worker, takenShares: Set<FileShare>): void {
    const share = this.#freeShare()
    if (!share) return
    share.isTaken = true
    takenShares.add(share)
    const { files } = this.#options
    const named = files.slice(share.from, share.to).map(({ path, real }) => ({ path, real }))
    reader.postMessage({ from: share.from, files: named } satisfies ReadingOrder)
  }
}

function cutShares({ files, from, sizes }: SplitReadingOptions): FileShare[] {
  const shares: FileShare[] = []
  let begin = from
  let bytes = 0
  for (let i = from; i < files.length; i++) {
    bytes += sizes[i - from] as number
    if (bytes < shareBytes && i - begin < shareFiles && i < files.length - 1) continue
    shares.push({ from: begin, to: i + 1, isTaken: false })
    begin = i + 1
    bytes = 0
  }
  return shares
}

export const startReader = (question: string): Worker =>
  new Worker(readerFile() as string, { workerData: { question }, stdout: true, stderr: true })

/**
 * Returns the path of the script of the threads: next to the running bundle, in the directory above it, or in
 * `dist` of the source tree. Undefined without a build.
 */
export function readerFile(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [here, join(here, '..'), join(here, '../../../dist')].map((dir) => join(dir, 'reader.cjs'))
  return places.find((file) => existsSync(file))
}
