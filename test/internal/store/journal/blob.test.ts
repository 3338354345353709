// Blobs have a hash and an upper size.
import { expect, test } from 'vitest'
import { hashBlob, maxBlobBytes } from '../../../../internal/store/journal/blob.ts'

test('hashBlob returns the hash of the bytes, and rejects a blob above the limit', () => {
  expect(hashBlob(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hashBlob(new Uint8Array(maxBlobBytes))).toHaveLength(64)
  expect(() => hashBlob(new Uint8Array(maxBlobBytes + 1))).toThrow(/1048576/)
})
