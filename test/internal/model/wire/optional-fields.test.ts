// Optional request fields, and the errors after which they are dropped.
import { expect, test } from 'vitest'
import { refusedFields } from '../../../../internal/model/endpoint/endpoint-memory.ts'
import type { FailureKind } from '../../../../internal/model/model.ts'
import { dropUnsupportedField } from '../../../../internal/model/wire/optional-fields.ts'

const sent = ['model', 'stream', 'stream_options', 'reasoning_effort', 'max_completion_tokens']
const cases: [string, FailureKind, string | undefined][] = [
  ["400 Unsupported parameter: 'stream_options'", 'bad_request', 'stream_options'],
  ['422 body.stream_options: Extra inputs are not permitted', 'bad_request', 'stream_options'],
  ['400 Unrecognized request argument supplied: reasoning_effort', 'bad_request', 'reasoning_effort'],
  [
    "400 Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens'",
    'bad_request',
    'max_completion_tokens',
  ],
  ["400 Unsupported parameter: 'max_tokens'", 'bad_request', undefined],
  ['400 model is not supported', 'bad_request', undefined],
  ['400 reasoning_effort looks nice', 'bad_request', undefined],
  ["429 unsupported 'stream_options'", 'rate_limit', undefined],
]

test.each(cases)('the message %s (%s)', (message, kind, field) => {
  const omitted = new Set<string>()
  expect(dropUnsupportedField({ kind, message }, sent, omitted)).toBe(field)
  expect([...omitted]).toEqual(field === undefined ? [] : [field])
})

test('does not drop the same field twice', () => {
  const omitted = new Set(['stream_options'])
  expect(
    dropUnsupportedField({ kind: 'bad_request', message: 'unsupported stream_options' }, sent, omitted),
  ).toBeUndefined()
})

test('a rejection applies to every model object of the same endpoint, and to no other', () => {
  const at = (baseUrl: string, model = 'm') =>
    refusedFields({ model, endpoint: { baseUrl, key: undefined, headers: {}, idleMs: 1 } })
  at('http://one/v1').add('stream_options')
  expect([...at('http://one/v1')]).toEqual(['stream_options'])
  expect([...at('http://one/v1', 'other'), ...at('http://two/v1')]).toEqual([])
  for (let n = 0; n < 300; n++) at(`http://many-${n}/v1`)
  expect([...at('http://one/v1')]).toEqual([])
})
