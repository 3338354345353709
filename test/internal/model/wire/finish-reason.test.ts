// The meaning of reasons for an end, in the notations of many providers.
import { expect, test } from 'vitest'
import { endReasonOf, worseFinish } from '../../../../internal/model/wire/finish-reason.ts'

test.each([
  ['stop', true, 'calls'],
  ['tool_use', true, 'calls'],
  ['end_turn', false, 'stop'],
  ['max_tokens', true, 'length'],
  ['refusal', true, 'filter'],
  ['brand_new', true, 'filter'],
  ['brand_new', false, 'stop'],
  ['error', false, undefined],
  [undefined, false, undefined],
] as const)('%s, with calls %s: %s', (finish, hasCalls, reason) => {
  expect(endReasonOf(finish, hasCalls)).toBe(reason)
})

test('the worse of two reasons counts, in either order', () => {
  expect(worseFinish('stop', 'refusal')).toBe('refusal')
  expect(worseFinish('refusal', 'stop')).toBe('refusal')
  expect(worseFinish('length', undefined)).toBe('length')
})
