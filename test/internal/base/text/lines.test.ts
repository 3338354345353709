// Lines with their ends, of every kind.
import { describe, expect, it } from 'vitest'
import {
  eolKind,
  eolNear,
  eolOf,
  lineAt,
  splitLines,
  withEol,
  withoutEol,
} from '../../../../internal/base/text/lines.ts'

describe('splitLines', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\n', ['\n']],
    ['a', ['a']],
    ['a\nb', ['a\n', 'b']],
    ['a\r\n\r\nb\n', ['a\r\n', '\r\n', 'b\n']],
    ['a\rb\u2028c\n', ['a\rb\u2028c\n']],
  ])('splits %j into lines', (text, lines) => {
    expect(splitLines(text)).toEqual(lines)
    expect(lines.join('')).toBe(text)
  })
})

it.each([
  ['a', '', 'a'],
  ['a\n', '\n', 'a'],
  ['a\r\n', '\r\n', 'a'],
  ['a\r', '', 'a\r'],
  ['\r\r\n', '\r\n', '\r'],
] as const)('the end of %j', (line, eol, rest) => {
  expect(eolOf(line)).toBe(eol)
  expect(withoutEol(line)).toBe(rest)
})

it.each([
  ['', 'none'],
  ['a\rb', 'none'],
  ['a\n', 'lf'],
  ['a\r\nb', 'crlf'],
  ['a\r\nb\n', 'mixed'],
] as const)('the kind of %j', (text, kind) => {
  expect(eolKind(text)).toBe(kind)
})

it('takes the line end from the line itself, then from the one before', () => {
  expect(eolNear('a\r\nb\nc', 0)).toBe('\r\n')
  expect(eolNear('a\r\nb\nc', 3)).toBe('\n')
  expect(eolNear('a\r\nb', 3)).toBe('\r\n')
  expect(eolNear('abc', 1)).toBeUndefined()
})

it('converts line ends and leaves lone carriage returns', () => {
  expect(withEol('a\nb\r\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\rd')
  expect(withEol('a\r\nb', '\n')).toBe('a\nb')
})

it('counts lines from 1', () => {
  expect([0, 1, 2, 3].map((i) => lineAt('a\nb\n', i))).toEqual([1, 1, 2, 2])
})
