// Two streams as one, and the whole of it in a file.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { combineOutput } from '../../../../internal/process/output/combined-output.ts'
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
