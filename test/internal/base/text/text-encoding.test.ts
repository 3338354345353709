// What counts as text, and that decoding loses nothing.
import { describe, expect, it } from 'vitest'
import {
  decodeText,
  encodeText,
  findUnwritable,
  trimCut,
} from '../../../../internal/base/text/text-encoding.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

describe('decode', () => {
  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'text'],
    ['ASCII', Buffer.from('x\n'), 'text'],
    ['non-ASCII', Buffer.from('naïve – 日本語 🙂'), 'text'],
    ['control characters', Buffer.from('\x1b[31mred\x07'), 'text'],
    ['text that begins like a bitmap', Buffer.from('BM is a name'), 'text'],
    ['text that begins like a GIF', Buffer.from('GIF89a is a format'), 'text'],
    ['NUL', Buffer.from('a\0b'), 'binary'],
    ['latin-1', Buffer.from('na\xefve', 'latin1'), 'encoding'],
    ['overlong form', Buffer.from([0xc0, 0xaf]), 'encoding'],
    ['encoded surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'encoding'],
    ['UTF-16 with mark', Buffer.from('\uFEFFhello', 'utf16le'), 'utf16'],
    ['PNG', png, 'image'],
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'image'],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image'],
    ['PDF in ASCII', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'pdf'],
  ])('%s', (_, bytes, kind) => {
    expect(decodeText(bytes).kind).toBe(kind)
  })

  it('keeps every character and gives the bytes back', () => {
    const bytes = Buffer.from('\uFEFFa\r\nb\u2028c\uFEFF\n')
    const content = decodeText(bytes)
    expect(content).toEqual({ kind: 'text', bom: true, text: 'a\r\nb\u2028c\uFEFF\n' })
    if (content.kind === 'text') expect(encodeText(content.text, content.bom).equals(bytes)).toBe(true)
  })
})

describe('unwritable', () => {
  it.each<[string, boolean]>([
    ['plain', false],
    ['🙂', false],
    ['\ud83d alone', true],
    ['alone \ude42', true],
    ['a\0b', true],
  ])('%j', (text, refused) => {
    expect(findUnwritable(text) !== undefined).toBe(refused)
  })
})

describe('trimCut', () => {
  it('ends at a whole character wherever the cut was', () => {
    const bytes = Buffer.from('aé日🙂z')
    for (let n = 0; n <= bytes.length; n++) {
      const text = trimCut(bytes.subarray(0, n)).toString()
      expect('aé日🙂z'.startsWith(text)).toBe(true)
      expect(Buffer.byteLength(text)).toBeGreaterThan(n - 4)
    }
  })
})
