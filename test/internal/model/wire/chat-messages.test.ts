// Checks messages in the form of Chat Completions.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { messageWriter, writeTools } from '../../../../internal/model/wire/chat-messages.ts'

const png = { type: 'image', mime: 'image/png', base64: 'AAAA' } as const
const write = (messages: ModelMessage[], quirks = {}) =>
  JSON.parse(messageWriter('me', quirks)(messages).join(''))

test('writes a conversation with calls and results', () => {
  const messages: ModelMessage[] = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'look' },
    { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'read', args: { path: 'a' } }] },
    {
      role: 'tool',
      callId: 'c1',
      name: 'read',
      content: 'text',
      data: { secret: 1 },
      evidence: [{ id: 'E1' }],
    },
    { role: 'assistant', content: 'done' },
  ]
  expect(write(messages)).toEqual([
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'look' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'text' },
    { role: 'assistant', content: 'done' },
  ])
})

test('images of results come after the last result of the turn', () => {
  const messages: ModelMessage[] = [
    { role: 'tool', callId: 'c1', name: 'look_at', content: [{ type: 'text', text: 'a picture' }, png] },
    { role: 'tool', callId: 'c2', name: 'read', content: 'text' },
    { role: 'user', content: [{ type: 'text', text: 'and this' }, png] },
  ]
  const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  expect(write(messages)).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: 'a picture' },
    { role: 'tool', tool_call_id: 'c2', content: 'text' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Image from the result of look_at:' },
        url,
        { type: 'text', text: 'and this' },
        url,
      ],
    },
  ])
})

test('writes broken arguments as valid JSON', () => {
  const malformed = { raw: '{"a":', error: 'x', position: 5 }
  const [message] = write([
    { role: 'assistant', content: '', calls: [{ id: 'c', name: 'read', args: undefined, malformed }] },
  ])
  expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({ not_json: '{"a":' })
})

test('returns extra fields only to the model that sent them', () => {
  const message: ModelMessage = {
    role: 'assistant',
    content: 'x',
    calls: [{ id: 'c', name: 'read', args: {} }],
    carry: { from: 'me', value: { reasoning: 'because', details: [{ n: 1 }], extras: { c: { sig: 's' } } } },
  }
  const own = write([message], { returnReasoning: true })[0]
  expect(own).toMatchObject({ reasoning_content: 'because', reasoning_details: [{ n: 1 }] })
  expect(own.tool_calls[0].extra_content).toEqual({ sig: 's' })
  expect(write([message], { returned: 'no_returned_reasoning' })[0]).not.toHaveProperty('reasoning_content')
  const other = JSON.parse(messageWriter('other', { returnReasoning: true })([message]).join(''))[0]
  expect(Object.keys(other)).toEqual(['role', 'content', 'tool_calls'])
  expect(other.tool_calls[0]).not.toHaveProperty('extra_content')
})

test('shortens ids in a call and its result alike', () => {
  const [call, result] = write(
    [
      { role: 'assistant', content: '', calls: [{ id: 'call_long', name: 'read', args: {} }] },
      { role: 'tool', callId: 'call_long', name: 'read', content: '' },
    ],
    { shortIds: true },
  )
  expect(call.tool_calls[0].id).toBe(result.tool_call_id)
  expect(result.tool_call_id).toHaveLength(9)
})

test('writes tools', () => {
  const tools = [{ name: 'read', description: 'reads', schema: { type: 'object' } }]
  expect(JSON.parse(writeTools(tools))).toEqual([
    { type: 'function', function: { name: 'read', description: 'reads', parameters: { type: 'object' } } },
  ])
  expect(writeTools(tools)).toBe(writeTools(tools))
})

test('joins consecutive user messages, and does not change what was sent before', () => {
  const first: ModelMessage[] = [
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'a' },
  ]
  expect(write(first)).toEqual([
    { role: 'user', content: 'one\n\ntwo' },
    { role: 'assistant', content: 'a' },
  ])
  const writer = messageWriter('me', {})
  const before = writer(first).join('')
  const after = writer([
    ...first,
    { role: 'user', content: 'three' },
    { role: 'user', content: 'four' },
  ]).join('')
  expect(after.startsWith(before.slice(0, -1))).toBe(true)
  expect(JSON.parse(after)).toHaveLength(3)
})
