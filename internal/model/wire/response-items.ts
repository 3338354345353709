// Conversion of messages and tools to the form of the Responses API.
import { fingerprint } from '../../base/fingerprint.ts'
import { isObject, listOf, objectOf, stringOf } from '../../base/untrusted-json.ts'
import type { MessageContent, ModelMessage, ModelToolCall, ToolSpec } from '../model.ts'
import { strictCallId, strictName } from '../strict/tool-names.ts'
import { argumentsOf } from './chat-messages.ts'

type ResponseItem = Record<string, unknown>

/**
 * Returns a function that converts conversations for the model `from` and joins user messages in a row.
 * Messages never change, so each is converted once. `withIds`: messages and calls of the model get an id and
 * a status, for servers that check items against the published types.
 */
export function itemWriter(
  from: string,
  withIds: boolean,
): (messages: readonly ModelMessage[]) => ResponseItem[] {
  const cachedItems = new WeakMap<ModelMessage, ResponseItem[]>()
  const itemsOf = (message: ModelMessage): ResponseItem[] => {
    let items = cachedItems.get(message)
    if (!items) {
      items = convertMessage(message, from).map((item) => (withIds ? nameItem(item) : item))
      cachedItems.set(message, items)
    }
    return items
  }
  return (messages) => {
    const out: ResponseItem[] = []
    let isUsers = false
    for (const message of messages) {
      const items = itemsOf(message)
      const last = out.at(-1)
      // Chat templates of several open models refuse two user messages in a row, so they are joined.
      if (isUsers && message.role === 'user' && last)
        out[out.length - 1] = { ...last, content: [...contentOf(last), ...items.flatMap(contentOf)] }
      else out.push(...items)
      isUsers = message.role === 'user'
    }
    return out
  }
}

const contentOf = (item: ResponseItem) => item.content as ResponseItem[]

/**
 * Returns the items of a message. `carry`, the opaque data of a response, is used only if the model
 * `from` created it.
 */
function convertMessage(message: ModelMessage, from: string): ResponseItem[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'system', content: toInputParts(message.content) }]
    case 'user':
      return [{ type: 'message', role: 'user', content: toInputParts(message.content) }]
    case 'tool':
      return [
        {
          type: 'function_call_output',
          call_id: strictCallId(message.callId),
          output: toOutput(message.content),
        },
      ]
    case 'assistant': {
      const carried = message.carry?.from === from ? (message.carry.value as ResponsesCarry) : []
      return writeReply(message.content, message.calls ?? [], carried)
    }
  }
}

/**
 * Data that the next request sends back with a response: its reasoning items, with the positions of its text
 * and calls among them. Data that an older version of Anode stored has only the items.
 */
type ResponsesCarry = readonly (
  | ResponseItem
  | { type: 'text'; length: number }
  | { type: 'call'; id: string }
)[]

/**
 * Returns the items of a response with reasoning at its position. Reasoning after the last text or call is
 * removed, because the provider refuses reasoning without its next item.
 */
function writeReply(text: string, calls: readonly ModelToolCall[], carried: ResponsesCarry): ResponseItem[] {
  const waiting = new Map(calls.map((call) => [call.id, call]))
  let rest = text
  const out: ResponseItem[] = []
  for (const part of carried) {
    if (part.type === 'text') {
      out.push(...toTextItems(rest.slice(0, part.length as number)))
      rest = rest.slice(part.length as number)
    } else if (part.type === 'call') {
      const call = waiting.get(part.id as string)
      if (call) out.push(writeCall(call))
      waiting.delete(part.id as string)
    } else out.push(part)
  }
  const firstCall = out.findIndex(({ type }) => type === 'function_call')
  out.splice(firstCall < 0 ? out.length : firstCall, 0, ...toTextItems(rest))
  out.push(...[...waiting.values()].map(writeCall))
  return out.slice(0, out.findLastIndex(({ type }) => type !== 'reasoning') + 1)
}

function toTextItems(text: string): ResponseItem[] {
  if (text.trim() === '') return []
  return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }]
}

function writeCall(call: ModelToolCall): ResponseItem {
  return {
    type: 'function_call',
    call_id: strictCallId(call.id),
    name: strictName(call.name),
    arguments: argumentsOf(call),
  }
}

/**
 * Returns the data that the next request has to send back with a response; undefined without usable
 * reasoning. `ids` are the ids of its calls, in order. The positions of the calls are left out if the number
 * of ids differs.
 */
export function responsesCarry(
  items: readonly unknown[],
  ids: readonly string[],
): ResponsesCarry | undefined {
  const all = items.flatMap((item): ResponseItem[] => (isObject(item) ? [item] : []))
  if (!all.some(isReasoning)) return undefined
  const isPlaced = all.filter(({ type }) => type === 'function_call').length === ids.length
  let call = 0
  return all.flatMap((item): ResponsesCarry => {
    if (isReasoning(item)) return [item]
    if (item.type === 'message') return [{ type: 'text', length: textOf(item).length }]
    return item.type === 'function_call' && isPlaced ? [{ type: 'call', id: ids[call++] as string }] : []
  })
}

/**
 * Returns true for a reasoning item that the endpoint can use again: an encrypted one, or plain text of
 * an open model.
 */
const isReasoning = ({ type, encrypted_content: sealed, content }: ResponseItem): boolean =>
  type === 'reasoning' && (Boolean(sealed) || listOf(content).length > 0)

const textOf = (item: ResponseItem): string =>
  listOf(item.content)
    .map((part) => stringOf(objectOf(part)?.text) || stringOf(objectOf(part)?.refusal))
    .join('')

/**
 * Adds an id and a status to a text or call of the model; other items are returned unchanged. Equal items get
 * equal ids, so a cached prefix still matches.
 */
function nameItem(item: ResponseItem): ResponseItem {
  const isSpoken = item.type === 'message' && item.role === 'assistant'
  if (!isSpoken && item.type !== 'function_call') return item
  const id = `${isSpoken ? 'msg' : 'fc'}_${fingerprint(JSON.stringify(item)).slice(0, 24)}`
  return { ...item, id, status: 'completed' }
}

const toOutput = (content: MessageContent) => (typeof content === 'string' ? content : toInputParts(content))

function toInputParts(content: MessageContent): ResponseItem[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }]
  return content.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    const url = `data:${part.mime};base64,${part.base64}`
    if (part.type === 'image') return { type: 'input_image', image_url: url, detail: 'auto' }
    return { type: 'input_file', filename: part.name, file_data: url }
  })
}

const itemTexts = new WeakMap<object, string>()

/** Returns an item as JSON, which is cached because items of messages are equal in every turn. */
export function itemText(item: object): string {
  let text = itemTexts.get(item)
  if (text === undefined) {
    text = JSON.stringify(item)
    itemTexts.set(item, text)
  }
  return text
}

const toolTexts = new WeakMap<readonly ToolSpec[], string>()

/**
 * Returns the tools as JSON. They are not strict, because the strict form does not
 * support optional parameters.
 */
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
