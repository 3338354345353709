// Checksums: the published CRC-32, and different for every small change.
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { checksum } from '../../../internal/base/checksum.ts'

it('consists of the CRC-32 and the length', () => {
  expect(checksum('123456789')).toBe('cbf43926-9')
  expect(checksum(Buffer.alloc(0))).toBe('00000000-0')
})

it('differs for data that differ in one bit or in length', () => {
  const base = Buffer.from('a line\nanother line\n'.repeat(50))
  const sums = new Set([checksum(base), checksum(Buffer.concat([base, Buffer.alloc(1)]))])
  for (let i = 0; i < base.length; i++) {
    const other = Buffer.from(base)
    other[i] = (other[i] as number) ^ 1
    sums.add(checksum(other))
  }
  expect(sums.size).toBe(base.length + 2)
})

it('equals the CRC-32 of zlib for content of any length', () => {
  for (const length of [1, 7, 1_023, 1_024, 1_025, 4_000]) {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 167) & 255))
    expect(checksum(bytes)).toBe(`${crc32(bytes).toString(16).padStart(8, '0')}-${length.toString(36)}`)
    const text = 'äß€😀x'.repeat(length).slice(0, length)
    expect(checksum(text)).toBe(`${crc32(text).toString(16).padStart(8, '0')}-${length.toString(36)}`)
  }
})
