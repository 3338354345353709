// What counts as a JSON object.
import { expect, test } from 'vitest'
import { isPlainObject } from '../../../internal/base/plain-object.ts'

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [null, false],
  [undefined, false],
  [[], false],
  ['{}', false],
  [1, false],
])('%j: %s', (value, is) => {
  expect(isPlainObject(value)).toBe(is)
})
