// The text of a cell, and rejected values.
import { expect, test } from 'vitest'
import {
  cellList,
  cellMatrix,
  cellText,
  type IssueContext,
  isDynamic,
} from '../../../../internal/render/spec/cell-text.ts'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'

const place = (): IssueContext => ({
  path: 'p',
  element: 'e',
  errors: collectIssues(),
  warnings: collectIssues(),
})

const cells: [unknown, string, string | undefined, string | undefined][] = [
  ['text', 'text', undefined, undefined],
  ['two\nlines\x1b[31m', 'two lines', undefined, undefined],
  [null, '', undefined, undefined],
  [3.5, '3.5', undefined, 'coerced'],
  [false, 'false', undefined, 'coerced'],
  [Number.POSITIVE_INFINITY, '', 'bad_prop', undefined],
  [{}, '', 'bad_prop', undefined],
  [[1], '', 'bad_prop', undefined],
  [{ $state: '/x' }, '', 'unsupported_dynamic', undefined],
]

test.each(cells)('converts %j', (value, text, error, warning) => {
  const at = place()
  expect(cellText(value, () => 'p', at)).toBe(text)
  expect(at.errors.list()[0]?.code).toBe(error)
  expect(at.warnings.list()[0]?.code).toBe(warning)
})

test('converts rows to texts in the order of the columns', () => {
  const at = place()
  const rows = [{ b: '2', a: '1' }, { a: 1 }, { a: null, c: 'x' }, { c: 'y' }, 'no row']
  expect(cellMatrix(rows, ['a', 'b', 'a'], at)).toEqual([
    ['1', '2', '1'],
    ['1', '', '1'],
    ['', '', ''],
    ['', '', ''],
    ['', '', ''],
  ])
  expect(at.errors.list().map((issue) => issue.path)).toEqual(['p[4]'])
  expect(at.warnings.list().map((issue) => `${issue.code} ${issue.path}`)).toEqual([
    'unknown_prop p[2].c',
    'coerced p[1].a',
  ])
  expect(at.warnings.list().at(-1)?.message).toBe('1 became a string, and so did 1 more')
})

test('reports numbers in a table or list as one warning', () => {
  const at = place()
  const rows = Array.from({ length: 500 }, (_, i) => ({ a: i, b: i % 2 === 0 }))
  cellMatrix(rows, ['a', 'b'], at)
  cellList([1, 2, 3], { ...at, path: 'q' })
  expect(at.warnings.list().map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'p[0].a: 0 became a string, and so did 999 more',
    'q[0]: 1 became a string, and so did 2 more',
  ])
})

test('does not read keys of prototypes as cells', () => {
  expect(cellMatrix([{}], ['toString', '__proto__'], place())).toEqual([['', '']])
})

test('converts a list of items', () => {
  expect(cellList(['a', 1, null], place())).toEqual(['a', '1', ''])
})

test('detects bindings by their key', () => {
  expect([{ $state: 1 }, { $bindState: 1 }, {}, null, '$state', { state: 1 }].map(isDynamic)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
