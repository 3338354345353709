// A worker thread that counts the words of a question in files, for a search in another thread. The build
// writes it as dist/reader.cjs.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { parseQuestion } from '../words.ts'
import { createFileCounter, type FileCount } from './file-counter.ts'

/** A message to a thread: consecutive files to count, in the order in which the search reads them. */
export interface ReadingOrder {
  /** Index of the first file. */
  from: number
  files: readonly { path: string; real: string }[]
}

/** The counts of the files of one message, with the index of its first file. */
export interface ReadingResult {
  from: number
  counts: FileCount[]
}

/**
 * Counts the files of each message, one message after the other, and sends their counts back, until the
 * thread is ended.
 */
async function serveOrders(port: MessagePort): Promise<void> {
  const count = createFileCounter(await parseQuestion((workerData as { question: string }).question))
  let last = Promise.resolve()
  port.on('message', ({ from, files }: ReadingOrder) => {
    last = last.then(async () => {
      const counts: FileCount[] = []
      for (const [i, file] of files.entries()) counts.push(await count(file, from + i))
      port.postMessage({ from, counts } satisfies ReadingResult)
    })
  })
}

if (parentPort) void serveOrders(parentPort)
