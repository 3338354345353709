// Streams whose text or calls come whole, in one late event and not in pieces, for each wire format.
import type { ServedFormat } from '../model-server.ts'

const args = JSON.stringify({ word: 'a' })
const said = 'whole answer'
const part = { type: 'output_text', text: said, annotations: [] }
const message = { type: 'message', id: 'm', role: 'assistant', content: [part] }
const item = { type: 'function_call', id: 'f', call_id: 'c1', name: 'echo', arguments: args }
const started = { ...item, arguments: '' }
const completed = (output: readonly unknown[]) => ({
  ...{ type: 'response.completed', response: { status: 'completed', output } },
})
const block = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const stopped = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }]
const stoppedForUse = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
]
const use = { type: 'tool_use', id: 'c1', name: 'echo', input: { word: 'a' } }
const choice = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'echo', arguments: args } }

const streams: Readonly<Record<ServedFormat, Readonly<Record<string, readonly unknown[]>>>> = {
  responses: {
    'text in output_text.done': [
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: said },
      completed([]),
    ],
    'text in content_part.done': [
      { type: 'response.content_part.done', output_index: 0, content_index: 0, part },
      completed([]),
    ],
    'text in content_part.added': [
      { type: 'response.content_part.added', output_index: 0, content_index: 0, part },
      completed([]),
    ],
    'text in the finished item': [
      { type: 'response.output_item.done', output_index: 0, item: message },
      completed([]),
    ],
    'text in an item whose content is a text': [
      { type: 'response.output_item.done', output_index: 0, item: { ...message, content: said } },
      completed([]),
    ],
    'text in the item and in the end': [
      { type: 'response.output_item.done', output_index: 0, item: message },
      completed([message]),
    ],
    'text in the end': [completed([message])],
    'text in output_text of the end': [
      { type: 'response.completed', response: { status: 'completed', output: [], output_text: said } },
    ],
    'text in two parts of an item': [
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          ...message,
          content: [
            { ...part, text: 'whole ' },
            { ...part, text: 'answer' },
          ],
        },
      },
      completed([]),
    ],
    'text in all of them': [
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'whole ' },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: said },
      { type: 'response.content_part.done', output_index: 0, content_index: 0, part },
      { type: 'response.output_item.done', output_index: 0, item: message },
      completed([message]),
    ],
    'a call in the finished item': [
      { type: 'response.output_item.done', output_index: 0, item },
      completed([]),
    ],
    'a call in the end': [completed([item])],
    'arguments in arguments.done': [
      { type: 'response.output_item.added', output_index: 0, item: started },
      { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'f', arguments: args },
      completed([]),
    ],
    'arguments in pieces': [
      { type: 'response.output_item.added', output_index: 0, item: started },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: args.slice(0, 4) },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: args.slice(4) },
      completed([]),
    ],
    'arguments in pieces and in an empty finished item': [
      { type: 'response.output_item.added', output_index: 0, item: started },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: args },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: args },
      { type: 'response.output_item.done', output_index: 0, item: started },
      completed([started]),
    ],
  },
  chat: {
    'text in one piece with the reason': [choice({ content: said }, 'stop')],
    'text in the message of the last chunk': [
      choice({ role: 'assistant' }),
      { choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }] },
    ],
    'text as parts': [choice({ content: [{ type: 'text', text: said }] }, 'stop')],
    'text in the field of a completion': [{ choices: [{ index: 0, text: said, finish_reason: 'stop' }] }],
    'text in pieces and again in the message': [
      choice({ content: said }),
      {
        choices: [
          { index: 0, delta: {}, message: { role: 'assistant', content: said }, finish_reason: 'stop' },
        ],
      },
    ],
    'a call in one piece with the reason': [choice({ tool_calls: [call] }, 'tool_calls')],
    'a call in the message of the last chunk': [
      choice({ role: 'assistant' }),
      {
        choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
      },
    ],
    'a call in the old field': [
      choice({ function_call: { name: 'echo', arguments: '' } }),
      choice({ function_call: { arguments: args } }, 'function_call'),
    ],
    'arguments as an object': [
      choice(
        { tool_calls: [{ ...call, function: { name: 'echo', arguments: { word: 'a' } } }] },
        'tool_calls',
      ),
    ],
  },
  messages: {
    'text in the start of its block': [block(0, { type: 'text', text: said }), ...stopped],
    'text in a block that ends': [
      block(0, { type: 'text', text: said }),
      { type: 'content_block_stop', index: 0 },
      ...stopped,
    ],
    'text in the start of the message': [
      {
        type: 'message_start',
        message: { type: 'message', role: 'assistant', content: [{ type: 'text', text: said }] },
      },
      ...stopped,
    ],
    'text of a delta without a block': [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
      ...stopped,
    ],
    'text as the content itself': [
      { type: 'message', role: 'assistant', content: said, stop_reason: 'end_turn' },
    ],
    'a call in the start of its block': [
      block(0, use),
      { type: 'content_block_stop', index: 0 },
      ...stoppedForUse,
    ],
    'a call in the start of the message': [
      { type: 'message_start', message: { type: 'message', role: 'assistant', content: [use] } },
      ...stoppedForUse,
    ],
    'arguments whole and again in pieces': [
      block(0, use),
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args } },
      { type: 'content_block_stop', index: 0 },
      ...stoppedForUse,
    ],
  },
}

/**
 * Returns title and body of each stream of one format. Streams whose title does not mention text call `echo`.
 */
export function wholeParts(format: ServedFormat): readonly (readonly [string, string])[] {
  return Object.entries(streams[format]).map(([title, events]) => {
    const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return [title, format === 'chat' ? `${lines}data: [DONE]\n\n` : lines]
  })
}
