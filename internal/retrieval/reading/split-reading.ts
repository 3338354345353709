// A long search, split over several threads. Each counts some files in a row, and the results are taken in
// the order of the files, so that the number of threads changes no result.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { PassageFile } from '../passage.ts'
import type { FileCount, FileCounter } from './file-counter.ts'
import type { ReadingOrder, ReadingResult } from './reader-thread.ts'

/** Minimum size of a share. A thread counts it in about 50 ms. */
const shareBytes = 1 << 20
/** Maximum number of files of a share. */
const shareFiles = 200
/** Shares that a thread has at a time, so that it has work until its result has arrived. */
const ordersAhead = 2

/** Some files in a row; `from` and `to` are indices, `to` exclusive. */
interface FileShare {
  from: number
  to: number
  isTaken: boolean
  counts?: FileCount[]
}

export interface SplitReadingOptions {
  question: string
  files: readonly PassageFile[]
  /** Index of the first file that is not counted yet, and the bytes of the files from there on. */
  from: number
  sizes: readonly number[]
  /** Number of threads in addition to this one. */
  threads: number
  count: FileCounter
  /** Called between two files, so that messages arrive. It rejects to end the search. */
  pause(): Promise<void>
  signal: AbortSignal
  /** Starts a thread; a test ends one. */
  startReader?: (question: string) => Worker
}

/** Threads that count files. A thread that dies leaves its files to the others. */
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

  /** Returns the counts of a file. Call it for all files from the first one, in their order. */
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
    // the last use of the counts of this share
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
    const own = new Set<FileShare>()
    const leave = () => {
      this.#readers.delete(reader)
      for (const share of own) share.isTaken = false
      own.clear()
      this.#tell()
    }
    reader.on('message', ({ from, counts }: ReadingResult) => {
      const share = [...own].find((one) => one.from === from)
      if (!share) return
      own.delete(share)
      share.counts = counts
      this.#order(reader, own)
      this.#tell()
    })
    reader.on('error', leave)
    reader.on('exit', leave)
    this.#readers.add(reader)
    for (let i = 0; i < ordersAhead; i++) this.#order(reader, own)
  }

  /** Gives the thread the next share, if one is left. */
  #order(reader: Worker, own: Set<FileShare>): void {
    const share = this.#freeShare()
    if (!share) return
    share.isTaken = true
    own.add(share)
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

/** Returns the script of the threads, next to the running bundle; undefined without a build. */
export function readerFile(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [here, join(here, '..'), join(here, '../../../dist')].map((dir) => join(dir, 'reader.cjs'))
  return places.find((file) => existsSync(file))
}
