// Readers of untrusted JSON: a value of the wrong type counts as missing.
import { expect, test } from 'vitest'
import {
  countOf,
  isObject,
  jsonOrText,
  listOf,
  objectOf,
  parseJson,
  stringOf,
  stringsOf,
} from '../../../internal/base/untrusted-json.ts'

const values: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  '',
  'a',
  [],
  ['a', 1, 'b'],
  {},
  { a: 1 },
]
const absent = (read: (value: unknown) => unknown) =>
  values.map((value) => JSON.stringify(read(value)) ?? '-')

test('reads texts that are JSON, and returns others as they are', () => {
  for (const value of ['a', 1, null, true, [1], { a: 1 }]) {
    expect(parseJson(JSON.stringify(value))).toEqual(value)
    expect(jsonOrText(JSON.stringify(value))).toEqual(value)
  }
  for (const text of ['', 'a', '{a}', "{'a': 1}", '{"a": 1} b', 'undefined']) {
    expect(parseJson(text)).toBeUndefined()
    expect(jsonOrText(text)).toBe(text)
  }
})

test('lists and null do not count as objects', () => {
  expect(values.filter(isObject)).toEqual([{}, { a: 1 }])
  expect(absent(objectOf)).toEqual([...Array(11).fill('-'), '{}', '{"a":1}'])
})

test('reads lists and the strings in them', () => {
  expect(values.map(listOf).filter((list) => list.length > 0)).toEqual([['a', 1, 'b']])
  expect(values.map(stringsOf).filter((list) => list.length > 0)).toEqual([['a', 'b']])
})

test('reads strings and counts', () => {
  expect(values.map(stringOf).join('')).toBe('a')
  expect(values.flatMap((value) => countOf(value) ?? [])).toEqual([0, 1.5])
})
