// Protection of git and searches from files that never end: a check before a call, and another one during
// a long call.
import { FailureError } from '../../base/errors.ts'
import { findBlockingFile, type GitLayout, searchBlockingFile } from './git-layout.ts'

/** Milliseconds after which a running call triggers a search for a blocking file. */
const suspiciousMs = 2_000

/**
 * Runs `work` with a signal that also aborts if a file below `dir` is a pipe, a device or far too large. It
 * then rejects with FailureError `io` that names the file. `work` is not started if git reads such a file in
 * nearly every call. `layout` is the repository around `dir`, if any. A field `ended` in the result of `work`
 * means that the work was stopped early.
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
