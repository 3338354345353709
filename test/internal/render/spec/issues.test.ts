// Order and number of issues, paths and quoted values.
import { expect, test } from 'vitest'
import {
  appendPathKey,
  collectIssues,
  issueLine,
  quoteValue,
} from '../../../../internal/render/spec/issues.ts'

test('sorts issues by code, and keeps the order within a code', () => {
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

test('counts the issues above a hundred', () => {
  const issues = collectIssues()
  for (let i = 0; i < 130; i++) issues.add('bad_prop', `p${i}`, 'x')
  issues.add('not_object', '', 'x')
  const list = issues.list()
  expect(list).toHaveLength(101)
  expect(list[0]?.code).toBe('not_object')
  expect(list[100]).toEqual({ code: 'more_issues', path: '', message: '31 more are not listed' })
  expect(issues.count()).toBe(131)
})

test('a hundred issues need no line with a count', () => {
  const issues = collectIssues()
  for (let i = 0; i < 100; i++) issues.add('bad_prop', `p${i}`, 'x')
  expect(issues.list()).toHaveLength(100)
})

test('once adds an issue once for each path', () => {
  const issues = collectIssues()
  issues.once('no_room', 'a', 'x')
  issues.once('no_room', 'a', 'x')
  issues.once('no_room', 'b', 'x')
  expect(issues.count()).toBe(2)
})

test('removes control characters from paths and messages', () => {
  const issues = collectIssues()
  issues.add('bad_id', 'elements.\x1b[31mx', 'a\nb\x07')
  expect(issues.list()[0]).toMatchObject({ path: 'elements.x', message: 'a b' })
})

test('a line contains kind, code, path and message', () => {
  const issue = { code: 'cycle', path: 'elements.a.children[0]', message: 'a -> b -> a' } as const
  expect(issueLine('error', issue)).toBe('error cycle at elements.a.children[0]: a -> b -> a')
  expect(issueLine('warning', { ...issue, path: '' })).toBe('warning cycle: a -> b -> a')
})

test('appends keys and indexes to a path', () => {
  expect(appendPathKey(appendPathKey(appendPathKey('elements', 'a b'), 'props'), 3)).toBe(
    'elements["a b"].props[3]',
  )
  expect(appendPathKey('', 'root')).toBe('root')
})

test('shortens quoted values', () => {
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
