// Conversion of an image to a size that a model accepts.
import type { PictureHeader } from './picture-header.ts'

/** Largest size of an image that is sent to a model: its longest edge in pixels, and its file in bytes. */
export const maxEdgePixels = 1_568
export const maxPictureBytes = 512 * 1_024

export interface SentPicture {
  mime: string
  bytes: Buffer
  width: number
  height: number
}

/** Attempts to make an image small enough, in order: first with lower quality, then with fewer pixels. */
const steps: readonly [edge: number, quality: number][] = [
  [maxEdgePixels, 85],
  [maxEdgePixels, 70],
  [maxEdgePixels, 50],
  [1_200, 60],
  [900, 60],
  [600, 50],
  [400, 40],
]

/**
 * Largest number of decoded pixels. A larger image is either an attack on memory or a map, and
 * is not decoded.
 */
const maxPixels = 100_000_000
const seconds = 20

/**
 * Returns the image as JPEG: upright, on white, without metadata, with at most 1,568 pixels on an edge and at
 * most 512 KiB. Without the optional package sharp, returns an unchanged PNG, JPEG, GIF or WebP image within
 * these limits. Returns a string with the reason if the image cannot be sent.
 */
export async function shrinkPicture(
  bytes: Buffer,
  size: PictureHeader | undefined,
): Promise<SentPicture | string> {
  const sharp = await loadSharp()
  if (!sharp) return passPictureUnchanged(bytes, size)
  try {
    for (const [edge, quality] of steps) {
      const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels })
        .timeout({ seconds })
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .jpeg({ quality })
        .toBuffer({ resolveWithObject: true })
      if (data.length <= maxPictureBytes) {
        return { mime: 'image/jpeg', bytes: data, width: info.width, height: info.height }
      }
    }
    return 'it cannot be made small enough to be sent'
  } catch (error) {
    return `it cannot be decoded: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  }
}

type SharpModule = typeof import('sharp').default

/** Returns the package sharp, or undefined if it or its binary for this machine is not installed. */
async function loadSharp(): Promise<SharpModule | undefined> {
  try {
    const loaded = await import('sharp')
    return loaded.default
  } catch {
    // The package `sharp` is optional: without it only small images can be sent.
    return undefined
  }
}

const mimes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/**
 * Returns the image unchanged if its format and size can be sent without decoding, else a string
 * with the reason.
 */
export function passPictureUnchanged(bytes: Buffer, size: PictureHeader | undefined): SentPicture | string {
  const mime = mimes[size?.format ?? '']
  const remedy = 'install the optional package sharp to have it converted'
  if (!size || !mime) return `its format cannot be sent as it is; ${remedy}`
  if (bytes.length > maxPictureBytes || Math.max(size.width, size.height) > maxEdgePixels) {
    return `it is more than ${maxEdgePixels} pixels or ${maxPictureBytes / 1_024} KiB; ${remedy}`
  }
  return { mime, bytes, width: size.width, height: size.height }
}
