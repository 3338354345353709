// Fingerprints: equal to the published hash, and different for every small change.
import { expect, it } from 'vitest'
import { fingerprint } from '../../../internal/base/fingerprint.ts'

// the first eight digits are murmur3_32 with seed 0x9747b28c; values of the reference implementation
it.each([
  ['test', '704b81dc'],
  ['Hello, world!', '24884cba'],
  ['The quick brown fox jumps over the lazy dog', '2fa826cd'],
])('equals the published hash of %j', (text, hash) => {
  expect(fingerprint(Buffer.from(text)).slice(0, 8)).toBe(hash)
})

it('tells apart what differs in one bit, in order or in length', () => {
  const base = Buffer.from('a line\nanother line\n'.repeat(50))
  const prints = new Set([fingerprint(base), fingerprint(Buffer.concat([base, Buffer.alloc(1)]))])
  for (let i = 0; i < base.length; i++) {
    const other = Buffer.from(base)
    other[i] = (other[i] as number) ^ 1
    prints.add(fingerprint(other))
  }
  expect(prints.size).toBe(base.length + 2)
})

it('does not depend on where the bytes lie in memory', () => {
  const text = Buffer.from('0123456789abcdef')
  const shifted = Buffer.concat([Buffer.alloc(3), text]).subarray(3)
  expect(fingerprint(shifted)).toBe(fingerprint(text))
})
