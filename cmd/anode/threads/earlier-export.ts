// Whether a file may be written anew: it is an export of a thread, or holds nothing.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { objectOf } from '../../../internal/base/untrusted-json.ts'

/** Bytes in which the head of an export ends. */
const headBytes = 65_536

/**
 * Throws UserError for a file that holds something else. What is no regular file, such as a pipe, and what
 * cannot be read is left to whoever writes.
 */
export function refuseForeignFile({ name, path }: { name: string; path: string }): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() && !isExport(readHead(path)))
    throw new UserError(`${name} exists and is no export of a thread`, {
      hint: 'name another file, or remove this one first',
    })
}

/** The empty text is one as well: nothing is lost with it. */
function isExport(head: string): boolean {
  if (head === '' || /^# .*?\n\n(?:[a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}, \S/s.test(head)) return true
  const [line = ''] = head.split('\n', 1)
  try {
    const event = objectOf(JSON.parse(line))
    return typeof event?.type === 'string' && typeof event.run_id === 'string'
  } catch {
    return false
  }
}

function readHead(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}
