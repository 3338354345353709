// New messages of a conversation, each with its event of the thread.
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

/** Mark at the end of a response that the user stopped, so that the model knows that it is incomplete. */
export const interruptedMark = '\n\n[stopped here by the user]'

/**
 * Appends a message from outside: a message of the user, mail, or a note of Anode. A string becomes a note.
 * Throws for a message whose role is not `user`.
 */
export function* appendUserMessage(
  messages: ModelMessage[],
  message: ModelMessage | string,
): Generator<EventDraft, void> {
  const userMessage: ModelMessage =
    typeof message === 'string' ? { role: 'user', content: message, origin: 'note' } : message
  if (userMessage.role !== 'user') throw new Error(`${userMessage.role} cannot be said from outside`)
  const { text, images } = splitContent(userMessage.content)
  messages.push(userMessage)
  yield {
    type: 'message',
    payload: {
      role: 'user',
      text,
      images: images.length > 0 ? images : undefined,
      ...(userMessage.origin && { origin: userMessage.origin }),
      typed: userMessage.typed,
    },
  }
}

/** Appends a complete response of the model and yields its event. */
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

/** Appends a response that was stopped: the part that was shown, without calls. */
export function* appendInterruptedReply(messages: ModelMessage[], text: string): Generator<EventDraft, void> {
  messages.push({ role: 'assistant', content: `${text}${interruptedMark}` })
  yield { type: 'message', payload: { role: 'assistant', text, interrupted: true } }
}

/** Returns a response as a message of the conversation. */
export function replyMessage({
  text,
  calls,
  carry,
}: ReplyParts): Extract<ModelMessage, { role: 'assistant' }> {
  return { role: 'assistant', content: text, calls: calls.length > 0 ? calls : undefined, carry }
}

/**
 * Largest share of the window that a document may take. For a larger document, only its text or the images of
 * its pages are sent.
 */
const maxDocumentShare = 0.25

type DocumentReader = Pick<Model, 'window' | 'takesDocuments'>

const canTakeDocument = (document: DocumentPart, model: DocumentReader) =>
  model.takesDocuments === true && documentTokens(document) <= model.window * maxDocumentShare

/**
 * Returns the content without documents that the model does not accept. Their text is also in the text part.
 */
export const omitUnreadDocuments = (content: MessageContent, model: DocumentReader): MessageContent =>
  typeof content === 'string'
    ? content
    : content.filter((part) => part.type !== 'document' || canTakeDocument(part, model))

/**
 * Returns a text together with the documents that the model accepts. If it accepts none of them, returns the
 * text with its images, or the text alone if it has no images.
 */
export function contentWithMedia(
  text: string,
  media: readonly ResultMedia[],
  model: DocumentReader,
): MessageContent {
  const documents = media.filter((one) => one.type === 'document' && canTakeDocument(one, model))
  // the images of a document are skipped, because its pages contain them
  const attachments = documents.length > 0 ? documents : media.filter(({ type }) => type === 'image')
  return attachments.length > 0 ? [{ type: 'text', text }, ...attachments] : text
}

/**
 * Returns a result as a message for the model: with the documents that the model accepts, or, if it accepts
 * none, with its images.
 */
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

/** Returns the model's last text, which an interrupted run shows as its answer; empty without one. */
export function findLastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === 'assistant' && message.content !== '')
  return last?.role === 'assistant' ? last.content : ''
}

/** Returns the text of a complete answer that ends the conversation, or undefined. */
export function findOpenAnswer(messages: readonly ModelMessage[]): string | undefined {
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && (last.calls ?? []).length === 0
  return isAnswer && !last.content.endsWith(interruptedMark) ? last.content : undefined
}

/** Returns the text of a message, and its images. */
export function splitContent(content: MessageContent): {
  text: string
  images: { mime: string; base64: string; type: 'image' }[]
} {
  if (typeof content === 'string') return { text: content, images: [] }
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { text, images: content.filter((part) => part.type === 'image') }
}
