// The messages for a model, as reconstructed from a thread's events.
import type { EventDraft } from '../event/event.ts'
import type { MessageContent, ModelMessage, ModelToolCall } from '../model/model.ts'
import { modelCallOf } from '../tool/call-ids.ts'
import type { ResultMedia } from '../tool/result.ts'
import { shortenMessages } from './message-truncation.ts'
import { interruptedMark } from './messages.ts'

/** Result of a call that was open when its process died. */
export const interruptedText =
  'error interrupted: the program ended while this call ran; its effects are unknown. Look ' +
  'before you repeat it.'

/**
 * Adds the message of an event, if it has one. A summary replaces or shortens the messages before it.
 * `answered` collects the calls of the last response that have a result.
 */
export function replayEvent(messages: ModelMessage[], draft: EventDraft, answered: Set<string>): void {
  switch (draft.type) {
    case 'message': {
      const {
        role,
        text,
        typed,
        calls,
        carry,
        origin,
        images,
        kept: keptCount = 0,
        max_chars: maxChars,
      } = draft.payload
      const mark = draft.payload.interrupted ? interruptedMark : ''
      if (role === 'assistant') {
        // endpoints may use the same call ids in each response, so only results of the last response count
        answered.clear()
        messages.push({ role, content: text + mark, calls, carry })
      } else if (role === 'user') {
        messages.push({ role, content: withImages(text, images), origin, typed })
      } else if (role === 'summary' && maxChars !== undefined) {
        shortenMessages(messages, maxChars, draft.payload.whole ?? 'none')
      } else if (role === 'summary') {
        // the summary was written after the messages that it keeps, but precedes them in the conversation
        const tail = messages.slice(messages.length - keptCount)
        const heads = headsOf(messages, draft.payload.user_messages).filter((one) => !tail.includes(one))
        messages.splice(
          0,
          messages.length,
          ...heads,
          { role: 'user', content: text, origin: 'note' },
          ...tail,
        )
      }
      break
    }
    case 'tool.result': {
      const { tool, face: adapter, text, ok, by } = draft.payload
      // calls by the user or by another agent are skipped, because no response of the model contains them
      if (by !== undefined) break
      const name = adapter === undefined ? tool : adapter.slice(adapter.indexOf('/') + 1)
      const call = modelCallOf(draft.payload)
      answered.add(call)
      messages.push({ role: 'tool', callId: call, name, content: text, failed: !ok })
      break
    }
    default:
      break
  }
}

/**
 * Returns the user's messages that stay in front of a summary. Threads of earlier versions do not name them,
 * so only the first message of the user stays.
 */
function headsOf(
  messages: readonly ModelMessage[],
  positions: readonly number[] | undefined,
): ModelMessage[] {
  if (positions === undefined) return messages.filter(({ role }) => role === 'user').slice(0, 1)
  return positions.flatMap((i) => messages[i] ?? []).filter(({ role }) => role === 'user')
}

/** Returns the calls of the last response that have no result, in order. */
export function openCalls(messages: readonly ModelMessage[], answered: ReadonlySet<string>): ModelToolCall[] {
  const last = messages.findLast((message) => message.role === 'assistant')
  return last?.role === 'assistant' ? (last.calls ?? []).filter((call) => !answered.has(call.id)) : []
}

function withImages(text: string, images: readonly ResultMedia[] | undefined): MessageContent {
  if (!images || images.length === 0) return text
  return [
    { type: 'text', text },
    ...images.map(({ mime, base64 }) => ({ type: 'image', mime, base64 }) as const),
  ]
}
