// Edits in order, all or none: the resulting text, and the code and message of each error.
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { applyEdits, type TextEdit } from '../../../internal/patch/text-edits.ts'

const edit = (
  old: string,
  fresh: string,
  occurrence: TextEdit['occurrence'] = 0,
  name = 'edits[0]',
): TextEdit => ({
  name,
  old,
  new: fresh,
  occurrence,
})

describe('applyEdits', () => {
  it.each<[string, string, TextEdit[], string]>([
    ['replaces', 'a b c', [edit('b', 'X')], 'a X c'],
    ['works in order, each on the result before', 'a', [edit('a', 'b'), edit('b', 'c')], 'c'],
    ['takes replacements literally', 'a b', [edit('a', "$& $1 $$ $` $'")], "$& $1 $$ $` $' b"],
    ['picks an occurrence', 'x x x', [edit('x', 'y', 2)], 'x y x'],
    ['counts overlapping occurrences', 'aaa', [edit('aa', 'b', 2)], 'ab'],
    ['replaces all that do not overlap', 'aaaa', [edit('aa', 'b', 'all')], 'bb'],
    ['replaces all of one', 'ab', [edit('a', 'x', 'all')], 'xb'],
    ['deletes a line', 'a\nb\nc\n', [edit('b\n', '')], 'a\nc\n'],
    ['writes CR into a file of CR alone', 'a\rb\rc\r', [edit('a\nb\n', 'a\nx\nb\n')], 'a\rx\rb\rc\r'],
    ['finds one line of a file of CR alone', 'a\rb', [edit('b', 'b\nc')], 'a\rb\rc'],
    ['leaves a CR within a line of LF alone', 'a\rb\nc', [edit('c', 'c\nd')], 'a\rb\nc\nd'],
    ['writes CRLF into a CRLF file', 'a\r\nb\r\n', [edit('a\nb\n', 'a\nx\ny\nb\n')], 'a\r\nx\r\ny\r\nb\r\n'],
    ['writes LF into an LF file', 'a\nb\n', [edit('b', 'b\r\nc')], 'a\nb\nc\n'],
    ['keeps the ends around it in a mixed file', 'a\r\nb\nc\r\n', [edit('b', 'x\ny')], 'a\r\nx\ny\nc\r\n'],
    ['leaves a file without line ends its own', 'ab', [edit('b', 'x\ny')], 'ax\ny'],
    ['keeps a missing last line end', 'a\nb', [edit('b', 'c')], 'a\nc'],
    ['works between code units of the plane above', '🙂x🙂', [edit('x', '🙃')], '🙂🙃🙂'],
  ])('%s', (_, text, edits, result) => {
    expect(applyEdits(text, edits).text).toBe(result)
  })

  it('reports the lines and the number of replacements', () => {
    const { applied } = applyEdits('a\nb\nb\n', [edit('b', 'x\ny', 'all', 'old_str')])
    expect(applied).toEqual([{ name: 'old_str', line: 2, replacements: 2, match: 'exact' }])
  })
})

describe('refusals', () => {
  it.each<[string, string, TextEdit[], string, RegExp]>([
    ['not there', 'a\n', [edit('zzz', 'x')], 'old_not_found', /^edits\[0\]: the text is not in the file/],
    ['ambiguous', 'x\nx\n', [edit('x', 'y')], 'ambiguous', /occurs 2 times, in lines 1, 2/],
    ['ambiguous by overlap alone', 'aaa', [edit('aa', 'b')], 'ambiguous', /occurs 2 times/],
    ['one too far', 'x x', [edit('x', 'y', 3)], 'occurrence_out_of_range', /occurrence 3 .* 2 times/],
    ['same text', 'x', [edit('x', 'x')], 'no_change', /same/],
    ['same but for line ends', 'a\r\nb', [edit('a\nb', 'a\r\nb')], 'no_change', /same/],
    ['there and back', 'ab', [edit('a', 'c'), edit('c', 'a', 0, 'edits[1]')], 'no_change', /together/],
    ['empty', 'x', [edit('', 'y')], 'bad_args', /empty/],
    [
      'the second of three',
      'a b c',
      [edit('a', 'x'), edit('a', 'y', 0, 'edits[1]'), edit('c', 'z')],
      'old_not_found',
      /^edits\[1\]/,
    ],
  ])('%s', (_, text, edits, code, words) => {
    const failure = refusalOf(() => applyEdits(text, edits))
    expect(failure?.code).toBe(code)
    expect(failure?.message).toMatch(words)
  })

  it('shows the closest block and the first line that differs', () => {
    const text = 'function a() {\n  return 1\n}\n\nfunction b() {\n  const x = 2\n  return x\n}\n'
    const failure = refusalOf(() =>
      applyEdits(text, [edit('function b() {\n  const x = 3\n  return x\n}', 'gone')]),
    )
    expect(failure?.message).toContain('first difference in line 6')
    expect(failure?.message).toContain('wanted "  const x = 3"')
    expect(failure?.message).toContain('found  "  const x = 2"')
    expect(failure?.detail).toMatchObject({ edit: 'edits[0]', closest: { line: 5, differs: { line: 6 } } })
  })

  it('report line numbers that were copied with the text', () => {
    const failure = refusalOf(() => applyEdits('a = 1\nb = 2\n', [edit('1\ta = 1\n2\tb = 2', 'x')]))
    expect(failure?.hint).toContain('line numbers')
  })
})

function refusalOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  return undefined
}
