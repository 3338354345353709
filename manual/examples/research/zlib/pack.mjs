// Packs a text with the settings under test and unpacks it without knowing them.
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  inflateRawSync,
} from 'node:zlib'

const strategies = {
  default: constants.Z_DEFAULT_STRATEGY,
  filtered: constants.Z_FILTERED,
  huffman: constants.Z_HUFFMAN_ONLY,
  rle: constants.Z_RLE,
  fixed: constants.Z_FIXED,
}

/** The first byte tells the method. */
export function pack(bytes, { method, spaces, level, memLevel, windowBits, strategy }) {
  const text = spaces === 'squeezed' ? Buffer.from(bytes.toString('utf8').replace(/ +/g, ' ')) : bytes
  const packed =
    method === 'brotli'
      ? brotliCompressSync(text)
      : deflateRawSync(text, { level, memLevel, windowBits, strategy: strategies[strategy] })
  return Buffer.concat([Buffer.from([method === 'brotli' ? 1 : 0]), packed])
}

export function unpack(packed) {
  const body = packed.subarray(1)
  return packed[0] === 1 ? brotliDecompressSync(body) : inflateRawSync(body)
}
