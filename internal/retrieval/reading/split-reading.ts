// A long search, split over several threads. Each counts some files in a row, and the results are taken in the order of
// the files, so that the number of threads changes no result.
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
interface Share {
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
  /** Threads besides this one. */
  threads: number
  count: FileCounter
  /** Called between two files, so that messages arrive. It rejects to end the search. */
  pause(): Promise<void>
  signal: AbortSignal
}

export interface SplitReading {
  /** Returns the counts of a file. Call it for all files from the first one, in their order. */
  count(index: number): Promise<FileCount>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Starts the threads. A thread that dies leaves its files to the others. */
export function splitReading(options: SplitReadingOptions): SplitReading {
  const { files, count, pause, signal } = options
  const shares = cutShares(options)
  const readers = new Set<Worker>()
  let tell = () => undefined as void
  let news = Promise.resolve()
  const listen = () => {
    news = new Promise((resolve) => {
      tell = () => {
        listen()
        resolve()
      }
    })
  }
  listen()
  const stop = () => tell()
  signal.addEventListener('abort', stop)
  const freeShare = () => shares.find(({ isTaken }) => !isTaken)

  const start = () => {
    const reader = new Worker(readerFile() as string, {
      workerData: { question: options.question },
      stdout: true,
      stderr: true,
    })
    const own = new Set<Share>()
    const order = () => {
      const share = freeShare()
      if (!share) return
      share.isTaken = true
      own.add(share)
      const named = files.slice(share.from, share.to).map(({ path, real }) => ({ path, real }))
      reader.postMessage({ from: share.from, files: named } satisfies ReadingOrder)
    }
    const leave = () => {
      readers.delete(reader)
      for (const share of own) share.isTaken = false
      own.clear()
      tell()
    }
    reader.on('message', ({ from, counts }: ReadingResult) => {
      const share = [...own].find((one) => one.from === from)
      if (!share) return
      own.delete(share)
      share.counts = counts
      order()
      tell()
    })
    reader.on('error', leave)
    reader.on('exit', leave)
    readers.add(reader)
    for (let i = 0; i < ordersAhead; i++) order()
  }
  for (let i = 0; i < options.threads; i++) start()

  const countHere = async (share: Share) => {
    share.isTaken = true
    const counts: FileCount[] = []
    for (let i = share.from; i < share.to; i++) {
      counts.push(await count(files[i] as PassageFile, i))
      await pause()
    }
    share.counts = counts
  }
  let current = 0
  return {
    async count(index) {
      while ((shares[current] as Share).to <= index) current++
      const share = shares[current] as Share
      while (!share.counts) {
        const next = share.isTaken ? freeShare() : share
        if (next) await countHere(next)
        else {
          await news
          await pause()
        }
      }
      const counted = share.counts[index - share.from] as FileCount
      // the last use of the counts of this share
      if (index === share.to - 1) share.counts = []
      return counted
    },
    async close() {
      signal.removeEventListener('abort', stop)
      await Promise.all([...readers].map((reader) => reader.terminate()))
    },
  }
}

function cutShares({ files, from, sizes }: SplitReadingOptions): Share[] {
  const shares: Share[] = []
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

/** Returns the script of the threads, next to the running bundle; undefined without a build. */
export function readerFile(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [
    join(here, 'reader.cjs'),
    join(here, '../reader.cjs'),
    join(here, '../../../dist/reader.cjs'),
  ]
  return places.find((file) => existsSync(file))
}
