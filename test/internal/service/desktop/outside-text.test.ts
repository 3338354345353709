// Images that the user names: the types that are sent, by their first bytes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import { readPicture } from '../../../../internal/service/desktop/outside-text.ts'
import { scratch } from '../../../support/scratch.ts'

const square = sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })

function read(bytes: Buffer) {
  const dir = scratch()
  writeFileSync(join(dir, 'picture'), bytes)
  return readPicture(dir, 'picture')
}

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('reads a file of the format %s', async (format) => {
  const bytes = await square.clone().toFormat(format).toBuffer()
  const base64 = bytes.toString('base64')
  expect(await read(bytes)).toEqual({ mime: `image/${format}`, base64, size: '4x3' })
})

test.each([
  ['a sound', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a film', 'RIFF\x24\0\0\0AVI LIST'],
  ['the beginning of a WebP file', 'RIFF'],
  ['a text with the letters of WebP', 'See the WEBP files'],
  ['no version of GIF', 'GIF80a\x04\0\x03\0'],
  ['the beginning of a PNG file', '\x89PNG'],
  ['an image that is not sent', 'II*\0\x08\0\0\0'],
  ['nothing', ''],
])('rejects %s', async (_, text) => {
  await expect(read(Buffer.from(text, 'latin1'))).rejects.toThrow(UserError)
})
