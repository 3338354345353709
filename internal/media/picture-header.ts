// Reader of the format and size of an image from its header.
import { imageSize } from 'image-size'

export interface PictureHeader {
  /** Name of the format: `png`, `jpg`, `svg`, … */
  format: string
  /** Width in pixels, as the image is shown. A rotated photo is measured after its rotation. */
  width: number
  height: number
}

const types: Readonly<Record<string, string>> = { jpg: 'jpeg', svg: 'svg+xml', ico: 'x-icon' }

export const pictureType = (format: string): string => `image/${types[format] ?? format}`

/**
 * Returns how a PNG, GIF or JPEG image stores its pixels, as a mode name of Python's imaging library (`RGB`,
 * `L`). Returns undefined for other formats and unknown modes.
 */
export function readPictureMode(bytes: Buffer, format: string): string | undefined {
  if (format === 'png' && bytes.length > 25) return pngModes[bytes.readUInt8(25)]
  if (format === 'gif') return 'P'
  if (format !== 'jpg') return undefined
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1)
    // Only these markers begin the header with the size of the image; the others in this range begin tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { 1: 'L', 3: 'RGB', 4: 'CMYK' }[bytes.readUInt8(at + 9)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const pngModes: Readonly<Record<number, string>> = { 0: 'L', 2: 'RGB', 3: 'P', 4: 'LA', 6: 'RGBA' }

/** Returns the header, or undefined if it cannot be read. `bytes` may be only the beginning of the file. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  try {
    const { width, height, type, orientation } = imageSize(bytes)
    const turned = orientation !== undefined && orientation >= 5
    return { format: type ?? 'picture', width: turned ? height : width, height: turned ? width : height }
  } catch {
    // The header is unknown or damaged, so the caller describes an image of unknown size.
    return undefined
  }
}
