// PDFs of a conversation, sent as files up to a total size and otherwise as text.
import type { ContentPart, DocumentPart, MessageContent, ModelFailure, ModelMessage } from '../model.ts'

/**
 * Largest number of base64 characters of all documents of one request; older documents above it are sent as
 * text. Providers accept 32 MB for the whole request.
 */
const maxChars = 20 * 1024 * 1024

const withDocuments = new WeakMap<ModelMessage, ModelMessage>()
const withTexts = new WeakMap<ModelMessage, ModelMessage>()

const documentsOf = ({ content }: ModelMessage): DocumentPart[] =>
  typeof content === 'string' ? [] : content.filter((part) => part.type === 'document')

/** Returns true if a message of the conversation has a document. */
export const hasDocuments = (messages: readonly ModelMessage[]): boolean =>
  messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'document'),
  )

/**
 * Matches the message of a refusal because of documents. The word "file" alone is ambiguous, so it counts
 * only in quotes or before "content", "input", "type" or "part".
 */
const documentWords = new RegExp(
  [
    String.raw`\b(?:documents?|pdfs?|input_file|file_data|application/pdf)\b`,
    String.raw`\bfiles? (?:content|input|type|part)s?\b`,
    '[\'"`]file[\'"`]',
  ].join('|'),
  'i',
)

/** Returns true if an endpoint refuses a request because of its documents. */
export const refusesDocuments = ({ kind, message }: ModelFailure): boolean =>
  kind === 'bad_request' && documentWords.test(message)

/**
 * Returns the messages with each document either as a file or as its text, never as both. The latest
 * documents are files while a request has room for them; with `areTaken` false, all documents are text. A
 * message without documents stays the same object; a changed one is the same object in each call.
 */
export function fitDocuments(messages: readonly ModelMessage[], areTaken: boolean): readonly ModelMessage[] {
  if (!hasDocuments(messages)) return messages
  let room = areTaken ? maxChars : 0
  return messages
    .toReversed()
    .map((message) => {
      const size = documentsOf(message).reduce((sum, { base64 }) => sum + base64.length, 0)
      if (size === 0) return message
      const fits = size <= room
      // Once a document does not fit, no older document is sent as a file, so that an older one never
      // replaces a later, larger one.
      room = fits ? room - size : 0
      return fitMessage(message, fits)
    })
    .toReversed()
}

function fitMessage(message: ModelMessage, areFiles: boolean): ModelMessage {
  const fittedMessages = areFiles ? withDocuments : withTexts
  const before = fittedMessages.get(message)
  if (before) return before
  const change = areFiles ? omitTexts : omitDocuments
  const fitted = { ...message, content: change(message.content as readonly ContentPart[]) } as ModelMessage
  fittedMessages.set(message, fitted)
  return fitted
}

/** Returns the content with a note in place of the text of each document that the model gets as a file. */
function omitTexts(content: readonly ContentPart[]): MessageContent {
  const documents = content.filter((part) => part.type === 'document')
  return content.map((part) => {
    if (part.type !== 'text') return part
    const text = documents.reduce(
      (rest, one) =>
        one.text === '' ? rest : rest.replace(one.text, () => `[the PDF follows: ${one.name}]`),
      part.text,
    )
    return { type: 'text', text }
  })
}

/**
 * Returns the content without document files. The text of each document is already in the message, as far as
 * there was room for it.
 */
const omitDocuments = (content: readonly ContentPart[]): MessageContent =>
  content.filter(({ type }) => type !== 'document')
