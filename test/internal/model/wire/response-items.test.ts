// Checks messages in the form of the Responses API.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { itemWriter, responseTools } from '../../../../internal/model/wire/response-items.ts'

test('writes a conversation with calls, images and sealed reasoning', () => {
  const sealed = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' }
  const messages: ModelMessage[] = [
    { role: 'system', content: 's' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'u' },
        { type: 'image', mime: 'image/png', base64: 'A' },
      ],
    },
    {
      role: 'assistant',
      content: 'a',
      calls: [{ id: 'c', name: 'read', args: { p: 1 } }],
      carry: { from: 'me', value: [sealed] },
    },
    { role: 'tool', callId: 'c', name: 'read', content: 'r', data: 1 },
  ]
  const items = [
    { type: 'message', role: 'system', content: [{ type: 'input_text', text: 's' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'u' },
        { type: 'input_image', image_url: 'data:image/png;base64,A', detail: 'auto' },
      ],
    },
    sealed,
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
    { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"p":1}' },
    { type: 'function_call_output', call_id: 'c', output: 'r' },
  ]
  expect(itemWriter('me', false)(messages)).toEqual(items)
  expect(itemWriter('other', false)(messages)).toEqual(items.filter((item) => item !== sealed))
})

test('marks tools as not strict', () => {
  expect(JSON.parse(responseTools([{ name: 'read', description: 'd', schema: {} }]))).toEqual([
    { type: 'function', name: 'read', description: 'd', parameters: {}, strict: false },
  ])
})

test('gives messages constant ids where a server checks for them', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'u' },
    { role: 'assistant', content: 'a', calls: [{ id: 'c', name: 'read', args: {} }] },
    { role: 'tool', callId: 'c', name: 'read', content: 'r' },
  ]
  const items = itemWriter('me', true)(messages)
  expect(items).toMatchObject([
    { role: 'user' },
    { type: 'message', role: 'assistant', id: expect.stringMatching(/^msg_/), status: 'completed' },
    { type: 'function_call', call_id: 'c', id: expect.stringMatching(/^fc_/), status: 'completed' },
    { type: 'function_call_output' },
  ])
  expect(itemWriter('me', true)(messages.map((message) => ({ ...message })))).toEqual(items)
})

test('joins consecutive user messages', () => {
  const image = { type: 'image', mime: 'image/png', base64: 'AA' } as const
  const messages: ModelMessage[] = [
    { role: 'user', content: 'one' },
    { role: 'user', content: [{ type: 'text', text: 'two' }, image] },
    { role: 'assistant', content: 'a' },
    { role: 'user', content: 'three' },
  ]
  const items = itemWriter('me', false)(messages)
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(items[0]?.content).toMatchObject([
    { type: 'input_text' },
    { type: 'input_text' },
    { type: 'input_image' },
  ])
  // what was written before is not changed by what follows
  expect(itemWriter('me', false)(messages.slice(0, 1))[0]?.content).toHaveLength(1)
})
