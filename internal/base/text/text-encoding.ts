// The distinction of text from other content, by the mark of PDF files, NUL bytes and invalid UTF-8, and its
// conversion without loss.
import { isUtf8 } from 'node:buffer'

/**
 * The content of a file. `text` keeps everything except the byte order mark, which `bom` reports. `encoding`
 * means invalid UTF-8 without NUL bytes.
 */
export type DecodedContent =
  | { kind: 'text'; text: string; bom: boolean }
  | { kind: 'image' | 'pdf' | 'utf16' | 'binary' | 'encoding' }

/**
 * Decodes a whole file. A PDF, or an image that is not valid text, is recognized by its first bytes,
 * regardless of its name.
 */
export function decodeText(bytes: Buffer): DecodedContent {
  const kind = contentKind(bytes)
  if (kind !== 'text') return { kind }
  const bom = hasBom(bytes)
  return { kind, text: bytes.toString('utf8', bom ? 3 : 0), bom }
}

/**
 * Returns the bytes of a text in UTF-8, with a byte order mark first if `bom`. `text`
 * must pass `findUnwritable`.
 */
export function encodeText(text: string, bom = false): Buffer {
  return Buffer.from(bom ? `\uFEFF${text}` : text, 'utf8')
}

/**
 * Returns the kind of content. A PDF may be all ASCII, so its first bytes are checked before the text. The
 * first bytes of other formats are checked only for content that is not text.
 */
export function contentKind(bytes: Buffer): DecodedContent['kind'] {
  if (startsWith(bytes, '%PDF-')) return 'pdf'
  const nul = bytes.includes(0)
  if (!nul && isUtf8(bytes)) return 'text'
  if (isImage(bytes)) return 'image'
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'utf16'
  return nul ? 'binary' : 'encoding'
}

export function hasBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/**
 * Returns why a text cannot be written as a text file, or undefined. A written text must read back unchanged.
 */
export function findUnwritable(text: string): string | undefined {
  if (text.includes('\0')) return 'it holds a NUL character, which would make the file binary'
  // half of a surrogate pair has no UTF-8 form and would become U+FFFD
  if (/\p{Surrogate}/u.test(text)) return 'it holds half of a surrogate pair, which UTF-8 cannot express'
  return undefined
}

/** Removes an incomplete character at the end of truncated bytes, at most three bytes. */
export function trimCut(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needs > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}

/** Returns true for the first bytes of an image format that the tool look_at shows. */
function isImage(bytes: Buffer): boolean {
  const marks = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*', 'BM']
  if (marks.some((mark) => startsWith(bytes, mark))) return true
  if (startsWith(bytes, 'RIFF')) return bytes.toString('latin1', 8, 12) === 'WEBP'
  return bytes.toString('latin1', 4, 12) === 'ftypavif'
}

const startsWith = (bytes: Buffer, mark: string) => bytes.toString('latin1', 0, mark.length) === mark
