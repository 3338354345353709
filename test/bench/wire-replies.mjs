// The responses of the scripted model server, as event streams in the three wire formats.

/** Returns the wire format of a request path. */
export const formatOf = (path) =>
  path.endsWith('/messages') ? 'messages' : path.endsWith('/responses') ? 'responses' : 'chat'

const line = (value) => `data: ${JSON.stringify(value)}\n\n`
const event = (value) => `event: ${value.type}\n${line(value)}`

/**
 * Returns the stream of a response with calls (`{ id, name, args }`, `args` as JSON text), or with the text
 * `done`.
 */
export const replyStream = (format, calls) => streams[format](calls)

const streams = {
  chat(calls) {
    const frame = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'bench' }
    const chunk = (delta, finish_reason = null) =>
      line({ ...frame, choices: [{ index: 0, delta, finish_reason }] })
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    const deltas = calls
      ? calls.map(({ id, name, args }, index) =>
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] }),
        )
      : [chunk({ content: 'done' })]
    return [
      chunk({ role: 'assistant', content: '' }),
      ...deltas,
      chunk({}, calls ? 'tool_calls' : 'stop'),
      line({ ...frame, choices: [], usage }),
      'data: [DONE]\n\n',
    ].join('')
  },

  messages(calls) {
    const usage = { input_tokens: 100, output_tokens: 1 }
    const message = { id: 'r', type: 'message', role: 'assistant', model: 'bench', content: [], usage }
    const blocks = calls
      ? calls.map(({ id, name, args }) => ({
          start: { type: 'tool_use', id, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: args },
        }))
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: 'done' } }]
    const body = blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ])
    const delta = { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null }
    const end = [{ type: 'message_delta', delta, usage: { output_tokens: 10 } }, { type: 'message_stop' }]
    return [{ type: 'message_start', message }, ...body, ...end].map(event).join('')
  },

  responses(calls) {
    const items = calls
      ? calls.map(({ id, name, args }) => ({ type: 'function_call', call_id: id, name, arguments: args }))
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }]
    const usage = { input_tokens: 100, output_tokens: 10 }
    const response = { id: 'r', status: 'completed', output: items, usage }
    const done = items.map((item, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item: { id: `i${output_index}`, ...item },
    }))
    const words = calls ? [] : [{ type: 'response.output_text.delta', delta: 'done' }]
    return [...words, ...done, { type: 'response.completed', response }].map(event).join('')
  },
}

/** Returns the first failed result in a request. */
export function failedResult(format, body) {
  if (format === 'messages') {
    const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
    const failed = blocks.find(({ is_error }) => is_error)
    return failed && JSON.stringify(failed)
  }
  const texts =
    format === 'chat'
      ? body.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
      : body.input.flatMap(({ type, output }) => (type === 'function_call_output' ? [output] : []))
  return texts.find((text) => text.startsWith('error '))
}
