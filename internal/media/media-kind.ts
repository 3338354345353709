// Kind of a file, and type of an image, by its content alone.
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
  if (detectPictureType(bytes) !== undefined) return 'picture'
  const head = bytes.subarray(0, 4_096)
  if (isSvg(head.toString('utf8'))) return 'svg'
  // the prefix may end in the middle of a UTF-8 character
  return !head.includes(0) && isUtf8(trimCut(head)) ? 'text' : 'other'
}

/**
 * Types of images with the text at the beginning of such a file, and where needed another text at an offset:
 * sounds and films also begin with `RIFF`, and the size of a box (of less than 16 MiB) with a zero byte.
 */
const pictureMarks: readonly (readonly [type: string, start: string, text?: string, offset?: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF', 'WEBP', 8],
  ['image/avif', '\0', 'ftypavif', 4],
  ['image/avif', '\0', 'ftypavis', 4],
  ['image/heic', '\0', 'ftypheic', 4],
  ['image/heic', '\0', 'ftypheix', 4],
  ['image/heif', '\0', 'ftypmif1', 4],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/x-icon', '\0\0\x01\0'],
  ['image/vnd.adobe.photoshop', '8BPS'],
  ['image/qoi', 'qoif'],
  ['image/jxl', '\xff\x0a'],
  ['image/jxl', '\0', 'JXL ', 4],
  ['image/jp2', '\0', 'jP  ', 4],
]

/** Returns the MIME type of an image by its first bytes; undefined for other content. */
export function detectPictureType(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 32)
  // The two letters `BM` can also begin a text, so the size of the bitmap header is checked too.
  if (head.startsWith('BM') && bytes.length > 26)
    return bytes.readUInt32LE(14) >= 12 && bytes[14] !== 0 && bytes[15] === 0 ? 'image/bmp' : undefined
  const marks = pictureMarks.find(
    ([, start, text = '', offset = 0]) => head.startsWith(start) && head.startsWith(text, offset),
  )
  return marks?.[0]
}

function isSvg(text: string): boolean {
  const body = text
    .replace(/^\ufeff?\s*/, '')
    .replace(/^(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*/i, '')
  return /^<(?:\w+:)?svg[\s>]/.test(body)
}
