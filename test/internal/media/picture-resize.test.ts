// Images that are made small enough, and the error if that is not possible.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPictureHeader } from '../../../internal/media/picture-header.ts'
import {
  maxEdgePixels,
  maxPictureBytes,
  passPictureUnchanged,
  type SentPicture,
  shrinkPicture,
} from '../../../internal/media/picture-resize.ts'
import { random } from '../../support/search.ts'

/** Pixels without any order, which no format makes small. */
function noise(width: number, height: number): Promise<Buffer> {
  const next = random(11)
  const pixels = Buffer.from(Uint8Array.from({ length: width * height * 3 }, () => next() * 256))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })

async function sent(bytes: Buffer): Promise<SentPicture> {
  const result = await shrinkPicture(bytes, readPictureHeader(bytes))
  if (typeof result === 'string') throw new Error(result)
  return result
}

test('limits the longest edge to 1568, and enlarges nothing', async () => {
  expect(await sent(await plain(3_136, 1_000).png().toBuffer())).toMatchObject({
    mime: 'image/jpeg',
    width: maxEdgePixels,
    height: 500,
  })
  expect(await sent(await plain(10, 20).png().toBuffer())).toMatchObject({ width: 10, height: 20 })
})

test('limits an image to 512 KiB, with fewer pixels if necessary', async () => {
  const result = await sent(await noise(1_600, 1_600))
  expect(result.bytes.length).toBeLessThanOrEqual(maxPictureBytes)
  expect(readPictureHeader(result.bytes)).toEqual({
    format: 'jpg',
    width: result.width,
    height: result.height,
  })
})

test('makes transparent areas white, rotates images upright, and removes metadata', async () => {
  const { bytes } = await sent(await plain(8, 8).png().toBuffer())
  expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255])
  const photo = await plain(30, 20)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Artist: 'secret' } } })
    .toBuffer()
  expect(photo.includes('secret')).toBe(true)
  const upright = await sent(photo)
  expect(upright).toMatchObject({ width: 20, height: 30 })
  expect(upright.bytes.includes('secret')).toBe(false)
})

test('reports a damaged image', async () => {
  const bytes = (await plain(50, 50).png().toBuffer()).subarray(0, 60)
  expect(await shrinkPicture(Buffer.from(bytes), readPictureHeader(bytes))).toMatch(/^it cannot be decoded: /)
})

test.each([
  ['small', 'png', 100, 10, 'image/png'],
  ['too wide', 'png', 2_000, 10, /more than 1568 pixels or 512 KiB; install the optional package sharp/],
  ['of another format', 'tiff', 10, 10, /its format cannot be sent as it is/],
] as const)('without sharp an image that is %s', async (_, format, width, height, expected) => {
  const bytes = await plain(width, height).toFormat(format).toBuffer()
  const result = passPictureUnchanged(bytes, readPictureHeader(bytes))
  if (typeof expected === 'string') expect(result).toEqual({ mime: expected, bytes, width, height })
  else expect(result).toMatch(expected)
})

test('without sharp an image with too many bytes', async () => {
  const bytes = await noise(600, 600)
  expect(bytes.length).toBeGreaterThan(maxPictureBytes)
  expect(passPictureUnchanged(bytes, readPictureHeader(bytes))).toMatch(/more than/)
})
