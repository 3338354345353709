// Queries: which terms are taken out of what was typed, and what becomes of them.
import { expect, test } from 'vitest'
import { match, phrase, terms } from '../../../../internal/store/thread/query.ts'

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
])('%s', (query, expected) => {
  expect(terms(query)).toEqual(expected)
})

test('at most 16 terms are looked for', () => {
  expect(terms(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))).toHaveLength(16)
})

test('a phrase holds nothing that the query language would read', () => {
  expect(phrase('a"b\0c')).toBe('"a b c"')
  expect(phrase('東京x')).toBe('"東  京 x"')
})

test('terms, places and exceptions are joined', () => {
  expect(match(['a', 'b'], 'all', ['w1', 't2'], ['t3'])).toBe(
    '(scope : "w1" AND scope : "t2" AND text : ("a" AND "b")) NOT scope : "t3"',
  )
  expect(match(['a', 'b'], 'any', [], [])).toBe('(text : ("a" OR "b"))')
})
