// The whole of a text that was cut, a part at a time.
import { FailureError } from '../../base/errors.ts'
import { readBlobPart } from '../../store/blob-text.ts'
import type { Store } from '../../store/store.ts'
import { listChildThreads } from './subagent-threads.ts'

/** Most characters of one answer. */
const maxCharacters = 1_048_576

/**
 * A part of a text that an event of the thread, or of a child of it, shows cut, and how many characters it
 * has in all. Throws FailureError `not_found` for every other one and for what is not kept, `io` where it was
 * damaged.
 */
export function readBlobText(
  store: Store,
  thread: string,
  hash: string,
  { offset, limit }: { offset: number; limit: number },
): { text: string; total: number } {
  const { threads } = store
  const isNamed =
    threads.namesText(thread, hash) ||
    listChildThreads(store, thread).some((child) => threads.namesText(child, hash))
  if (!isNamed)
    throw new FailureError({ code: 'not_found', message: 'nothing in this thread has such a text' })
  const range = { offset: Math.max(0, offset), limit: Math.min(Math.max(0, limit), maxCharacters) }
  const part = readBlobPart(store.blobs.path(hash), hash, range)
  if (!part) throw new FailureError({ code: 'not_found', message: 'this text is no longer kept' })
  return part
}
