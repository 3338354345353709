// The whole of a text that was cut, a part at a time.
import { FailureError } from '../../../base/errors.ts'
import type { Store } from '../../../store/store.ts'

/** Most characters of one answer. */
const maxCharacters = 1_048_576

/** Throws FailureError `not_found` for what is not kept, `io` where it was damaged. */
export function readBlobText({ blobs }: Store, hash: string, offset: number, limit: number): string {
  const bytes = blobs.get(hash)
  if (!bytes) throw new FailureError({ code: 'not_found', message: 'this text is no longer kept' })
  const from = Math.max(0, offset)
  return new TextDecoder().decode(bytes).slice(from, from + Math.min(Math.max(0, limit), maxCharacters))
}
