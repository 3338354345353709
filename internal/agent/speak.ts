// How what is said becomes both an event of the thread and a message for the model.
import type { Draft } from '../event/event.ts'
import type { Call, Content, ModelMessage } from '../model/model.ts'
import type { Invoked } from '../tool/invoke.ts'
import type { Reply } from './turn.ts'

/** A message from outside: a person's words, mail, or a note of the program itself. */
export function* say(messages: ModelMessage[], message: ModelMessage | string): Generator<Draft, void> {
  const said: ModelMessage =
    typeof message === 'string' ? { role: 'user', content: message, origin: 'note' } : message
  if (said.role !== 'user') throw new Error(`${said.role} cannot be said from outside`)
  const { text, images } = split(said.content)
  messages.push(said)
  yield {
    type: 'message',
    payload: {
      role: 'user',
      text,
      ...(images.length > 0 && { images }),
      ...(said.origin && { origin: said.origin }),
    },
  }
}

/** The model's own reply. */
export function* keep(
  messages: ModelMessage[],
  reply: Pick<Reply, 'text' | 'calls' | 'carry'>,
): Generator<Draft, void> {
  const { text, calls, carry } = reply
  messages.push({
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { calls }),
    ...(carry && { carry }),
  })
  yield {
    type: 'message',
    payload: {
      role: 'assistant',
      text,
      ...(calls.length > 0 && { calls: calls.map((call) => ({ ...call })) }),
      ...(carry && { carry }),
    },
  }
}

/** A result as the model reads it, with the pictures it may look at. */
export function toolMessage(call: Call, result: Invoked): ModelMessage {
  const content: Content =
    result.media && result.media.length > 0
      ? [
          { type: 'text', text: result.text },
          ...result.media.map(({ mime, base64 }) => ({ type: 'image', mime, base64 }) as const),
        ]
      : result.text
  return {
    role: 'tool',
    callId: call.id,
    name: result.tool,
    content,
    failed: result.failed !== undefined,
    data: result.data,
  }
}

/** The last thing the model said in words; what a run that was cut off has to show. */
export function lastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === 'assistant' && message.content !== '')
  return last?.role === 'assistant' ? last.content : ''
}

function split(content: Content): {
  text: string
  images: { mime: string; base64: string; type: 'image' }[]
} {
  if (typeof content === 'string') return { text: content, images: [] }
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { text, images: content.filter((part) => part.type === 'image') }
}
