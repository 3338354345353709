// Events of a Messages stream as they come, and as they should not.
import { expect, test } from 'vitest'
import { foldMessagesEvent, newMessagesReply } from '../../../../internal/model/wire/messages-fold.ts'

function foldAll(...events: Record<string, unknown>[]) {
  const reply = newMessagesReply()
  const shown = events.map((event) => foldMessagesEvent(reply, event))
  return { reply, text: shown.map(({ text }) => text).join('') }
}
const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change })
const stop = (index: number) => ({ type: 'content_block_stop', index })

test('separates interleaved blocks by their index', () => {
  const { reply, text } = foldAll(
    start(0, { type: 'text', text: '' }),
    start(1, { type: 'tool_use', id: 'a', name: 'read', input: {} }),
    delta(0, { type: 'text_delta', text: 'Hi' }),
    delta(1, { type: 'input_json_delta', partial_json: '{"x":' }),
    delta(1, { type: 'input_json_delta', partial_json: '1}' }),
    stop(0),
    stop(1),
  )
  expect(text).toBe('Hi')
  expect(reply.blocks).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', id: 'a', name: 'read', raw: '{"x":1}' },
  ])
  expect(reply.open.size).toBe(0)
})

test('uses the latest count of each kind', () => {
  const usage = (counts: object) => ({ type: 'message_delta', delta: {}, usage: counts })
  const first = { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 }
  const { reply } = foldAll(
    { type: 'message_start', message: { content: [], usage: first } },
    usage({ output_tokens: 3, input_tokens: null, cache_creation: { ephemeral_1h_input_tokens: 2 } }),
    usage({ output_tokens: -1 }),
  )
  expect(reply.usage).toEqual({ input: 5, cacheRead: 7, output: 3, cacheWrite1h: 2 })
})

test('skips events that belong to no block', () => {
  const { reply, text } = foldAll(
    { type: 'ping' },
    { type: 'something_new', text: 'x' },
    delta(4, { type: 'text_delta', text: 'x' }),
    start(0, { type: 'server_tool_use', id: 's' }),
    delta(0, { type: 'input_json_delta', partial_json: '{}' }),
  )
  expect([reply.blocks, text]).toEqual([[], ''])
})

test('a call after the end of the response is marked as late', () => {
  const { reply } = foldAll(
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    start(0, { type: 'tool_use', id: 'a', name: 'read', input: {} }),
  )
  expect(reply.blocks[0]).toMatchObject({ isLate: true })
})

test('an excessively long response is broken', () => {
  const piece = { type: 'text_delta', text: 'x'.repeat(1 << 20) }
  expect(() => foldAll(...Array.from({ length: 10 }, () => delta(0, piece)))).toThrow('more than')
})
