// The conversion of a request to a form that every endpoint accepts, for all wire formats, and the conversion
// of responses back.
import { isObject } from '../../base/untrusted-json.ts'
import type {
  MessageContent,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ToolSpec,
} from '../model.ts'
import { orderMessages } from './message-order.ts'
import { type FittedKeys, fitKeys, renameArgs } from './parameter-keys.ts'
import { offeredName, strictName } from './tool-names.ts'

/**
 * Number of characters after which invalid arguments are cut when they are sent back to the model, because
 * they may be very long.
 */
const maxBrokenChars = 2000

const keysOfTools = new WeakMap<ToolSpec, FittedKeys | undefined>()
const fittedTools = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()
const fittedMessages = new WeakMap<ModelMessage, { tool: readonly ToolSpec[]; message: ModelMessage }>()

function keysOf(tool: ToolSpec): FittedKeys | undefined {
  if (!keysOfTools.has(tool)) keysOfTools.set(tool, fitKeys(tool.schema))
  return keysOfTools.get(tool)
}

/**
 * Returns the request with names, arguments, parameter names, texts and an order that every endpoint accepts.
 * Valid parts stay unchanged. A request without tools gets the tools that its earlier calls name, but the
 * model may call none.
 */
export function fitRequest(request: ModelRequest): ModelRequest {
  const { tools } = request
  const ordered = orderMessages(fitMessages(request.messages, tools))
  const missing = tools.length === 0 ? calledTools(ordered) : []
  return {
    ...request,
    tools: fitTools(missing.length > 0 ? missing : tools),
    messages: ordered,
    toolChoice: missing.length > 0 ? 'none' : request.toolChoice,
  }
}

/**
 * Returns the messages in a form that fits and without empty responses, or the same list if all of them fit
 * already. Most fit, and each turn checks all of them.
 */
function fitMessages(messages: readonly ModelMessage[], tools: readonly ToolSpec[]): readonly ModelMessage[] {
  let out: ModelMessage[] | undefined
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ModelMessage
    const fitted = fitMessage(message, tools)
    if (fitted !== message) out ??= messages.slice(0, i)
    if (out && fitted) out.push(fitted)
  }
  return out ?? messages
}

const calledLists = new Map<string, readonly ToolSpec[]>()

/**
 * Returns a tool without parameters for each name that was called in the conversation, because several
 * endpoints refuse calls in a request without tools.
 */
function calledTools(messages: readonly ModelMessage[]): readonly ToolSpec[] {
  const names = new Set<string>()
  for (const message of messages)
    if (message.role === 'assistant') for (const { name } of message.calls ?? []) names.add(name)
  const key = [...names].join('\n')
  const description = 'Not available any more.'
  const schema = { type: 'object', properties: {} }
  const list = calledLists.get(key) ?? [...names].map((name) => ({ name, description, schema }))
  calledLists.set(key, list)
  return list
}

function fitTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  let fitted = fittedTools.get(tools)
  if (!fitted) {
    fitted = tools.map((tool) => {
      const name = strictName(tool.name)
      const schema = keysOf(tool)?.schema ?? tool.schema
      return name === tool.name && schema === tool.schema ? tool : { ...tool, name, schema }
    })
    fittedTools.set(tools, fitted)
  }
  return fitted
}

/** Returns the fitted message; undefined for an empty response, which several endpoints refuse. */
function fitMessage(message: ModelMessage, tools: readonly ToolSpec[]): ModelMessage | undefined {
  if (message.role === 'system') return message
  if (message.role !== 'assistant') return isFilled(message.content) ? message : fillMessage(message)
  if (!message.calls?.length) return isBlank(message.content) ? undefined : message
  const before = fittedMessages.get(message)
  if (before?.tool === tools) return before.message
  const calls = message.calls.map((call) => fitCall(call, tools))
  const isSame = calls.every((call, i) => call === message.calls?.[i])
  const fitted = isSame ? message : (sameAsBefore(before?.message, calls) ?? { ...message, calls })
  fittedMessages.set(message, { tool: tools, message: fitted })
  return fitted
}

const isBlank = (text: string) => !/\S/.test(text)

function isFilled(content: MessageContent): boolean {
  if (typeof content === 'string') return !isBlank(content)
  return content.length > 0 && content.every((part) => part.type !== 'text' || !isBlank(part.text))
}

const filled = new WeakMap<ModelMessage, ModelMessage>()

/**
 * Returns the message without empty texts. A result or a message of the user has to stay, so its empty
 * text is filled.
 */
function fillMessage(message: Exclude<ModelMessage, { role: 'system' | 'assistant' }>): ModelMessage {
  const cachedMessage = filled.get(message)
  if (cachedMessage) return cachedMessage
  const { content } = message
  const parts = typeof content === 'string' ? [] : content.filter((part) => isFilled([part]))
  const placeholder = message.role === 'tool' ? '(no output)' : '(empty message)'
  const filledMessage = { ...message, content: parts.length > 0 ? parts : placeholder }
  filled.set(message, filledMessage)
  return filledMessage
}

/**
 * Returns the fitted message of the previous request if its calls are equal, so that its JSON text can be
 * used again; otherwise undefined.
 */
function sameAsBefore(before: ModelMessage | undefined, calls: readonly ModelToolCall[]) {
  if (before?.role !== 'assistant') return undefined
  return JSON.stringify(before.calls) === JSON.stringify(calls) ? before : undefined
}

function fitCall(call: ModelToolCall, tools: readonly ToolSpec[]): ModelToolCall {
  const name = strictName(call.name)
  const tool = tools.find((one) => one.name === call.name)
  const args = call.malformed ? brokenArgs(call.malformed.raw) : fitArgs(call.args, tool)
  if (name === call.name && args === call.args) return call
  return { id: call.id, name, args }
}

const brokenArgs = (raw: string) => ({
  not_json: raw.length > maxBrokenChars ? `${raw.slice(0, maxBrokenChars)}… (cut)` : raw,
})

/**
 * Returns the arguments as an object with valid keys: empty for null or undefined, with any other value as
 * `value`. Chat templates and several endpoints accept only objects.
 */
function fitArgs(args: unknown, tool: ToolSpec | undefined): unknown {
  if (args === undefined || args === null) return {}
  if (!isObject(args)) return { value: args }
  const keys = tool && keysOf(tool)
  return tool && keys ? renameArgs(args, tool.schema, keys.toFit) : args
}

/** Returns an event of a response with the names of tools and parameters in `request`. */
export function restoreEvent(event: ModelEvent, { tools }: ModelRequest): ModelEvent {
  if (event.type !== 'call') return event
  const name = offeredName(tools, event.name)
  const tool = tools.find((one) => one.name === name)
  const keys = tool && keysOf(tool)
  return { ...event, name, args: keys ? renameArgs(event.args, keys.schema, keys.toReal) : event.args }
}
