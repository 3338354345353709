// Finds the JSON object in a reply, whatever stands before and after it.
import { expect, test } from 'vitest'
import { findJsonObject } from '../../../internal/text-analysis/json-object.ts'

test.each([
  ['alone', '{"a": {"b": 1}}', { a: { b: 1 } }],
  ['in a fence', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['after other braces', 'a set {x, y}, then {"a": 1}', { a: 1 }],
  ['cut off', '{"a": 1', undefined],
  ['none', 'no object', undefined],
])('%s', (_, text, found) => {
  expect(findJsonObject(text)).toEqual(found)
})

test('with keys, an example that has none of them is passed over', () => {
  const text = 'like {"x": 1}: {"claims": []}'
  expect(findJsonObject(text, ['claims', 'gaps'])).toEqual({ claims: [] })
  expect(findJsonObject('{"x": 1}', ['claims', 'gaps'])).toBeUndefined()
})
