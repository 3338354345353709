// Reads a response's body: decompressed and held to a number of bytes; and decodes it to text.
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FailureError } from '../base/errors.ts'
import { decodeBytes } from '../base/text/decode-bytes.ts'

/** What a request says it can read; anything else coming back is refused. */
export const acceptedEncodings = 'gzip, deflate, br'

interface ResponseBody {
  bytes: Buffer
  /** True when there was more than `maxBytes`; the rest was neither read nor decompressed. */
  cut: boolean
}

/**
 * Memory stays near `maxBytes` whatever arrives: the limit holds for what comes out of decompression, which
 * goes on in small pieces and ends with the limit. Destroys `stream` when it does not end by itself.
 */
export async function readBody(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<ResponseBody> {
  const unpack = decoder(headers['content-encoding'])
  const source = unpack ? stream.pipe(unpack) : stream
  if (unpack) stream.once('error', (error) => unpack.destroy(error))
  const chunks: Uint8Array[] = []
  let size = 0
  let cut = false
  try {
    for await (const chunk of source) {
      const room = maxBytes - size
      cut = chunk.length > room
      chunks.push(cut ? chunk.subarray(0, room) : chunk)
      size += Math.min(chunk.length, room)
      if (cut) break
    }
  } finally {
    // the stream reports its own destruction as an error, which nobody waits for any more
    stream.on('error', () => undefined)
    stream.destroy()
    unpack?.destroy()
  }
  return { bytes: Buffer.concat(chunks, size), cut }
}

function decoder(encoding: string | undefined) {
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

/** In the encoding the content type names, UTF-8 without one; a character torn by the cut is left out. */
export function decodeBody(bytes: Uint8Array, type: string | undefined, cut: boolean): string {
  const label = /charset\s*=\s*"?([\w:.-]+)/i.exec(type ?? '')?.[1] ?? 'utf-8'
  try {
    return decodeBytes(bytes, label, { cut })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return decodeBytes(bytes, 'utf-8', { cut })
  }
}
