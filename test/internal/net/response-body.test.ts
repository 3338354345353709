// Bodies: every encoding asked for, character sets, and what a cut leaves.
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeBody, readBody } from '../../../internal/net/response-body.ts'

async function read(bytes: Uint8Array, headers: Record<string, string> = {}, limit = 1000) {
  const body = await readBody(Readable.from([bytes]), headers, limit)
  return { text: decodeBody(body.bytes, headers['content-type'], body.cut), cut: body.cut }
}

test.each([
  ['gzip', gzipSync('hällo')],
  ['x-gzip', gzipSync('hällo')],
  ['GZIP', gzipSync('hällo')],
  ['deflate', deflateSync('hällo')],
  ['br', brotliCompressSync('hällo')],
  ['identity', Buffer.from('hällo')],
])('%s is read', async (encoding, bytes) => {
  expect(await read(bytes, { 'content-encoding': encoding })).toEqual({ text: 'hällo', cut: false })
})

test.each([
  ['text/html; charset="iso-8859-15"', [0xa4, 0x61], '€a'],
  ['text/html;charset=UTF-16LE', [0x61, 0, 0x62, 0], 'ab'],
  ['text/html; charset=unheard-of', [0xc3, 0xa4], 'ä'],
  ['text/html', [0xc3, 0xa4, 0xff], 'ä\ufffd'],
])('%s is decoded', async (type, bytes, text) => {
  expect(await read(Uint8Array.from(bytes), { 'content-type': type })).toEqual({ text, cut: false })
})

test('drops a character that the limit splits', async () => {
  expect(await read(Buffer.from('aäb'), {}, 2)).toEqual({ text: 'a', cut: true })
})

test('rejects a stream that breaks', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('gone')) })
  await expect(readBody(broken, { 'content-encoding': 'gzip' }, 10)).rejects.toThrow('gone')
})
