// Rules of ignore files: a table of what gitignore(5) says.
import { expect, test } from 'vitest'
import { ignoreVerdict, readRules } from '../../../internal/search/ignore-rules.ts'

test.each([
  ['*.log', 'a/b.log', false, 'ignore'],
  ['*.log', 'b.logs', false, undefined],
  ['/a', 'a', false, 'ignore'],
  ['/a', 'b/a', false, undefined],
  ['a/b', 'a/b', true, 'ignore'],
  ['a/b', 'x/a/b', true, undefined],
  ['build/', 'build', true, 'ignore'],
  ['build/', 'build', false, undefined],
  ['build/', 'x/build', true, 'ignore'],
  ['**/x', 'a/b/x', false, 'ignore'],
  ['a/**', 'a/b/c', false, 'ignore'],
  ['a/**', 'a', true, undefined],
  ['a/**/b', 'a/b', false, 'ignore'],
  ['*.log\n!keep.log', 'keep.log', false, 'keep'],
  ['!keep.log\n*.log', 'keep.log', false, 'ignore'],
  ['# *.log', '# x.log', false, undefined],
  ['\\#a', '#a', false, 'ignore'],
  ['\\!a', '!a', false, 'ignore'],
  ['a  ', 'a', false, 'ignore'],
  ['a\\ ', 'a ', false, 'ignore'],
  ['a\r\nb\r\n', 'b', false, 'ignore'],
  ['\ufeffa', 'a', false, 'ignore'],
  ['[a\nb', 'b', false, 'ignore'],
] as const)('%j on %s', (text, path, folder, expected) => {
  expect(ignoreVerdict(readRules(text), path, folder)).toBe(expected)
})
