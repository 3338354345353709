// Checks messages in the form of the Responses API.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { itemWriter, responseTools } from '../../../../internal/model/wire/response-items.ts'

test('a conversation with calls, images and sealed reasoning', () => {
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
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
    { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"p":1}' },
    { type: 'function_call_output', call_id: 'c', output: 'r' },
  ]
  expect(itemWriter('me')(messages)).toEqual(items)
  expect(itemWriter('other')(messages)).toEqual(items.filter((item) => item !== sealed))
})

test('tools are not strict', () => {
  expect(responseTools([{ name: 'read', description: 'd', schema: {} }])).toEqual([
    { type: 'function', name: 'read', description: 'd', parameters: {}, strict: false },
  ])
})
