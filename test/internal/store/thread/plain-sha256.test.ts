// SHA-256 by hand: the same as the library's, for every length around the ends of blocks.
import { expect, test } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { hashShortText } from '../../../../internal/store/thread/plain-sha256.ts'

test('hashShortText returns the SHA-256 of texts of any length', () => {
  expect(hashShortText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (let length = 0; length < 200; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCodePoint(33 + ((i * 7919) % 1_000))).join('')
    expect(hashShortText(text)).toBe(fingerprint(text))
  }
})
