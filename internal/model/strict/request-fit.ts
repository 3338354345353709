// Makes a request fit for the strictest endpoint, for every wire format, and takes replies back.
import { isObject } from '../../base/untrusted-json.ts'
import type { ModelEvent, ModelMessage, ModelRequest, ModelToolCall, ToolSpec } from '../model.ts'
import { type FittedKeys, fitKeys, renameArgs } from './parameter-keys.ts'
import { offeredName, strictName } from './tool-names.ts'

/** Broken arguments go back only so far: they may have no end. */
const maxBrokenChars = 2000

const keysOfTools = new WeakMap<ToolSpec, FittedKeys | undefined>()
const fittedTools = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()
const fittedMessages = new WeakMap<ModelMessage, { tool: readonly ToolSpec[]; message: ModelMessage }>()

function keysOf(tool: ToolSpec): FittedKeys | undefined {
  if (!keysOfTools.has(tool)) keysOfTools.set(tool, fitKeys(tool.schema))
  return keysOfTools.get(tool)
}

/** Returns the request with fitting names, arguments, keys and texts. What fits is passed on as it is. */
export function fitRequest(request: ModelRequest): ModelRequest {
  const { tools } = request
  return {
    ...request,
    tools: fitTools(tools),
    messages: request.messages.flatMap((message) => fitMessage(message, tools) ?? []),
  }
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

/** Undefined for a message with nothing in it: several endpoints refuse one. */
function fitMessage(message: ModelMessage, tools: readonly ToolSpec[]): ModelMessage | undefined {
  if (message.role !== 'assistant') {
    // a result has to be there, but may not be empty
    if (message.role === 'tool' && message.content === '') return empty(message)
    return message
  }
  if (!message.calls?.length) return message.content === '' && !message.carry ? undefined : message
  const before = fittedMessages.get(message)
  if (before?.tool === tools) return before.message
  const calls = message.calls.map((call) => fitCall(call, tools))
  const isSame = calls.every((call, i) => call === message.calls?.[i])
  const fitted = isSame ? message : (sameAsBefore(before?.message, calls) ?? { ...message, calls })
  fittedMessages.set(message, { tool: tools, message: fitted })
  return fitted
}

const emptied = new WeakMap<ModelMessage, ModelMessage>()

function empty(message: ModelMessage & { role: 'tool' }): ModelMessage {
  const known = emptied.get(message) ?? { ...message, content: '(no output)' }
  emptied.set(message, known)
  return known
}

/** The fitted message of an earlier request where it says the same: wires write each message once. */
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

/** Arguments are an object: chat templates and several endpoints read nothing else. */
function fitArgs(args: unknown, tool: ToolSpec | undefined): unknown {
  if (args === undefined || args === null) return {}
  if (!isObject(args)) return { value: args }
  const keys = tool && keysOf(tool)
  return tool && keys ? renameArgs(args, tool.schema, keys.toFit) : args
}

/** Returns an event of a reply with the names of the tools and parameters that `request` has. */
export function restoreEvent(event: ModelEvent, { tools }: ModelRequest): ModelEvent {
  if (event.type !== 'call') return event
  const name = offeredName(tools, event.name)
  const tool = tools.find((one) => one.name === name)
  const keys = tool && keysOf(tool)
  return { ...event, name, args: keys ? renameArgs(event.args, keys.schema, keys.toReal) : event.args }
}
