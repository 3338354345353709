// Checksums: the published CRC-32, and different for every small change.
import { expect, it } from 'vitest'
import { checksum } from '../../../internal/base/checksum.ts'

it('is CRC-32 and the length', () => {
  expect(checksum('123456789')).toBe('cbf43926-9')
  expect(checksum(Buffer.alloc(0))).toBe('00000000-0')
})

it('tells apart what differs in one bit or in length', () => {
  const base = Buffer.from('a line\nanother line\n'.repeat(50))
  const sums = new Set([checksum(base), checksum(Buffer.concat([base, Buffer.alloc(1)]))])
  for (let i = 0; i < base.length; i++) {
    const other = Buffer.from(base)
    other[i] = (other[i] as number) ^ 1
    sums.add(checksum(other))
  }
  expect(sums.size).toBe(base.length + 2)
})
