// Lines of a text, the last one with or without its end.
import { expect, test } from 'vitest'
import { countLines } from '../../../../internal/base/text/line-count.ts'

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
  ['a\r\nb\r\n', 2],
])('%j has %i', (text, lines) => {
  expect(countLines(text)).toBe(lines)
})
