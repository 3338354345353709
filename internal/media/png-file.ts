// Writer of pixels as a PNG file.
import { crc32, deflateSync } from 'node:zlib'

interface PixelImage {
  width: number
  height: number
  /** Bytes per pixel: 1 for gray, 3 for RGB, 4 for RGBA. */
  channels: 1 | 3 | 4
  /** Pixels, row after row from the top of the image. */
  pixels: Uint8Array
}

const colorTypes = { 1: 0, 3: 2, 4: 6 } as const

export function encodePng({ width, height, channels, pixels }: PixelImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(colorTypes[channels], 9)
  const row = width * channels
  const raw = Buffer.alloc((row + 1) * height)
  // each row begins with the number of its filter, 0 for no filter
  for (let y = 0; y < height; y++) raw.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    mark,
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(raw)),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

function createChunk(name: string, body: Buffer): Buffer {
  const out = Buffer.alloc(body.length + 12)
  out.writeUInt32BE(body.length, 0)
  out.write(name, 4, 'latin1')
  body.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8)
  return out
}
