// Checks which texts count as calls that were only written.
import { expect, test } from 'vitest'
import { findWrittenCalls } from '../../../../internal/model/reply/written-calls.ts'

const tools = [{ name: 'read', description: '', schema: {} }]
const names = (text: string) => findWrittenCalls(text, tools).map(({ name }) => name)

test('a call of an unknown tool counts at the end only', () => {
  expect(names('<tool_call>{"name": "other"}</tool_call>')).toEqual(['other'])
  expect(names('<tool_call>{"name": "other"}</tool_call> is an example')).toEqual([])
  expect(names('<function=functions.read></function> and more')).toEqual(['read'])
})
