// Files of the size of a configuration: accepted files, and files that are rejected without hanging.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSmall } from '../../../../internal/base/files/small-file.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-small-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

const write = (name: string, data: string | Uint8Array) => {
  writeFileSync(join(dir, name), data)
  return join(dir, name)
}

test('reads text, without byte order mark and with plain line ends', () => {
  expect(readSmall(write('a', '\uFEFFone\r\ntwo\n'))).toBe('one\ntwo\n')
  expect(readSmall(write('empty', ''))).toBe('')
  symlinkSync(join(dir, 'a'), join(dir, 'link'))
  expect(readSmall(join(dir, 'link'))).toBe('one\ntwo\n')
})

test('returns undefined for a missing file', () => {
  expect(readSmall(join(dir, 'nothing'))).toBeUndefined()
  expect(readSmall(join(dir, 'a', 'below-a-file'))).toBeUndefined()
})

test('accepts exactly the limit and rejects one byte more', () => {
  expect(readSmall(write('ten', '0123456789'), 10)).toHaveLength(10)
  expect(() => readSmall(join(dir, 'ten'), 9)).toThrow('has 10 bytes, more than 9')
})

test('rejects anything but a regular UTF-8 file, and a named pipe without waiting', () => {
  mkdirSync(join(dir, 'folder'))
  expect(() => readSmall(join(dir, 'folder'))).toThrow('not a regular file')
  execFileSync('mkfifo', [join(dir, 'pipe')])
  expect(() => readSmall(join(dir, 'pipe'))).toThrow('not a regular file')
  expect(() => readSmall(write('latin', Uint8Array.of(0x66, 0xfc, 0x72)))).toThrow('not UTF-8')
})

test.runIf(process.platform === 'linux')('a file that is larger than its reported size is truncated', () => {
  expect(() => readSmall('/proc/self/status', 10)).toThrow('larger than 10 bytes')
})
