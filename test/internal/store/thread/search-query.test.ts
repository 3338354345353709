// Search queries: the terms of a typed text, and the resulting match expression.
import { expect, test } from 'vitest'
import {
  buildMatchQuery,
  parseQueryTerms,
  quotePhrase,
} from '../../../../internal/store/thread/search-query.ts'

test.each<[string, string[]]>([
  ['refactor database', ['refactor', 'database']],
  ['"exact phrase" word', ['exact phrase', 'word']],
  ['what is the deadline', ['deadline']],
  ['to be or not to be', ['to', 'be', 'or', 'not']],
  ['Same same SAME', ['SAME']],
  ['"unclosed phrase', ['unclosed', 'phrase']],
  ['*** -- "" "!"', []],
  ['read_range: a.b/c', ['read_range:', 'a.b/c']],
  ['x1 '.repeat(40), ['x1']],
])('converts the search query %s', (query, expected) => {
  expect(parseQueryTerms(query)).toEqual(expected)
})

test('searches for at most 16 terms', () => {
  expect(parseQueryTerms(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))).toHaveLength(16)
})

test('removes quotes and other query syntax from a phrase', () => {
  expect(quotePhrase('a"b\0c')).toBe('"a b c"')
  expect(quotePhrase('東京x')).toBe('"東  京 x"')
})

test('joins terms, fields and exclusions', () => {
  expect(buildMatchQuery(['a', 'b'], 'all', ['w1', 't2'], ['t3'])).toBe(
    '(scope : "w1" AND scope : "t2" AND text : ("a" AND "b")) NOT scope : "t3"',
  )
  expect(buildMatchQuery(['a', 'b'], 'any', [], [])).toBe('(text : ("a" OR "b"))')
})
