// Decoder of a compressed response body. Some gateways compress although no request asks them to.
import { Readable } from 'node:stream'
import { BrokenConnectionError, ConnectionError } from './connection-errors.ts'

const decoders = {
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
  zstd: 'createZstdDecompress',
} as const

const isKnown = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name)

/**
 * Yields the decoded bytes of `body`; `encoding` is the header `content-encoding`. Throws
 * `BrokenConnectionError` for damaged data, an unknown encoding, and an error of `body` that
 * is not a `ConnectionError`.
 */
export async function* decodeBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const name = encoding.trim().toLowerCase()
  const zlib = await import('node:zlib')
  const create = isKnown(name) ? (zlib as Partial<typeof zlib>)[decoders[name] as 'createGunzip'] : undefined
  if (!create)
    throw new BrokenConnectionError(false, new Error(`unknown content encoding ${JSON.stringify(name)}`))
  const decoder = create()
  const source = Readable.from(body, { objectMode: false })
  // An error of the source ends the decoder with that same error, so that a stalled connection is still
  // reported as stalled.
  source.on('error', (error) => decoder.destroy(error))
  source.pipe(decoder)
  try {
    for await (const part of decoder) yield part as Uint8Array
  } catch (error) {
    throw error instanceof ConnectionError ? error : new BrokenConnectionError(false, error)
  } finally {
    source.destroy()
    decoder.destroy()
  }
}
