// Replies of endpoints that do not stream: the whole reply as one JSON object, for each wire format.
import type { ServedFormat, ServedReply } from '../model-server.ts'

const args = JSON.stringify({ word: 'a' })
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
const words = (text: string) => ({
  ...{ type: 'message', role: 'assistant' },
  content: [{ type: 'output_text', text, annotations: [] }],
})
const called = (call_id: string) => ({ type: 'function_call', call_id, name: 'echo', arguments: args })
const use = (id: string) => ({ type: 'tool_use', id, name: 'echo', input: { word: 'a' } })
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sealed' }

/** By title; each asks for `calls` calls. */
const replies: Readonly<Record<ServedFormat, Readonly<Record<string, { body: object; calls: number }>>>> = {
  chat: {
    calls: {
      body: {
        choices: [
          {
            message: {
              ...{ role: 'assistant', content: null },
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'echo', arguments: args } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      },
      calls: 1,
    },
    text: { body: { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }, calls: 0 },
    'text as parts': {
      body: { choices: [{ message: { content: [{ type: 'text', text: 'x' }] }, finish_reason: 'stop' }] },
      calls: 0,
    },
  },
  responses: {
    calls: { body: { status: 'completed', output: [called('c1')] }, calls: 1 },
    'reasoning before each item': {
      body: {
        status: 'completed',
        output: [reasoning, words('x'), { ...reasoning, id: 'rs_2' }, called('c1')],
      },
      calls: 1,
    },
    'text after calls': {
      body: { status: 'completed', output: [called('c1'), words('x'), called('c2')] },
      calls: 2,
    },
    'reasoning at the end': {
      body: { status: 'completed', output: [words('x'), called('c1'), reasoning] },
      calls: 1,
    },
    'no status': { body: { output: [words('x')] }, calls: 0 },
    'blank text between': {
      body: {
        status: 'completed',
        output: [reasoning, words(' '), { ...reasoning, id: 'rs_2' }, called('c1')],
      },
      calls: 1,
    },
  },
  messages: {
    calls: { body: { type: 'message', content: [use('c1')], stop_reason: 'tool_use' }, calls: 1 },
    'thinking before each block': {
      body: {
        ...{ type: 'message', stop_reason: 'tool_use' },
        content: [thought, { type: 'text', text: 'x' }, thought, use('c1')],
      },
      calls: 1,
    },
    'thinking at the end': {
      body: { type: 'message', content: [use('c1'), thought], stop_reason: 'tool_use' },
      calls: 1,
    },
    text: {
      body: { type: 'message', content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn' },
      calls: 0,
    },
  },
}

/** Returns the responses of one format: title, response, number of its calls. */
export function plainReplies(format: ServedFormat): (readonly [string, ServedReply, number])[] {
  return Object.entries(replies[format]).map(([title, { body, calls }]) => [
    title,
    { status: 200, body: JSON.stringify(body) },
    calls,
  ])
}
