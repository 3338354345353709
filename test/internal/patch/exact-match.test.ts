// Exact search: positions, overlaps, line ends, and what a replacement leaves untouched.
import { describe, expect, it } from 'vitest'
import { findAll, narrowMatch } from '../../../internal/patch/exact-match.ts'

describe('findAll', () => {
  it.each<[string, string, string, [number, number][]]>([
    ['nothing', 'abc', 'x', []],
    ['one', 'abc', 'b', [[1, 2]]],
    [
      'overlaps',
      'aaa',
      'aa',
      [
        [0, 2],
        [1, 3],
      ],
    ],
    [
      'several lines',
      'a\nb\na\nb\n',
      'a\nb',
      [
        [0, 3],
        [4, 7],
      ],
    ],
    ['LF in a CRLF file', 'a\r\nb\r\n', 'a\nb\n', [[0, 6]]],
    ['CRLF in an LF file', 'a\nb\n', 'a\r\nb\r\n', [[0, 4]]],
    [
      'CRLF in a mixed file',
      'a\nb\r\na\r\nb\n',
      'a\r\nb',
      [
        [0, 3],
        [5, 9],
      ],
    ],
    [
      'a line end alone',
      'a\r\nb\nc',
      '\n',
      [
        [1, 3],
        [4, 5],
      ],
    ],
    ['a line end first', 'a\r\nb\r\n', '\nb', [[1, 4]]],
    ['blank lines', 'a\r\n\r\nb', 'a\n\nb', [[0, 6]]],
    ['never half a CRLF', 'a\r\nb', '\rb', []],
    ['a lone CR is content', 'a\rb\r\n', 'a\rb', [[0, 3]]],
    [
      'dollar signs and dots are literal',
      'a.b $& a.b',
      'a.b',
      [
        [0, 3],
        [7, 10],
      ],
    ],
  ])('%s', (_, text, old, spans) => {
    expect(findAll(text, old)).toEqual(spans.map(([start, end]) => ({ start, end })))
  })
})

describe('narrow', () => {
  it.each([
    ['keeps what both have at the ends', 'x foo(1) y', 'foo(1)', 'foo(2)', 'x foo(2) y'],
    [
      'keeps mixed line ends inside of a match',
      'a\r\nb\nc\r\nd',
      'a\nb\nc\nd',
      'a\nb\nX\nd',
      'a\r\nb\nX\r\nd',
    ],
    ['deletes', 'abc', 'b', '', 'ac'],
    ['inserts', 'ab', 'a', 'aa', 'aab'],
  ])('%s', (_, text, old, fresh, result) => {
    const part = narrowMatch(text, findAll(text, old)[0] as { start: number; end: number }, old, fresh)
    expect(text.slice(0, part.start) + part.fresh + text.slice(part.end)).toBe(result)
    expect(part.end - part.start).toBeLessThanOrEqual(old.length)
  })
})
