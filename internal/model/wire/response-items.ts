// Messages and tools in the form of the Responses API.
import { fingerprint } from '../../base/fingerprint.ts'
import type { MessageContent, ModelMessage, ToolSpec } from '../model.ts'
import { argumentsOf, functionName } from './chat-messages.ts'

type Item = Record<string, unknown>

/**
 * Converts conversations for one model. Messages are never changed once made, so each is converted once.
 * `withIds`: what the model has said gets an id and a status, as servers want that check items against the
 * published types; the provider itself knows its own ids, and is given none that it did not make.
 */
export function itemWriter(from: string, withIds: boolean): (messages: readonly ModelMessage[]) => Item[] {
  const known = new WeakMap<ModelMessage, Item[]>()
  const itemsOf = (message: ModelMessage): Item[] => {
    let items = known.get(message)
    if (!items) {
      items = convert(message, from).map((item) => (withIds ? nameItem(item) : item))
      known.set(message, items)
    }
    return items
  }
  return (messages) => {
    const out: Item[] = []
    let isUsers = false
    for (const message of messages) {
      const items = itemsOf(message)
      const last = out.at(-1)
      // chat templates of several open models refuse two messages of the user in a row
      if (isUsers && message.role === 'user' && last)
        out[out.length - 1] = { ...last, content: [...contentOf(last), ...items.flatMap(contentOf)] }
      else out.push(...items)
      isUsers = message.role === 'user'
    }
    return out
  }
}

const contentOf = (item: Item) => item.content as Item[]

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
      const text =
        message.content === '' ? [] : [{ type: 'output_text', text: message.content, annotations: [] }]
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

/** Ids are the same for the same item, so that what is kept of a prefix still fits. */
function nameItem(item: Item): Item {
  const isSpoken = item.type === 'message' && item.role === 'assistant'
  if (!isSpoken && item.type !== 'function_call') return item
  const id = `${isSpoken ? 'msg' : 'fc'}_${fingerprint(JSON.stringify(item)).slice(0, 24)}`
  return { ...item, id, status: 'completed' }
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

const itemTexts = new WeakMap<object, string>()

/** An item as JSON; those of messages are the same from turn to turn. */
export function itemText(item: object): string {
  let text = itemTexts.get(item)
  if (text === undefined) {
    text = JSON.stringify(item)
    itemTexts.set(item, text)
  }
  return text
}

const toolTexts = new WeakMap<readonly ToolSpec[], string>()

/** Tools as JSON. Not strict: schemas have optional parameters, which the strict form does not know. */
export function responseTools(tools: readonly ToolSpec[]): string {
  let text = toolTexts.get(tools)
  if (text === undefined) {
    text = JSON.stringify(
      tools.map(({ name, description, schema }) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
        strict: false,
      })),
    )
    toolTexts.set(tools, text)
  }
  return text
}
