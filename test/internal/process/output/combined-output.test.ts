// Two streams as one, and the whole of it in a file.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  captureOutput,
  combineOutput,
  tornLength,
} from '../../../../internal/process/output/combined-output.ts'
import { scratch } from '../scratch.ts'

async function textOf(parts: AsyncIterable<string> | undefined): Promise<string> {
  let text = ''
  for await (const part of parts ?? []) text += part
  return text
}

test('keeps both streams in the order of arrival', () => {
  const one = combineOutput(100)
  one.push(Buffer.from('out '), 'stdout')
  one.push(Buffer.from('err '), 'stderr')
  one.push(Buffer.from('out'), 'stdout')
  one.finish()
  expect(one.capture.captured().text).toBe('out err out')
})

test('does not put output of one stream inside a character of the other', () => {
  const one = combineOutput(100)
  const euro = Buffer.from('€')
  one.push(euro.subarray(0, 1), 'stdout')
  one.push(Buffer.from('!'), 'stderr')
  one.push(euro.subarray(1), 'stdout')
  one.push(euro.subarray(0, 2), 'stderr')
  one.finish()
  const { text, invalid, bytes } = one.capture.captured()
  expect({ text, invalid, bytes }).toEqual({ text: '!€\ufffd', invalid: true, bytes: 6 })
})

test('creates no file while the memory limit is not reached', () => {
  const file = join(scratch(), 'output')
  const one = combineOutput(10, file)
  one.push(Buffer.from('0123456789'), 'stdout')
  one.finish()
  expect(one.whole()).toBeUndefined()
  expect(existsSync(file)).toBe(false)
})

test.each([1, 4, 7, 30])('stores the whole output in the file, in chunks of %i bytes', async (size) => {
  const file = join(scratch(), 'output')
  const all = Buffer.from('0123456789 äöü € '.repeat(9))
  const one = combineOutput(10, file)
  for (let at = 0; at < all.length; at += size) one.push(all.subarray(at, at + size), 'stdout')
  one.finish()
  const whole = one.whole()
  expect(await textOf(whole?.text())).toBe(all.toString())
  expect(whole).toMatchObject({ bytes: all.length, cut: false })
  whole?.remove()
  expect(existsSync(file)).toBe(false)
})

test.each([
  // bytes that go to the file, bytes of tail in memory: 5
  [22, 26, `abcdefghijklmnopqrstuvwxyz`, false],
  [21, 26, `abcdefghijklmnopqrstuvwxyz`, false],
  [19, 26, `abcdefghijklmnopqrs\n… 2 bytes left out …\nvwxyz`, true],
])('a file of at most %i bytes, %i written', async (max, bytes, text, cut) => {
  const one = combineOutput(10, join(scratch(), 'output'), max)
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') one.push(Buffer.from(letter), 'stdout')
  one.finish()
  const whole = one.whole()
  expect(await textOf(whole?.text())).toBe(text)
  expect(whole).toMatchObject({ bytes, cut })
})

test('reports missing bytes if the file cannot be written, without an exception', async () => {
  const one = combineOutput(10, join(scratch(), 'no', 'such', 'directory'))
  one.push(Buffer.from('abcdefghijklmnopqrstuvwxyz'), 'stdout')
  one.finish()
  const whole = one.whole()
  expect(whole?.cut).toBe(true)
  expect(await textOf(whole?.text())).toContain('21 bytes left out …\nvwxyz')
})

// Head and tail of a stream: stored bytes, counted bytes, and their conversion to text.

function fed(limit: number, chunks: readonly (string | Uint8Array)[]) {
  const one = captureOutput(limit)
  for (const chunk of chunks) one.push(Buffer.from(chunk as Uint8Array))
  return one
}

test.each([
  ['nothing', 8, [], ''],
  ['less than the limit', 8, ['abc'], 'abc'],
  ['more than the head', 8, ['abcdef'], 'abcdef'],
  ['exactly the limit', 8, ['abcd', 'efgh'], 'abcdefgh'],
  ['one byte too many', 8, ['abcd', 'efghi'], 'abcd\n… 1 bytes left out …\nfghi'],
  ['one large chunk', 8, ['abcdefghijklmnop'], 'abcd\n… 8 bytes left out …\nmnop'],
  ['many small chunks', 6, [...'abcdefghijklm'], 'abc\n… 7 bytes left out …\nklm'],
  ['a line end before the gap', 8, ['abc\ndefghijkl'], 'abc\n… 5 bytes left out …\nijkl'],
])('%s', (_name, limit, chunks, text) => {
  const { captured, bytes } = fed(limit, chunks)
  expect(captured().text).toBe(text)
  expect(bytes).toBe(Buffer.byteLength(chunks.join('')))
})

test('a cut does not split a character', () => {
  for (let limit = 2; limit < 40; limit++) {
    const kept = fed(limit, ['aä€😀'.repeat(10)]).captured()
    expect(kept.text, `limit ${limit}`).not.toContain('\ufffd')
    expect(kept.invalid, `limit ${limit}`).toBe(false)
  }
})

test('skipped and kept bytes add up to the total', () => {
  for (let limit = 2; limit < 60; limit += 3) {
    const { text } = fed(limit, ['aä€😀'.repeat(20)]).captured()
    const gone = Number(/… (\d+) bytes/.exec(text)?.[1])
    const kept = text.replace(/\n?… \d+ bytes left out …\n/, '')
    expect(Buffer.byteLength(kept) + gone, `limit ${limit}`).toBe(200)
  }
})

test('invalid bytes are replaced and flagged', () => {
  const { text, invalid } = fed(100, [Uint8Array.of(0x61, 0xff, 0x62)]).captured()
  expect({ text, invalid }).toEqual({ text: 'a\ufffdb', invalid: true })
})

test('the tail is the end of the output for any size of chunks', () => {
  const all = Buffer.from(Array.from({ length: 5000 }, (_, i) => 97 + (i % 26)))
  for (const size of [1, 3, 7, 64, 999, 5000]) {
    const one = captureOutput(128)
    for (let at = 0; at < all.length; at += size) one.push(all.subarray(at, at + size))
    const { head, tail, missing } = one.held()
    expect(head.equals(all.subarray(0, 64)), `size ${size}`).toBe(true)
    expect(tail.equals(all.subarray(all.length - 64)), `size ${size}`).toBe(true)
    expect(missing).toBe(5000 - 128)
  }
})

test.each([
  ['', 0],
  ['a', 0],
  ['ä', 0],
  [[0x61, 0xc3], 1],
  [[0xe2, 0x82], 2],
  [[0xf0, 0x9f, 0x98], 3],
  [[0xf0, 0x9f, 0x98, 0x80], 0],
  [[0x80, 0x80, 0x80, 0x80], 0],
  [[0xff], 1],
])('unfinished bytes at the end of %j', (bytes, torn) => {
  expect(tornLength(Buffer.from(bytes as string))).toBe(torn)
})
