// Conversion of a response in which a model writes reasoning or tool calls as plain text: they become
// reasoning and call events.
import { createUlid } from '../../base/ids.ts'
import type { ModelEvent, ModelFailure, ModelRequest } from '../model.ts'
import { thinkReader } from './think-tags.ts'
import { findWrittenCalls } from './written-calls.ts'

/** Habits of a model at an endpoint, observed in its earlier responses. */
interface ReplyHabits {
  /** True if the responses of the model start inside reasoning. */
  startsThinking?: boolean
  /** True if the user was already informed that the model writes calls as text. */
  isWritingKnown?: boolean
}

const habitsOf = new Map<string, ReplyHabits>()

/** Returns the habits of a model at an endpoint. All agents of the process share and change this object. */
export function replyHabits(endpoint: string): ReplyHabits {
  const habits = habitsOf.get(endpoint) ?? {}
  habitsOf.set(endpoint, habits)
  return habits
}

const retraction: ModelFailure = { kind: 'broken', message: 'the text so far was reasoning' }

/**
 * Yields the events of a response. Reasoning in its text becomes reasoning events. If the request has tools
 * and the response ends with `stop` and makes no calls although it may, calls written in its text are added
 * as malformed calls, which do not run.
 */
export async function* cleanReply(
  events: AsyncIterable<ModelEvent>,
  request: ModelRequest,
  model: string,
  habits: ReplyHabits,
): AsyncGenerator<ModelEvent> {
  const reader = thinkReader(habits.startsThinking)
  let text = ''
  let hasCalls = false
  let isRead = false
  function* show({ parts, isRetracted }: ReturnType<typeof reader.push>): Generator<ModelEvent> {
    if (isRetracted) {
      habits.startsThinking = true
      if (text !== '') yield { type: 'discarded', failure: retraction, attempt: 1, tries: 1, waitMs: 0 }
      text = ''
    }
    for (const part of parts) {
      if (part.type === 'text') text += part.text
      yield part
    }
  }
  for await (const event of events) {
    if (event.type === 'text') {
      yield* show(reader.push(event.text))
      continue
    }
    if (event.type !== 'reasoning' && event.type !== 'notice' && !isRead) {
      isRead = true
      yield* show(reader.close())
    }
    if (event.type === 'call') hasCalls = true
    const mayCall = event.type === 'end' && event.reason === 'stop' && request.toolChoice !== 'none'
    const written = mayCall && !hasCalls ? findWrittenCalls(text, request.tools) : []
    if (written.length === 0 || request.tools.length === 0 || event.type !== 'end') {
      yield event
      continue
    }
    if (!habits.isWritingKnown) yield describeWriting(model)
    habits.isWritingKnown = true
    for (const call of written) yield { type: 'call', id: `call_${createUlid()}`, args: undefined, ...call }
    yield { ...event, reason: 'calls' }
  }
}

function describeWriting(model: string): ModelEvent {
  const provider = model.slice(0, model.indexOf('/'))
  const text =
    `${model} writes calls as text and its server does not read them; if this continues, ` +
    `set providers.${provider}.tools to "text"`
  return { type: 'notice', code: 'calls_written', text }
}
