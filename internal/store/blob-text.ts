// Parts of the text of a blob. The first reading reads the whole file and caches an index; with the index, a
// reading decodes only the part.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf, FailureError, messageOf } from '../base/errors.ts'

/**
 * Start positions of the pieces of a text, in bytes and in UTF-16 units. Each piece can be decoded
 * separately. The last entry is the end of the text.
 */
interface TextIndex {
  /** Identity of the file that was read. Another file of this name is indexed again. */
  file: string
  bytes: number[]
  units: number[]
}

/**
 * Size of a piece in bytes; a piece is up to 3 bytes shorter to end with a whole character, and the last one
 * may be shorter. To return a part, only the pieces that it overlaps are decoded.
 */
const pieceBytes = 262_144

/**
 * Largest number of indexes that are cached. If there are more, the one that was unused for
 * longest is removed.
 */
const maxIndexes = 8

const indexes = new Map<string, TextIndex>()

/**
 * Returns characters `offset` to `offset + limit` of the UTF-8 text in the blob at `path`, and the length of
 * the whole text, both in UTF-16 units. Undefined if the file does not exist. Throws FailureError `io` if it
 * cannot be read, or if a file that has no cached index does not match `hash`.
 */
export function readBlobPart(
  path: string,
  hash: string,
  { offset, limit }: { offset: number; limit: number },
): { text: string; total: number } | undefined {
  let handle: number | undefined
  try {
    handle = openSync(path, 'r')
    const index = findIndex(path, hash, handle)
    const { bytes, units } = index
    const total = units.at(-1) ?? 0
    const end = Math.min(total, offset + limit)
    if (offset >= end) return { text: '', total }
    // The piece in which the part begins, and the piece after the one in which it ends.
    const first = units.findLastIndex((unit) => unit <= offset)
    const behind = units.findIndex((unit) => unit >= end)
    const from = bytes[first] as number
    const text = decodePiece(readBytes(handle, from, (bytes[behind] as number) - from), from)
    const start = offset - (units[first] as number)
    return { text: text.slice(start, start + end - offset), total }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (error instanceof FailureError) throw error
    const message = `a kept text cannot be read: ${path} (${codeOf(error) ?? messageOf(error)})`
    throw new FailureError({ code: 'io', message, detail: { path } }, error)
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

function findIndex(path: string, hash: string, handle: number): TextIndex {
  const { ino, size, mtimeMs } = fstatSync(handle)
  const file = `${ino} ${size} ${mtimeMs}`
  const cachedIndex = indexes.get(path)
  const index = cachedIndex?.file === file ? cachedIndex : { file, ...indexText(path, hash, handle) }
  indexes.delete(path)
  indexes.set(path, index)
  const [oldest] = indexes.keys()
  if (indexes.size > maxIndexes && oldest !== undefined) indexes.delete(oldest)
  return index
}

function indexText(path: string, hash: string, handle: number): Pick<TextIndex, 'bytes' | 'units'> {
  const sum = createHash('sha256')
  const bytes = [0]
  const units = [0]
  for (;;) {
    const at = bytes.at(-1) as number
    const read = readBytes(handle, at, pieceBytes)
    if (read.length === 0) break
    const piece = read.length < pieceBytes ? read : read.subarray(0, wholeLength(read))
    sum.update(piece)
    bytes.push(at + piece.length)
    units.push((units.at(-1) as number) + decodePiece(piece, at).length)
  }
  if (sum.digest('hex') === hash) return { bytes, units }
  const message = `a kept text has been changed or damaged: ${path}`
  throw new FailureError({ code: 'io', message, detail: { path } })
}

/** Reads `length` bytes; fewer only at the end of the file. */
function readBytes(handle: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const read = readSync(handle, buffer, got, length - got, position + got)
    if (read === 0) break
    got += read
  }
  return buffer.subarray(0, got)
}

/** Returns the number of bytes without an incomplete UTF-8 character at the end. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Decodes a piece. A byte order mark is removed only at the start of the file. */
const decodePiece = (bytes: Uint8Array, at: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: at > 0 }).decode(bytes)
