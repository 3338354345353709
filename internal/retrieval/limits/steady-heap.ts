// Keeps memory low while many files are read one after the other, each of which is garbage soon after.
import { setFlagsFromString } from 'node:v8'

/** The heap may grow by this share of what is in use before it is cleared; left alone it grows fourfold. */
const growthPercent = 15

/** The flag that V8 reads each time it sets the next limit of its heap; 0 leaves that to itself. */
const setGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)

let users = 0

/** Minimum number of files. Fewer files leave little garbage behind. */
const manyFiles = 3_000

/**
 * Runs `work`. For many files the heap grows in smaller steps. The work takes equally long, because each more
 * frequent collection is small.
 */
export async function withSteadyHeap<T>(files: number, work: () => Promise<T>): Promise<T> {
  if (files < manyFiles) return work()
  if (users++ === 0) setGrowth(growthPercent)
  try {
    return await work()
  } finally {
    if (--users === 0) setGrowth(0)
  }
}
