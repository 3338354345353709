// Messages and tools in the form of the Responses API.
import type { MessageContent, ModelMessage, ToolSpec } from '../model.ts'
import { argumentsOf, functionName } from './chat-messages.ts'

type Item = Record<string, unknown>

/** Converts conversations for one model. Messages are never changed once made, so each is converted once. */
export function itemWriter(from: string): (messages: readonly ModelMessage[]) => Item[] {
  const known = new WeakMap<ModelMessage, Item[]>()
  return (messages) =>
    messages.flatMap((message) => {
      let items = known.get(message)
      if (!items) {
        items = convert(message, from)
        known.set(message, items)
      }
      return items
    })
}

/** `from` marks what was carried over from an earlier reply of the same model. */
function convert(message: ModelMessage, from: string): Item[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'system', content: parts(message.content) }]
    case 'user':
      return [{ type: 'message', role: 'user', content: parts(message.content) }]
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: output(message.content) }]
    case 'assistant': {
      const carried = message.carry?.from === from ? (message.carry.value as Item[]) : []
      const text = message.content === '' ? [] : [{ type: 'output_text', text: message.content }]
      const spoken = text.length === 0 ? [] : [{ type: 'message', role: 'assistant', content: text }]
      const calls = (message.calls ?? []).map((call) => ({
        type: 'function_call',
        call_id: call.id,
        name: functionName(call.name),
        arguments: argumentsOf(call),
      }))
      return [...carried, ...spoken, ...calls]
    }
  }
}

const output = (content: MessageContent) => (typeof content === 'string' ? content : parts(content))

function parts(content: MessageContent): Item[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }]
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: `data:${part.mime};base64,${part.base64}`, detail: 'auto' },
  )
}

/** Not strict: the schemas of tools have optional parameters, which the strict form does not know. */
export function responseTools(tools: readonly ToolSpec[]): Item[] {
  return tools.map(({ name, description, schema }) => ({
    type: 'function',
    name,
    description,
    parameters: schema,
    strict: false,
  }))
}
