// Keeps git and searches from waiting for a file that never ends: looks before, and once more when a call
// takes long.
import { FailureError } from '../../base/errors.ts'
import { findBlockingFile, type GitLayout, searchBlockingFile } from './git-layout.ts'

/** A call that takes this long makes us look for what it may be waiting for. */
const suspiciousMs = 2_000

/**
 * Runs `work` with a signal that also aborts when a file below `dir` turns out to be a pipe, a device or far
 * too large, and then rejects with FailureError `io` that names it. Rejects before it where such a file is
 * one that is always read. `layout` is the repository around `dir`, if any. What `work` gives has ended early
 * where its `ended` is set.
 */
export async function runUnblocked<T extends { ended?: unknown } | undefined>(
  layout: GitLayout | undefined,
  dir: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const first = layout && findBlockingFile(layout)
  if (first !== undefined) throw blocked(first)
  const stuck = new AbortController()
  const over = new AbortController()
  let found: string | undefined
  const timer = setTimeout(async () => {
    found = await searchBlockingFile(dir, layout, over.signal)
    if (found !== undefined) stuck.abort()
  }, suspiciousMs).unref()
  try {
    const outcome = await work(signal ? AbortSignal.any([signal, stuck.signal]) : stuck.signal)
    if (found !== undefined && outcome?.ended !== undefined && !signal?.aborted) throw blocked(found)
    return outcome
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

function blocked(path: string): FailureError {
  return new FailureError({
    code: 'io',
    message: `${path} is a pipe, a device or far too large: reading it would never end`,
    hint: 'Remove it, or put a regular file in its place.',
  })
}
