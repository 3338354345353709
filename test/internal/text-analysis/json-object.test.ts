// The JSON object in a response, with any text before and after it.
import { expect, test } from 'vitest'
import { eachObject, findJsonObject } from '../../../internal/text-analysis/json-object.ts'
import { leastCost } from '../../support/cost.ts'

test.each([
  ['alone', '{"a": {"b": 1}}', { a: { b: 1 } }],
  ['in a fence', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['after other braces', 'a set {x, y}, then {"a": 1}', { a: 1 }],
  ['cut off', '{"a": 1', undefined],
  ['after a lone quotation mark', 'a 3" {disk}: {"a": 1}', { a: 1 }],
  ['with braces in a text', '{"a": "} {"}', { a: '} {' }],
  ['none', 'no object', undefined],
])('finds a JSON object: %s', (_, text, found) => {
  expect(findJsonObject(text)).toEqual(found)
})

test('with keys, skips an example that has none of them', () => {
  const text = 'like {"x": 1}: {"claims": []}'
  expect(findJsonObject(text, ['claims', 'gaps'])).toEqual({ claims: [] })
  expect(findJsonObject('{"x": 1}', ['claims', 'gaps'])).toBeUndefined()
})

test('returns the complete objects inside of a truncated one', () => {
  const text = '{"claims": [{"text": "a"}, {"text": "b"}, {"text": "c'
  expect([...eachObject(text)].map(({ value }) => value)).toEqual([{ text: 'a' }, { text: 'b' }])
})

test.each([
  ['empty ones', '{} '.repeat(20_000)],
  ['open ones', '{'.repeat(60_000)],
  ['nested ones', `${'{'.repeat(30_000)}${'}'.repeat(30_000)}`],
  ['a list without end', `{"claims": [${'{"text": "a", "quote": "b"}, '.repeat(2_000)}`],
])('%s are read in linear time', (_, text) => {
  expect(leastCost(1_500, () => findJsonObject(text, ['claims', 'gaps']))).toBeLessThan(1_500)
})
