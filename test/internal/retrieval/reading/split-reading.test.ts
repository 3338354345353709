// A search that several threads read gives the counts of one thread, also if threads die or the search is cancelled.
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { PassageFile } from '../../../../internal/retrieval/passage.ts'
import { createFileCounter, type FileCount } from '../../../../internal/retrieval/reading/file-counter.ts'
import {
  SplitReading,
  type SplitReadingOptions,
  startReader,
} from '../../../../internal/retrieval/reading/split-reading.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { choice, rng } from '../../../support/rng.ts'
import { plant } from '../../../support/scratch.ts'
import { scratch } from '../../process/scratch.ts'

const question = 'How long does the store keep a lock after a crash?'
const words = 'the store keeps a lock for 30 seconds after every crash and no process waits longer'.split(' ')

function corpus(count: number): PassageFile[] {
  const random = rng(count)
  const dir = scratch()
  const paths = Array.from(
    { length: count },
    (_, i) => `d${i % 7}/f${i}.${choice(random, ['md', 'ts', 'json'])}`,
  )
  const line = () => Array.from({ length: 12 }, () => choice(random, words)).join(' ')
  plant(dir, Object.fromEntries(paths.map((path) => [path, `# ${line()}\n\n${line()}.\n\n${line()}.\n`])))
  return [...paths, 'missing.md'].map((path) => ({ path, real: `${dir}/${path}` }))
}

async function readAll(
  files: readonly PassageFile[],
  options: Partial<SplitReadingOptions> & { threads: number },
) {
  const count = createFileCounter(await parseQuestion(question))
  const sizes = files.map((_, i) => (i % 40 === 39 ? 2 << 20 : 0))
  const pause = () => setImmediate()
  const signal = new AbortController().signal
  const reading = new SplitReading({ question, files, from: 0, sizes, count, pause, signal, ...options })
  const counts: FileCount[] = []
  try {
    for (const index of files.keys()) counts.push(await reading.count(index))
    return counts
  } finally {
    await reading.close()
  }
}

async function readAlone(files: readonly PassageFile[]): Promise<FileCount[]> {
  const count = createFileCounter(await parseQuestion(question))
  const counts: FileCount[] = []
  for (const [index, file] of files.entries()) counts.push(await count(file, index))
  return counts
}

test.each([1, 3])('counts with %i further threads what one thread counts', async (threads) => {
  const files = corpus(700)
  const alone = await readAlone(files)
  expect(await readAll(files, { threads })).toEqual(alone)
  expect(alone.flatMap((one) => ('passages' in one ? one.passages : [])).length).toBeGreaterThan(100)
  expect(alone.at(-1)).toHaveProperty('skipped')
})

test('reads again what a thread had that died, at any time', async () => {
  const files = corpus(400)
  const alone = await readAlone(files)
  for (const after of [0, 1, 2, 4]) {
    const ended: Promise<number>[] = []
    let results = 0
    const begin = (text: string): Worker => {
      const reader = startReader(text)
      if (after === 0) ended.push(reader.terminate())
      reader.on('message', () => {
        if (++results === after) ended.push(reader.terminate())
      })
      return reader
    }
    expect(await readAll(files, { threads: 2, startReader: begin }), `after ${after}`).toEqual(alone)
    await Promise.all(ended)
  }
})

test('a search that is cancelled does not wait for its threads', async () => {
  const files = corpus(200)
  const stop = new AbortController()
  const count = createFileCounter(await parseQuestion(question))
  const pause = async () => {
    await setImmediate()
    stop.signal.throwIfAborted()
  }
  const silent = (text: string): Worker => {
    const reader = startReader(text)
    // its orders are lost
    reader.postMessage = () => undefined
    return reader
  }
  const sizes = files.map(() => 0)
  const options = { question, files, from: 0, sizes, count, pause, signal: stop.signal, threads: 1 }
  const reading = new SplitReading({ ...options, startReader: silent })
  const last = reading.count(files.length - 1)
  stop.abort(new Error('cancelled by the test'))
  await expect(last).rejects.toThrow('cancelled by the test')
  await reading.close()
})
