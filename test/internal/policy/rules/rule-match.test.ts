// What rules match, one condition at a time.
import { expect, test } from 'vitest'
import {
  commandFits,
  escapeGlob,
  literalPath,
  matchWildcard,
  pathFits,
  patternWords,
  placeFits,
  ruleConcerns,
} from '../../../../internal/policy/rules/rule-match.ts'
import type { ShellPart } from '../../../../internal/policy/shell/shell-part.ts'
import { leastCost } from '../../../support/cost.ts'
import { allow, bash, deny } from '../policies.ts'

const part = (words: string[], more: Partial<ShellPart> = {}): ShellPart => ({
  ...{
    words,
    known: words.length,
    opaque: undefined,
    unseen: false,
    unknown: false,
    operands: [],
    truncated: false,
    writes: [],
    reads: [],
    globs: [],
    via: [],
  },
  ...more,
})

test.each([
  ['git log', ['git', 'log']],
  ['git log *', ['git', 'log']],
  ['*', []],
  ["git commit -m 'a b'", ['git', 'commit', '-m', 'a b']],
  ['"my tool" x', ['my tool', 'x']],
  ['=git log', undefined],
])('the words of %j', (command, words) => expect(patternWords(command)).toEqual(words))

test.each([
  ['git log', part(['git', 'log', '-1']), 'yes', 'yes'],
  ['git log', part(['git', 'logger']), 'no', 'no'],
  ['git log', part(['git']), 'no', 'no'],
  ['rm', part(['/bin/rm']), 'no', 'yes'],
  ['/bin/rm', part(['/bin/rm']), 'yes', 'yes'],
  ['/bin/rm', part(['rm']), 'no', 'no'],
  ['*', part(['x']), 'yes', 'yes'],
  ['*', part(['./x']), 'no', 'yes'],
  ['git push -f', part(['git', 'push', '$X'], { known: 2 }), 'no', 'maybe'],
  ['git pull', part(['git', 'push', '$X'], { known: 2 }), 'no', 'no'],
  ['rm', part(['$X'], { known: 0 }), 'no', 'maybe'],
  ['rm', part(['sh'], { unseen: true }), 'no', 'maybe'],
  ['rm', part([], { known: 0 }), 'no', 'no'],
  ['rm', part([], { known: 0, unseen: true }), 'no', 'maybe'],
  ['=rm x', part(['rm', 'x']), 'no', 'yes'],
] as const)('%j on %j', (command, one, allows, forbids) => {
  expect(commandFits(allow(command), one, 'the line')).toBe(allows)
  expect(commandFits(deny(command), one, 'the line')).toBe(forbids)
})

test('an exact rule compares the line byte for byte', () => {
  const one = part(['rm', 'x'])
  expect(commandFits(allow('=rm  x'), one, 'rm  x')).toBe('yes')
  expect(commandFits(allow('=rm x'), one, 'rm  x')).toBe('no')
  expect(commandFits(allow('=rm x'), one, 'rm x ')).toBe('no')
})

test('rules that forbid compare more spellings of a path than rules that allow', () => {
  const place = {
    given: 'l/x',
    named: '/w/l/x',
    real: '/w/real/x',
    exists: true,
    root: '/w',
    shown: 'real/x',
  }
  const fits = (action: 'allow' | 'deny', path: string) =>
    placeFits({ tool: '*', action, path }, place, '/w', '/home/u')
  expect([fits('allow', 'real/x'), fits('deny', 'real/x')]).toEqual([true, true])
  expect([fits('allow', 'l/x'), fits('deny', 'l/x')]).toEqual([false, true])
  expect([fits('allow', 'real'), fits('deny', 'real')]).toEqual([false, true])
  expect([fits('allow', 'real/'), fits('deny', 'real/')]).toEqual([true, true])
  expect([fits('allow', 'REAL/X'), fits('deny', 'REAL/X')]).toEqual([false, true])
  expect([fits('allow', '/w/real/x'), fits('deny', '/w')]).toEqual([true, true])
  expect([fits('allow', './real/x'), fits('deny', './l')]).toEqual([true, true])
  expect([fits('allow', 'x'), fits('deny', 'x')]).toEqual([false, false])
})

