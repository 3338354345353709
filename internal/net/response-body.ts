// Reader of a response's body that decompresses up to a number of bytes, and decoder to text.
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FailureError } from '../base/errors.ts'
import { decodeBytes } from '../base/text/decode-bytes.ts'

/** Encodings that a request accepts. A response that is compressed in any other way is rejected. */
export const acceptedEncodings = 'gzip, deflate, br'

interface ResponseBody {
  bytes: Buffer
  /** True if the body was longer than `maxBytes`; `bytes` does not contain the rest. */
  cut: boolean
}

/**
 * Returns the decompressed body, at most `maxBytes` of it. Memory stays near `maxBytes`, because the limit
 * applies to decompressed data, which arrives in small pieces. Destroys `stream` in the end. For an unknown
 * encoding, rejects with FailureError `network` and leaves the stream open.
 */
export async function readBody(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<ResponseBody> {
  const unpack = createDecoder(headers['content-encoding'])
  const source = unpack ? stream.pipe(unpack) : stream
  if (unpack) stream.once('error', (error) => unpack.destroy(error))
  const chunks: Uint8Array[] = []
  let size = 0
  let isCut = false
  try {
    for await (const chunk of source) {
      const room = maxBytes - size
      isCut = chunk.length > room
      chunks.push(isCut ? chunk.subarray(0, room) : chunk)
      size += Math.min(chunk.length, room)
      if (isCut) break
    }
  } finally {
    // Destroying the stream makes it report an error, which is ignored.
    stream.on('error', () => undefined)
    stream.destroy()
    unpack?.destroy()
  }
  return { bytes: Buffer.concat(chunks, size), cut: isCut }
}

function createDecoder(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new FailureError({
        code: 'network',
        message: `the server answered with content encoding ${encoding}, which was not asked for`,
      })
  }
}

/**
 * Returns the text of a body, decoded by the charset of its content type, or as UTF-8 if it names none or an
 * unknown one. An incomplete character at the end of a cut body is removed.
 */
export function decodeBody(bytes: Uint8Array, type: string | undefined, isCut: boolean): string {
  const label = /charset\s*=\s*"?([\w:.-]+)/i.exec(type ?? '')?.[1] ?? 'utf-8'
  try {
    return decodeBytes(bytes, label, { cut: isCut })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return decodeBytes(bytes, 'utf-8', { cut: isCut })
  }
}
