// Wrappers that send tools as text and read calls from text, for models without native tool calls: always, or
// after an endpoint has refused or ignored tools.
import { describePromptLoss, findPromptLoss } from '../choice/endpoint-notices.ts'
import type { Model, ModelEvent, ModelRequest } from '../model.ts'
import { flattenHistory } from './text-history.ts'
import { type TextItem, textReader } from './text-protocol.ts'

/**
 * Returns a model that always passes tools to `model` as text, and reads calls from the text
 * of its responses.
 */
export function wrapTextModel(model: Model): Model {
  return { ...model, stream: (request, signal) => streamText(model, request, signal) }
}

/**
 * Returns a model that sends tools natively at first. It switches to tools as text once the endpoint refuses
 * tools, or its token count shows that they did not reach the model.
 */
export function wrapAdaptiveModel(model: Model): Model {
  let plain = false
  /** True once a call by the model has shown that the tools reach it. */
  let isToolsSeen = false
  let isCutKnown = false

  /** Sends the request natively, and again as text if that is necessary. */
  async function* speakNatively(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let isUnheard = false
    let isAnswered = false
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'call') isToolsSeen = true
      if (event.type === 'text' && event.text.trim() !== '') isAnswered = true
      const isRefused = event.type === 'failure' && event.failure.kind === 'tools_unsupported'
      if (isRefused && request.tools.length > 0) {
        isUnheard = true
        break
      }
      yield event
      if (event.type !== 'usage' || event.estimated) continue
      // Some gateways do not include tokens from a cache in the input, so these are added.
      const counted = event.input + (event.cached ?? 0)
      const lost = findPromptLoss(request, counted)
      if (lost === undefined || (lost === 'tools' ? isToolsSeen : isCutKnown)) continue
      const notice = describePromptLoss(lost, model.id, request, counted)
      yield { type: 'notice', ...notice }
      // the answer is paid for and the count may be wrong, so only the next request has tools as text
      if (lost === 'tools' && isAnswered) plain = true
      else if (lost === 'tools') {
        const failure = { kind: 'tools_unsupported', message: 'the tools did not reach the model' } as const
        yield { type: 'discarded', failure, attempt: 2, tries: 2, waitMs: 0 }
        isUnheard = true
        break
      } else isCutKnown = true
    }
    if (!isUnheard) return
    plain = true
    // The first stream is closed by now, so its slot among the parallel requests is free for this one.
    yield* streamText(model, request, signal)
  }

  return {
    ...model,
    stream: (request, signal) =>
      plain ? streamText(model, request, signal) : speakNatively(request, signal),
  }
}

async function* streamText(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let reader = textReader()
  let calls = 0
  // The id is unique within the conversation, and equal if the same conversation is replayed.
  const name = () => `t${request.messages.length}_${++calls}`
  const inner = { ...request, messages: flattenHistory(request.messages, request.tools), tools: [] }
  const heldEvents: ModelEvent[] = []
  for await (const event of model.stream(inner, signal)) {
    switch (event.type) {
      case 'text':
        for (const item of reader.push(event.text)) {
          const out = eventOf(item, name)
          if (out.type === 'call') heldEvents.push(out)
          else yield out
        }
        break
      case 'usage':
        heldEvents.push(event)
        break
      case 'discarded':
        reader = textReader()
        calls = 0
        heldEvents.length = 0
        yield event
        break
      case 'end': {
        const items = reader
          .close(event.reason === 'length' || event.reason === 'filter')
          .map((item) => eventOf(item, name))
        yield* items.filter((item) => item.type !== 'call')
        yield* heldEvents.filter((item) => item.type === 'call')
        yield* items.filter((item) => item.type === 'call')
        yield* heldEvents.filter((item) => item.type !== 'call')
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
