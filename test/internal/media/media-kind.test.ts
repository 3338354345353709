// The detection of file types by content, independent of the name.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { detectMediaKind } from '../../../internal/media/media-kind.ts'
import { makePdf } from '../../support/pdf.ts'

const square = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })

test.each(['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'] as const)(
  'detects %s as an image',
  async (format) => {
    expect(detectMediaKind(await square.clone().toFormat(format).toBuffer())).toBe('picture')
  },
)

test.each([
  ['<svg width="1" height="1"/>', 'svg'],
  ['\ufeff<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg>', 'svg'],
  ['<html><svg></svg></html>', 'text'],
  ['plain é text', 'text'],
  ['BM is how this text begins, and it is long enough', 'text'],
  ['See the WEBP files', 'text'],
  ['The JXL files and ftypavif', 'text'],
  ['Box ftypavif', 'text'],
  ['', 'text'],
  ['a\0b', 'other'],
  ['\x7fELF\x02\x01\x01\0', 'other'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'other'],
  ['RIFF\x24\0\0\0AVI LIST', 'other'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'picture'],
])('%j is %s', (text, kind) => {
  expect(detectMediaKind(Buffer.from(text))).toBe(kind)
})

test('detects other types', () => {
  expect(detectMediaKind(makePdf(['x']))).toBe('pdf')
  expect(detectMediaKind(Buffer.from('junk before\n%PDF-1.4'))).toBe('pdf')
  expect(detectMediaKind(Buffer.from([0xc3, 0x28, 0xff, 0x80, 0x41]))).toBe('other')
  const bitmap = Buffer.alloc(60)
  bitmap.write('BM')
  bitmap.writeUInt32LE(40, 14)
  expect(detectMediaKind(bitmap)).toBe('picture')
})

test.each(['a', 'é', '本', '😀'])('detects a text of %s as text, wherever its prefix ends', (character) => {
  const kinds = Array.from({ length: 9 }, (_, offset) => {
    const text = Buffer.from(`${'x'.repeat(offset)}${character.repeat(5_000)}`)
    return [detectMediaKind(text), detectMediaKind(text.subarray(0, 1_000))]
  })
  expect(kinds).toEqual(kinds.map(() => ['text', 'text']))
})

test('does not detect a text with an invalid character before its end', () => {
  const text = Buffer.from('本'.repeat(5_000))
  text[4_000] = 0xff
  expect(detectMediaKind(text)).toBe('other')
})
