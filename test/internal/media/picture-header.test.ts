// Format and size from the header.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPictureHeader } from '../../../internal/media/picture-header.ts'

const wide = sharp({ create: { width: 30, height: 20, channels: 3, background: 'blue' } })

test.each([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['gif', 'gif'],
  ['webp', 'webp'],
] as const)('reads the size of %s', async (format, name) => {
  const bytes = await wide.clone().toFormat(format).toBuffer()
  expect(readPictureHeader(bytes)).toEqual({ format: name, width: 30, height: 20 })
})

test('measures a rotated photograph as it is shown', async () => {
  const bytes = await wide.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  expect(readPictureHeader(bytes)).toEqual({ format: 'jpg', width: 20, height: 30 })
})

test('reads the size of an SVG file from its size or view box', () => {
  expect(readPictureHeader(Buffer.from('<svg width="12" height="8"/>'))).toMatchObject({
    format: 'svg',
    width: 12,
    height: 8,
  })
  expect(readPictureHeader(Buffer.from('<svg viewBox="0 0 40 10"/>'))).toMatchObject({
    width: 40,
    height: 10,
  })
})

test('returns undefined for an unreadable image', () => {
  for (const bytes of ['', 'text', '\x89PNG\r\n\x1a\n', '<svg>']) {
    expect(readPictureHeader(Buffer.from(bytes, 'latin1'))).toBeUndefined()
  }
})
