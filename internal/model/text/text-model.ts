// Gives tool calls to models that cannot call tools, by way of the text form, at once or after the first
// refusal.
import type { Model, ModelEvent, ModelRequest } from '../model.ts'
import { flattenHistory } from './text-history.ts'
import { type TextItem, textReader } from './text-protocol.ts'

/** The same model with tools as text, always. */
export function wrapTextModel(model: Model): Model {
  return { ...model, stream: (request, signal) => speak(model, request, signal) }
}

/** The same model; once its endpoint says that tools are not supported, with tools as text from then on. */
export function wrapAdaptiveModel(model: Model): Model {
  let plain = false
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (!plain) {
      for await (const event of model.stream(request, signal)) {
        plain =
          event.type === 'failure' && event.failure.kind === 'tools_unsupported' && request.tools.length > 0
        if (plain) break
        yield event
      }
      if (!plain) return
    }
    yield* speak(model, request, signal)
  }
  return { ...model, stream }
}

async function* speak(model: Model, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  let reader = textReader()
  let calls = 0
  // unique in the conversation, and the same when the same conversation is replayed
  const name = () => `t${request.messages.length}_${++calls}`
  const inner = { ...request, messages: flattenHistory(request.messages, request.tools), tools: [] }
  const held: ModelEvent[] = []
  for await (const event of model.stream(inner, signal)) {
    switch (event.type) {
      case 'text':
        for (const item of reader.push(event.text)) {
          const out = eventOf(item, name)
          if (out.type === 'call') held.push(out)
          else yield out
        }
        break
      case 'usage':
        held.push(event)
        break
      case 'discarded':
        reader = textReader()
        calls = 0
        held.length = 0
        yield event
        break
      case 'end': {
        const items = reader
          .close(event.reason === 'length' || event.reason === 'filter')
          .map((item) => eventOf(item, name))
        yield* items.filter((item) => item.type !== 'call')
        yield* held.filter((item) => item.type === 'call')
        yield* items.filter((item) => item.type === 'call')
        yield* held.filter((item) => item.type !== 'call')
        yield event.reason === 'stop' && calls > 0 ? { ...event, reason: 'calls' } : event
        break
      }
      default:
        yield event
    }
  }
}

function eventOf(item: TextItem, name: () => string): ModelEvent {
  switch (item.kind) {
    case 'text':
    case 'reasoning':
      return { type: item.kind, text: item.text }
    case 'call':
      return { type: 'call', id: name(), name: item.name, args: item.args }
    case 'broken':
      return { type: 'call', id: name(), name: item.name, args: undefined, malformed: item.malformed }
  }
}
