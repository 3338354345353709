// The ladder of leniencies: what each accepts, how the replacement is indented, and what none accepts.
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { applyEdits } from '../../../internal/patch/text-edits.ts'
import { findTolerant, reindentLines } from '../../../internal/patch/tolerant-match.ts'

const change = (text: string, old: string, fresh: string) => {
  const { text: after, applied } = applyEdits(
    text,
    [{ name: 'old_str', old, new: fresh, occurrence: 0 }],
    'tolerant',
  )
  return [after, applied[0]?.match]
}

describe('the ladder', () => {
  it.each<[string, string, string, string, string, string]>([
    ['exact wins', '  a\n', 'a', 'b', '  b\n', 'exact'],
    ['blanks at line ends of the file', 'a  \nb\t\nc\n', 'a\nb\n', 'x\n', 'x\nc\n', 'line_ends'],
    ['blanks at line ends of the quote', 'a\nb\n', 'a \nb ', 'x', 'x\n', 'line_ends'],
    ['blanks in CRLF files', 'a \r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc', 'line_ends'],
    [
      'too little indentation',
      '    if a:\n        b()\n',
      'if a:\n    b()',
      'if c:\n    d()',
      '    if c:\n        d()\n',
      'indentation',
    ],
    [
      'too much indentation',
      'if a:\n    b()\n',
      '    if a:\n        b()',
      '    if c:\n        d()',
      'if c:\n    d()\n',
      'indentation',
    ],
    [
      'tabs for spaces',
      '\tif a {\n\t\tb()\n\t}\n',
      '    if a {\n        b()\n    }',
      '    if a {\n        b()\n            c()\n    }',
      '\tif a {\n\t\tb()\n\t\t\tc()\n\t}\n',
      'indentation',
    ],
    [
      'spaces for tabs',
      '  if a {\n    b()\n  }\n',
      '\tif a {\n\t\tb()\n\t}',
      '\tif a {\n\t\tb()\n\t\t\tc()\n\t}',
      '  if a {\n    b()\n      c()\n  }\n',
      'indentation',
    ],
    ['runs of white space', 'int  x =\t1;\n', 'int x = 1;', 'int y = 2;', 'int y = 2;\n', 'whitespace'],
    ['runs inside of a line', 'f(a,  b); g()\n', 'f(a, b)', 'f(b)', 'f(b); g()\n', 'whitespace'],
    ['typographic quotes', 'say “hello” – it’s…\n', 'say "hello" - it\'s...', 'bye', 'bye\n', 'quotes'],
    ['straight quotes for curly ones', "it's\n", 'it’s', 'is', 'is\n', 'quotes'],
    ['no-break spaces', 'a\u00a0b\n', 'a b', 'c', 'c\n', 'quotes'],
  ])('%s', (_, text, old, fresh, after, match) => {
    expect(change(text, old, fresh)).toEqual([after, match])
  })

  it.each<[string, string, string, string]>([
    ['two places at the same leniency', 'a \nb\na  \nb\n', 'a\nb\n', 'ambiguous'],
    ['first and last line alone', 'begin\n  one\nend\n', 'begin\n  two\nend\n', 'old_not_found'],
    ['a line left out', 'a\nb\nc\n', 'a\nc\n', 'old_not_found'],
    ['white space between nothing and something', 'ab\n', 'a b', 'old_not_found'],
    ['indentation that means two things', 'a:\n  b\n    c\n', 'a:\n b\n c\n', 'old_not_found'],
    ['letters', 'Abc\n', 'abc', 'old_not_found'],
    ['white space alone', 'a\n', '  \n', 'old_not_found'],
  ])('never accepts %s', (_, text, old, code) => {
    try {
      expect(change(text, old, 'new')).toBe(code)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      expect(error.failure.code).toBe(code)
    }
  })

  it('treats regular expression syntax as plain text', () => {
    expect(change('a.*(b)+[c]^$ |  d\n', 'a.*(b)+[c]^$ | d', 'x')).toEqual(['x\n', 'whitespace'])
    expect(findTolerant('axx(b)', 'a.*(b) c', '')).toBeUndefined()
  })

  it('takes linear time on texts that slow down regular expressions', () => {
    const text = `${' '.repeat(20_000)}x\n`.repeat(20)
    expect(findTolerant(text, `${'\n \n'.repeat(200)}y z`, '')).toBeUndefined()
  })
})

describe('reindent', () => {
  it('replaces known indentation and keeps the relative depth', () => {
    expect(reindentLines('x\n  y\n    z\n\nw', 'a\n  b', '\ta\n\t  b')).toBe('\tx\n\t  y\n\t    z\n\n\tw')
    expect(reindentLines('x', '  a', '    a')).toBe('x')
    expect(reindentLines('  x', '  a\n  b', ' a\n   b')).toBeUndefined()
  })
})
