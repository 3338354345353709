// Limits of one search: of the files that it reads, with the notice about a directory that contains more,
// and of the growth of the heap meanwhile.

import { setFlagsFromString } from 'node:v8'
import { groupDigits } from '../../base/text/count-noun.ts'

/** Largest number of files per search. Further files are not read, and the result says so. */
export const maxSearchedFiles = 50_000
export const maxSearchedBytes = 1_000_000_000

/** Returns one line that says which part of the files a search reads; undefined if it reads all of them. */
export function describeSearchLimit({ files, bytes }: { files: number; bytes: number }): string | undefined {
  if (files <= maxSearchedFiles && bytes <= maxSearchedBytes) return undefined
  const megabytes = groupDigits(Math.round(bytes / 1e6))
  return (
    `there are ${groupDigits(files)} files with ${megabytes} MB: one search reads ` +
    `${groupDigits(maxSearchedFiles)} files or 1 GB of them, what is likeliest to answer first; ` +
    '--root names a part'
  )
}

/**
 * How much the heap may grow before the next garbage collection, in percent of the memory in use. By default
 * it grows fourfold.
 */
const growthPercent = 15

/**
 * Sets how much the heap may grow before a collection, in percent; 0 restores the default. V8 reads the flag
 * at each collection.
 */
const setGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)

let users = 0

/** Smallest number of files for which the setting is changed. Fewer files leave little garbage. */
const manyFiles = 3_000

/**
 * Runs `work` and returns its result. With `manyFiles` files or more, the heap grows in smaller steps
 * meanwhile. The work takes no longer, because each of the additional collections is small.
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
