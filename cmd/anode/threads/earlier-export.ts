// The check whether a file is an export of a thread.
import { objectOf, parseJson } from '../../../internal/base/untrusted-json.ts'

export const threadExport = {
  what: 'export of a thread',
  isOwn: (bytes: Buffer) => isExport(bytes.toString('utf8')),
  // The check reads only this part of the file, because the head of an export is smaller.
  maxBytes: 65_536,
}

function isExport(head: string): boolean {
  if (/^# .*?\n\n(?:[a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}, \S/s.test(head)) return true
  const [line = ''] = head.split('\n', 1)
  const event = objectOf(parseJson(line))
  return typeof event?.type === 'string' && typeof event.run_id === 'string'
}
