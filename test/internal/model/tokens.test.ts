// Checks the estimate of sizes.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../internal/model/model.ts'
import { contentText, estimateRequest, tokensOf, weighMessage } from '../../../internal/model/tokens.ts'

test('four characters count as one token, rounded up', () => {
  expect(['', 'a', 'abcd', 'abcde'].map(tokensOf)).toEqual([0, 1, 1, 2])
})

test('calls and images count as tokens, also broken calls', () => {
  const call: ModelMessage = {
    role: 'assistant',
    content: '',
    calls: [
      { id: '1', name: 'read', args: { path: 'abcd' } },
      { id: '2', name: 'read', args: undefined, malformed: { raw: '{'.repeat(36), error: 'x', position: 0 } },
    ],
  }
  expect(weighMessage(call)).toBe(5 + 10)
  const image: ModelMessage = {
    role: 'user',
    content: [
      { type: 'text', text: 'abcd' },
      { type: 'image', mime: 'image/png', base64: 'AAAA' },
    ],
  }
  expect(weighMessage(image)).toBe(1001)
  expect(contentText(image.content)).toBe('abcd')
})

test('the size of a request is the size of its messages and tools', () => {
  const messages: ModelMessage[] = [{ role: 'user', content: 'x'.repeat(40) }]
  const tools = [{ name: 'read', description: 'd', schema: {} }]
  expect(estimateRequest({ messages, tools: [] })).toBe(10)
  expect(estimateRequest({ messages, tools })).toBe(10 + tokensOf(JSON.stringify(tools)))
  expect(estimateRequest({ messages, tools })).toBe(10 + tokensOf(JSON.stringify(tools)))
})
