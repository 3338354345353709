// The folding of chunks into a response, in the notations of different endpoints.
import { expect, test } from 'vitest'
import {
  type ChatChunk,
  carryOf,
  endOf,
  foldChunk,
  newReply,
} from '../../../../internal/model/wire/chat-fold.ts'

function folded(...chunks: ChatChunk[]) {
  const reply = newReply()
  for (const chunk of chunks) foldChunk(reply, chunk)
  return reply
}
type Choice = NonNullable<ChatChunk['choices']>[number]
const delta = (value: NonNullable<Choice['delta']>): ChatChunk => ({ choices: [{ delta: value }] })
const call = (piece: NonNullable<NonNullable<Choice['delta']>['tool_calls']>[number]) =>
  delta({ tool_calls: [piece] })
const calls = (...chunks: ChatChunk[]) => folded(...chunks).calls.map(({ id, name, raw }) => [id, name, raw])

test('joins the pieces of a call by their index', () => {
  expect(
    calls(
      call({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      call({ index: 0, function: { arguments: '{"p"' } }),
      call({ index: 1, id: 'b', function: { name: 'grep', arguments: '{' } }),
      call({ index: 0, function: { arguments: ':1}' } }),
      call({ index: 1, function: { arguments: '}' } }),
    ),
  ).toEqual([
    ['a', 'read', '{"p":1}'],
    ['b', 'grep', '{}'],
  ])
})

test('whole calls that all have the same index, or no index, stay separate', () => {
  const whole = (id: string, index?: number) =>
    call({
      ...(index === undefined ? {} : { index }),
      id,
      function: { name: 'read', arguments: `{"n":"${id}"}` },
    })
  const expected = [
    ['a', 'read', '{"n":"a"}'],
    ['b', 'read', '{"n":"b"}'],
  ]
  expect(calls(whole('a', 0), whole('b', 0))).toEqual(expected)
  expect(calls(whole('a'), whole('b'))).toEqual(expected)
})

test('adds pieces without index and id to the last call', () => {
  expect(
    calls(
      call({ id: 'a', function: { name: 'read', arguments: '{' } }),
      call({ function: { arguments: '}' } }),
      call({ id: 'b', function: { name: 'grep', arguments: '{}' } }),
    ),
  ).toEqual([
    ['a', 'read', '{}'],
    ['b', 'grep', '{}'],
  ])
})

test('does not repeat a name or id that comes with every piece', () => {
  expect(
    calls(
      call({ index: 0, id: 'a', function: { name: 'read', arguments: '{' } }),
      call({ index: 0, id: 'a', function: { name: 'read', arguments: '}' } }),
    ),
  ).toEqual([['a', 'read', '{}']])
})

test('reads text, refusals, parts, and reasoning under both names', () => {
  const reply = folded(
    delta({ content: 'a' }),
    delta({ content: [{ type: 'text', text: 'b' }] }),
    delta({ refusal: 'c' }),
    delta({ reasoning_content: 'x' }),
    delta({ reasoning: 'y' }),
    { choices: [{ delta: null }] },
    { choices: null },
    {},
  )
  expect(reply).toMatchObject({ text: 'abc', reasoning: 'xy' })
})

test('finds usage in any chunk', () => {
  expect(folded({ usage: { prompt_tokens: 1 } }, { usage: null }).usage).toEqual({ prompt_tokens: 1 })
  expect(folded({ x_groq: { usage: { prompt_tokens: 2 } } }).usage).toEqual({ prompt_tokens: 2 })
})

const finish = (reason: string, calls = false) =>
  endOf(
    folded(calls ? call({ index: 0, id: 'a', function: { name: 'x', arguments: '' } }) : {}, {
      choices: [{ delta: {}, finish_reason: reason }],
    }),
  )

test('returns the reason for the end of a response', () => {
  expect(finish('stop')).toBe('stop')
  expect(finish('tool_calls', true)).toBe('calls')
  // some endpoints report stop with calls
  expect(finish('stop', true)).toBe('calls')
  expect(finish('length', true)).toBe('length')
  expect(finish('content_filter')).toBe('filter')
  expect(finish('error')).toBeUndefined()
  expect(endOf(folded(delta({ content: 'half' })))).toBeUndefined()
})

test('carries reasoning and extra fields into later requests', () => {
  const reply = folded(
    delta({ reasoning_content: 'why', reasoning_details: [{ n: 1 }] }),
    call({ index: 0, id: 'a', function: { name: 'x' }, extra_content: { sig: 1 } }),
  )
  expect(carryOf(reply, ['final'], true)).toEqual({
    reasoning: 'why',
    details: [{ n: 1 }],
    extras: { final: { sig: 1 } },
  })
  expect(carryOf(folded(delta({ reasoning_content: 'why' })), [], false)).toBeUndefined()
})
