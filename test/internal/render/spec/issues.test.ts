// Order and number of issues, paths and quoted values.
import { expect, test } from 'vitest'
import {
  appendPathKey,
  collectIssues,
  issueLine,
  quoteValue,
} from '../../../../internal/render/spec/issues.ts'

test('issues come in the order of their codes, of one code in the order of adding', () => {
  const issues = collectIssues()
  issues.add('cycle', 'c', 'x')
  issues.add('bad_json', '', 'y')
  issues.add('cycle', 'a', 'z', 'id')
  expect(issues.list()).toEqual([
    { code: 'bad_json', path: '', message: 'y' },
    { code: 'cycle', path: 'c', message: 'x' },
    { code: 'cycle', path: 'a', message: 'z', element: 'id' },
  ])
})

test('after a hundred the others are counted', () => {
  const issues = collectIssues()
  for (let i = 0; i < 130; i++) issues.add('bad_prop', `p${i}`, 'x')
  issues.add('not_object', '', 'x')
  const list = issues.list()
  expect(list).toHaveLength(101)
  expect(list[0]?.code).toBe('not_object')
  expect(list[100]).toEqual({ code: 'more_issues', path: '', message: '31 more are not listed' })
  expect(issues.count()).toBe(131)
})

test('exactly a hundred need no last line', () => {
  const issues = collectIssues()
  for (let i = 0; i < 100; i++) issues.add('bad_prop', `p${i}`, 'x')
  expect(issues.list()).toHaveLength(100)
})

test('once says a thing once for each path', () => {
  const issues = collectIssues()
  issues.once('no_room', 'a', 'x')
  issues.once('no_room', 'a', 'x')
  issues.once('no_room', 'b', 'x')
  expect(issues.count()).toBe(2)
})

test('paths and messages are clean', () => {
  const issues = collectIssues()
  issues.add('bad_id', 'elements.\x1b[31mx', 'a\nb\x07')
  expect(issues.list()[0]).toMatchObject({ path: 'elements.x', message: 'a b' })
})

test('a line names kind, code, place and message', () => {
  const issue = { code: 'cycle', path: 'elements.a.children[0]', message: 'a -> b -> a' } as const
  expect(issueLine('error', issue)).toBe('error cycle at elements.a.children[0]: a -> b -> a')
  expect(issueLine('warning', { ...issue, path: '' })).toBe('warning cycle: a -> b -> a')
})

test('paths', () => {
  expect(appendPathKey(appendPathKey(appendPathKey('elements', 'a b'), 'props'), 3)).toBe(
    'elements["a b"].props[3]',
  )
  expect(appendPathKey('', 'root')).toBe('root')
})

test('quoted values are short', () => {
  expect([3, 'a"b', null, undefined, true, [], {}].map(quoteValue)).toEqual([
    '3',
    '"a\\"b"',
    'null',
    'nothing',
    'true',
    'an empty array',
    'an object',
  ])
  expect(quoteValue('x'.repeat(100))).toHaveLength(40)
})