test('a rule applies only to calls that meet its conditions', () => {
  const policy = { profile: 'craft', agent: 'thread' } as const
  const call = bash('ls', { n: 5, list: ['a', 'b'] })
  const concerns = (rule: object, action: 'allow' | 'deny' = 'allow') =>
    ruleConcerns({ tool: 'bash', action, ...rule }, call, policy)
  expect(concerns({})).toBe(true)
  expect(concerns({ tool: '*' })).toBe(true)
  expect(concerns({ tool: 'ba?h' })).toBe(true)
  expect(concerns({ tool: 'read' })).toBe(false)
  expect(concerns({ profile: 'craft' })).toBe(true)
  expect(concerns({ profile: 'quick' })).toBe(false)
  expect(concerns({ agent: 'thread' })).toBe(true)
  expect(concerns({ agent: 'subagent' })).toBe(false)
  expect(concerns({ args: { n: '5' } })).toBe(true)
  expect(concerns({ args: { n: '/^[0-4]$/' } })).toBe(false)
  expect(concerns({ args: { missing: '*' } })).toBe(false)
  expect(concerns({ args: { list: 'a' } })).toBe(false)
  expect(concerns({ args: { list: 'a' } }, 'deny')).toBe(true)
  expect(concerns({ args: { constructor: '*' } }, 'deny')).toBe(false)
  // what is forbidden to one file tool is forbidden to a shell that writes
  expect(concerns({ tool: 'edit_file', path: 'x' }, 'deny')).toBe(true)
  expect(concerns({ tool: 'edit_file', path: 'x' }, 'allow')).toBe(false)
  expect(concerns({ tool: 'read', path: 'x' }, 'deny')).toBe(false)
})

// The two pattern languages.

test('matches patterns with many stars on a long name in time', () => {
  for (let stars = 4; stars <= 60; stars += 8)
    // with six stars a regular expression needs half a minute for one of these names
    for (const pattern of [
      `${'*a'.repeat(stars)}b`,
      `${'**/a/'.repeat(stars)}b`,
      `{${'*a'.repeat(stars)}b,x}`,
    ])
      for (const path of ['a'.repeat(2_000), 'a/'.repeat(1_000)])
        expect(leastCost(500, () => expect(pathFits(pattern, path, true)).toBe(false))).toBeLessThan(500)
})

test.each([
  ['[A-C].ts', 'b.ts', true],
  ['[a-c].ts', 'B.ts', true],
  ['[!a-c].ts', 'B.ts', false],
  ['[Z-a].ts', '_.ts', true],
  ['É*.ts', 'éa.ts', true],
])('without letter case %j on %j', (pattern, path, fits) => {
  expect(pathFits(pattern, path, true)).toBe(fits)
})

test.each([
  ['*', '', true],
  ['*', 'anything/at all', true],
  ['a*', 'a', true],
  ['a*c', 'abc', true],
  ['a*c', 'abd', false],
  ['*b*', 'abc', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['mcp__*__read', 'mcp__x__read', true],
  ['mcp__*', 'bash', false],
  ['**', 'x', true],
  ['a.c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
  [`${'*a'.repeat(50)}b`, 'a'.repeat(5_000), false],
])('wildcard %j on %j', (pattern, text, fits) => {
  expect(matchWildcard(pattern, text)).toBe(fits)
})

test.each([
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'src/.hidden', true],
  ['src/*', 'src/a/b.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['*.{ts,js}', 'a.js', true],
  ['[ab].ts', 'a.ts', true],
  ['SRC/**', 'src/a', false],
])('path glob %j on %j', (pattern, path, fits) => {
  expect(pathFits(pattern, path, false)).toBe(fits)
})

test('letter case is folded on request', () => {
  expect(pathFits('SRC/**', 'src/a', true)).toBe(true)
  expect(pathFits('README.md', 'readme.MD', true)).toBe(true)
})

test('an escaped path is literal and matches itself', () => {
  for (const path of ['a.ts', '[id]/(group)/*.ts', '{a,b}', 'a\\b', 'a|b?']) {
    expect(literalPath(escapeGlob(path))).toBe(path)
  }
  expect(literalPath('a*')).toBeUndefined()
  expect(literalPath('[a]')).toBeUndefined()
})
