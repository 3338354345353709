// Appends messages to a conversation, with the event of the thread that each of them is.
import type { EventDraft } from '../event/event.ts'
import type {
  DocumentPart,
  MessageContent,
  Model,
  ModelCarry,
  ModelMessage,
  ModelToolCall,
} from '../model/model.ts'
import { documentTokens } from '../model/tokens.ts'
import type { CallResult } from '../tool/invoke.ts'
import type { ResultMedia } from '../tool/result.ts'
import type { TurnReply } from './turn.ts'

type ReplyParts = Pick<TurnReply, 'text' | 'calls'> & { carry?: ModelCarry | undefined }

/** What stands for the model below a reply that a person has stopped. */
export const interruptedMark = '\n\n[stopped here by the person]'

/** A message from outside: a person's words, mail, or a note of the program itself. */
export function* appendUserMessage(
  messages: ModelMessage[],
  message: ModelMessage | string,
): Generator<EventDraft, void> {
  const userMessage: ModelMessage =
    typeof message === 'string' ? { role: 'user', content: message, origin: 'note' } : message
  if (userMessage.role !== 'user') throw new Error(`${userMessage.role} cannot be said from outside`)
  const { text, images } = split(userMessage.content)
  messages.push(userMessage)
  yield {
    type: 'message',
    payload: {
      role: 'user',
      text,
      images: images.length > 0 ? images : undefined,
      ...(userMessage.origin && { origin: userMessage.origin }),
    },
  }
}

/** The model's own reply. */
export function* appendReply(messages: ModelMessage[], reply: ReplyParts): Generator<EventDraft, void> {
  const { text, calls, carry } = reply
  messages.push(replyMessage(reply))
  yield {
    type: 'message',
    payload: {
      role: 'assistant',
      text,
      calls: calls.length > 0 ? calls.map((call) => ({ ...call })) : undefined,
      carry,
    },
  }
}

/** A reply that was stopped while it came: what was seen of it, without calls. */
export function* appendInterruptedReply(messages: ModelMessage[], text: string): Generator<EventDraft, void> {
  messages.push({ role: 'assistant', content: `${text}${interruptedMark}` })
  yield { type: 'message', payload: { role: 'assistant', text, interrupted: true } }
}

/** A reply as it stands in the conversation. */
export function replyMessage({
  text,
  calls,
  carry,
}: ReplyParts): Extract<ModelMessage, { role: 'assistant' }> {
  return { role: 'assistant', content: text, calls: calls.length > 0 ? calls : undefined, carry }
}

/** A document may take this share of the window; a larger one is sent as text. */
const maxDocumentShare = 0.25

type DocumentReader = Pick<Model, 'window' | 'takesDocuments'>

const fits = (document: DocumentPart, model: DocumentReader) =>
  model.takesDocuments === true && documentTokens(document) <= model.window * maxDocumentShare

/** Returns the content without the documents that the model does not take: their text is in it. */
export const omitUnreadDocuments = (content: MessageContent, model: DocumentReader): MessageContent =>
  typeof content === 'string'
    ? content
    : content.filter((part) => part.type !== 'document' || fits(part, model))

/** Returns a text with its images and the documents that the model takes. */
export function contentWithMedia(
  text: string,
  media: readonly ResultMedia[],
  model: DocumentReader,
): MessageContent {
  const documents = media.filter((one) => one.type === 'document' && fits(one, model))
  // pictures of a document are in its pages
  const sent = documents.length > 0 ? documents : media.filter(({ type }) => type === 'image')
  return sent.length > 0 ? [{ type: 'text', text }, ...sent] : text
}

/** A result as the model reads it, with its pictures and the documents that the model takes. */
export function toolMessage(call: ModelToolCall, result: CallResult, model: DocumentReader): ModelMessage {
  return {
    role: 'tool',
    callId: call.id,
    name: result.tool,
    content: contentWithMedia(result.text, result.media ?? [], model),
    failed: result.failed !== undefined,
    data: result.data,
  }
}

/** The last thing the model said in words; what a run that was cut off has to show. */
export function findLastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === 'assistant' && message.content !== '')
  return last?.role === 'assistant' ? last.content : ''
}

function split(content: MessageContent): {
  text: string
  images: { mime: string; base64: string; type: 'image' }[]
} {
  if (typeof content === 'string') return { text: content, images: [] }
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { text, images: content.filter((part) => part.type === 'image') }
}
