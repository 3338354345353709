// Kind of a file for `look_at`, by its content alone.
import { isUtf8 } from 'node:buffer'
import { trimCut } from '../base/text/text-encoding.ts'

type MediaKind = 'picture' | 'svg' | 'pdf' | 'text' | 'other'

/**
 * Returns the kind of the file by its content. `bytes` may be only its beginning. A file of no other kind
 * counts as text if its first 4,096 bytes are UTF-8 without zero bytes.
 */
export function detectMediaKind(bytes: Buffer): MediaKind {
  // readers accept a PDF header anywhere in the first kilobyte
  if (bytes.subarray(0, 1_024).includes('%PDF-')) return 'pdf'
  if (isPicture(bytes)) return 'picture'
  const head = bytes.subarray(0, 4_096)
  if (isSvg(head.toString('utf8'))) return 'svg'
  // the prefix may end in the middle of a UTF-8 character
  return !head.includes(0) && isUtf8(trimCut(head)) ? 'text' : 'other'
}

/** First bytes by which image formats are recognized. */
const marks: readonly [offset: number, mark: string][] = [
  [0, '\x89PNG\r\n\x1a\n'],
  [0, '\xff\xd8\xff'],
  [0, 'GIF87a'],
  [0, 'GIF89a'],
  [8, 'WEBP'],
  [4, 'ftypavif'],
  [4, 'ftypavis'],
  [4, 'ftypheic'],
  [4, 'ftypheix'],
  [4, 'ftypmif1'],
  [0, 'II*\0'],
  [0, 'MM\0*'],
  [0, '\0\0\x01\0'],
  [0, '8BPS'],
  [0, 'qoif'],
  [0, '\xff\x0a'],
  [4, 'JXL '],
  [4, 'jP  '],
]

function isPicture(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 32)
  // The two letters `BM` can also begin a text, so the size of the bitmap header is checked too.
  if (head.startsWith('BM') && bytes.length > 26)
    return bytes.readUInt32LE(14) >= 12 && bytes[14] !== 0 && bytes[15] === 0
  return marks.some(([offset, mark]) => head.startsWith(mark, offset))
}

function isSvg(text: string): boolean {
  const body = text
    .replace(/^\ufeff?\s*/, '')
    .replace(/^(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*/i, '')
  return /^<(?:\w+:)?svg[\s>]/.test(body)
}
