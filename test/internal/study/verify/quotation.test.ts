// The comparison of quotes with normalized spaces and characters. An empty quote matches nothing.
import { expect, test } from 'vitest'
import { containsQuote, foldSpace } from '../../../../internal/study/verify/quotation.ts'

test.each([
  ['a  b\n\tc', 'a b c', true],
  ['e\u0301t\u00e9', '\u00e9te\u0301', true],
  ['a b c', 'b  c', true],
  ['a b c', 'a c', false],
  ['a b c', ' ', false],
  ['', '', false],
])('%j contains %j: %s', (text, quote, expected) => {
  expect(containsQuote(text, quote)).toBe(expected)
  expect(containsQuote(foldSpace(text), foldSpace(quote))).toBe(expected)
})
