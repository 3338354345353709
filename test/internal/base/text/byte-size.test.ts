// Sizes as users read them, at every border between two units.
import { expect, test } from 'vitest'
import { formatByteSize } from '../../../../internal/base/text/byte-size.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [9_240, '9 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_449_000, '1.4 MB'],
  [9_960_000, '10 MB'],
  [16_000_000, '16 MB'],
  [2_500_000_000, '2.5 GB'],
  [5e15, '5000 TB'],
])('%d is %s', (bytes, text) => expect(formatByteSize(bytes)).toBe(text))
