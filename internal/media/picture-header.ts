// Format and size of a picture, from its header.
import { imageSize } from 'image-size'

export interface PictureHeader {
  /** As the format is called: `png`, `jpg`, `svg`, … */
  format: string
  /** In pixels, as the picture is shown: a turned photograph is measured after turning. */
  width: number
  height: number
}

const types: Readonly<Record<string, string>> = { jpg: 'jpeg', svg: 'svg+xml', ico: 'x-icon' }

export const pictureType = (format: string): string => `image/${types[format] ?? format}`

/** How pixels are kept, in the names of Python's imaging library; undefined where that is not read. */
export function readPictureMode(bytes: Buffer, format: string): string | undefined {
  if (format === 'png' && bytes.length > 25) return pngModes[bytes.readUInt8(25)]
  if (format === 'gif') return 'P'
  if (format !== 'jpg') return undefined
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1)
    // the frame; the others in this range hold tables
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { 1: 'L', 3: 'RGB', 4: 'CMYK' }[bytes.readUInt8(at + 9)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const pngModes: Readonly<Record<number, string>> = { 0: 'L', 2: 'RGB', 3: 'P', 4: 'LA', 6: 'RGBA' }

/** Undefined when the header cannot be read. `bytes` may be a prefix of the file. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  try {
    const { width, height, type, orientation } = imageSize(bytes)
    const turned = orientation !== undefined && orientation >= 5
    return { format: type ?? 'picture', width: turned ? height : width, height: turned ? width : height }
  } catch {
    // an unknown or damaged header is a picture of unknown size, which the caller says
    return undefined
  }
}
