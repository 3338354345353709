// Reader of parts of a stored text of which an event shows only a shortened form.
import { FailureError } from '../../base/errors.ts'
import { readBlobPart } from '../../store/blob-text.ts'
import type { Store } from '../../store/store.ts'
import { listChildThreads } from './subagent-threads.ts'

/** Maximum number of characters of one part, in UTF-16 code units. */
const maxCharacters = 1_048_576

/**
 * Returns a part of a stored text that an event of the thread or its subagents names, and the total number of
 * characters. A part has at most 1,048,576 characters. Throws FailureError `not_found` if no event names the
 * text or it is no longer stored, and `io` if the file is damaged.
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
