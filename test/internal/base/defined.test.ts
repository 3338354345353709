import { expect, test } from 'vitest'
import { defined } from '../../../internal/base/defined.ts'

test('fields without a value are left out, and all others stay in their order', () => {
  const found = defined({ b: 1, a: undefined, zero: 0, no: false, none: null, empty: '' })
  expect(Object.keys(found)).toEqual(['b', 'zero', 'no', 'none', 'empty'])
  expect(found).toStrictEqual({ b: 1, zero: 0, no: false, none: null, empty: '' })
})

test('a spread of it does not cover what stands before', () => {
  const limit: number | undefined = undefined
  expect({ limit: 5, ...defined({ limit }) }).toStrictEqual({ limit: 5 })
})
