// sed and awk scripts that only print.
import { expect, test } from 'vitest'
import { awkRisk, sedPrints, sedRisk } from '../../../../internal/policy/shell/text-tools.ts'

test.each([
  'p',
  '1p',
  '1,5p',
  '$p',
  '/a/p',
  '/a/,/b/d',
  '1!d',
  '5q',
  's/a/b/',
  's/a/b/g',
  's|a|b|gi;2d',
  's#a\\#b#c#',
  '/a\\/b/p',
  '=',
  '1p;2p',
  's/a/&\\n/2',
])('sed %j prints', (script) => expect(sedPrints(script)).toBe(true))

test.each([
  'e',
  '1e',
  'w x',
  '1w x',
  'W x',
  'r x',
  'R x',
  's/a/b/e',
  's/a/b/w x',
  's/a/b/ge',
  '/a/{p}',
  'a\\x',
  'y/a/b/',
  's/a/b/;e',
  '1p;w x',
  's/a/b',
  'p\ne',
])('sed %j may do more', (script) => expect(sedPrints(script)).toBe(false))

test.each([
  ['-n 1p f', undefined],
  ['-ne 1p f', undefined],
  ['-e 1p -e 2p f', undefined],
  ['--expression=1p f', undefined],
  ['-i s/a/b/ f', false],
  ['-ni.bak s/a/b/ f', false],
  ['--in-place s/a/b/ f', false],
  ['-i e f', true],
  ['-f x', true],
  ['--file=x', true],
  ['-e', true],
  ['-e e', true],
  ['w f', true],
] as const)('sed %s: unseen %s', (line, unseen) => {
  const words = line === 'w f' ? ['sed', 'w f'] : ['sed', ...line.split(' ')]
  expect(sedRisk(words)?.unseen).toBe(unseen)
})

test.each([
  ['{print $1}', undefined],
  ['NR==1{print;exit}', undefined],
  ['{print > "x"}', false],
  ['BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}', false],
  ['{print | "sh"}', true],
  ['BEGIN{system("x")}', true],
  ['{"x" | getline}', true],
  ['@include "x"', true],
] as const)('awk %j: unseen %s', (script, unseen) => {
  expect(awkRisk(['awk', script, 'f'])?.unseen).toBe(unseen)
  expect(awkRisk(['awk', '-F', ':', '-v', 'a=b', script])?.unseen).toBe(unseen)
})

test('awk with a file of code', () => {
  expect(awkRisk(['awk', '-f', 'x'])?.unseen).toBe(true)
  expect(awkRisk(['gawk', '-i', 'x'])?.unseen).toBe(true)
})
