// Parts of kept texts: as the whole decoded at once has them, read where they lie, and not of a damaged file.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fingerprint } from '../../../internal/base/fingerprint.ts'
import { readBlobPart } from '../../../internal/store/blob-text.ts'
import { costRatio } from '../../support/cost.ts'
import { rng } from '../../support/rng.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-blob-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function keep(bytes: Uint8Array) {
  const hash = fingerprint(bytes)
  const path = join(dir, hash)
  writeFileSync(path, bytes)
  return { hash, path, read: (offset: number, limit: number) => readBlobPart(path, hash, { offset, limit }) }
}

const random = rng(7)
const letters = ['a', 'é', '€', '😀', '\ufeff', '\n']
const mixed = Array.from({ length: 300_000 }, () => letters[Math.floor(random() * letters.length)]).join('')

test.each([
  ['characters of one to four bytes', Buffer.from(mixed)],
  ['a mark of the byte order first', Buffer.from(`\ufeff${mixed.slice(0, 9)}`)],
  ['bytes that are no UTF-8', Buffer.from(Array.from({ length: 600_000 }, () => Math.floor(random() * 256)))],
  ['nothing', Buffer.alloc(0)],
])('%s: each part is that of the whole', (_, bytes) => {
  const whole = new TextDecoder().decode(bytes)
  const { read } = keep(bytes)
  expect(read(0, whole.length + 5)).toEqual({ text: whole, total: whole.length })
  for (let n = 0; n < 200; n++) {
    const offset = Math.floor(random() * (whole.length + 2))
    const limit = Math.floor(random() * 2_000)
    expect(read(offset, limit)?.text).toBe(whole.slice(offset, offset + limit))
  }
})

test('reads a text once in full when a caller pages through it', () => {
  const text = '0123456789abcdef'.repeat(4 << 16)
  let round = 0
  const open = () => keep(Buffer.from(`${text}${round++}`))
  const again = open()
  again.read(0, 65_536)
  const others = Array.from({ length: 15 }, open)
  const first = () => others.pop()?.read(0, 65_536)
  expect(costRatio(0.5, first, () => again.read(65_536, 65_536))).toBeLessThan(0.5)
})

test('a deleted text is missing, and a damaged text is rejected', () => {
  const { hash, path, read } = keep(Buffer.from('text'))
  expect(read(0, 2)?.text).toBe('te')
  truncateSync(path, 2)
  expect(() => read(0, 2)).toThrow(/changed or damaged/)
  rmSync(path)
  expect(read(0, 2)).toBeUndefined()
  expect(() => readBlobPart(dir, hash, { offset: 0, limit: 1 })).toThrow(/cannot be read/)
})
