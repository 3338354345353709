// Documents of a conversation as an endpoint takes them: as files while there is room, else as their text.
import type { ContentPart, DocumentPart, MessageContent, ModelFailure, ModelMessage } from '../model.ts'

/** Base64 characters of all documents of one request: providers take 32 MB for the whole of it. */
const maxChars = 20 * 1024 * 1024

const withDocuments = new WeakMap<ModelMessage, ModelMessage>()
const withTexts = new WeakMap<ModelMessage, ModelMessage>()

const documentsOf = ({ content }: ModelMessage): DocumentPart[] =>
  typeof content === 'string' ? [] : content.filter((part) => part.type === 'document')

/** Whether a message of the conversation has a document. */
export const hasDocuments = (messages: readonly ModelMessage[]): boolean =>
  messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'document'),
  )

/** The word "file" alone may be anything: a refusal names a part of the request, a kind of media or a PDF. */
const documentWords = new RegExp(
  [
    String.raw`\b(?:documents?|pdfs?|input_file|file_data|application/pdf)\b`,
    String.raw`\bfiles? (?:content|input|type|part)s?\b`,
    '[\'"`]file[\'"`]',
  ].join('|'),
  'i',
)

/** Whether an endpoint refuses a request because of its documents. */
export const refusesDocuments = ({ kind, message }: ModelFailure): boolean =>
  kind === 'bad_request' && documentWords.test(message)

/**
 * Returns the messages with each document either as a file or as its text, never as both. The latest ones are
 * files while a request has room for them; where `areTaken` is false none is. A message without documents
 * stays as it is. One that was fitted before in the same way is the same object again.
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
      // older documents never come in again for a later one that is smaller
      room = fits ? room - size : 0
      return fitMessage(message, fits)
    })
    .toReversed()
}

function fitMessage(message: ModelMessage, areFiles: boolean): ModelMessage {
  const known = areFiles ? withDocuments : withTexts
  const before = known.get(message)
  if (before) return before
  const change = areFiles ? omitTexts : omitDocuments
  const fitted = { ...message, content: change(message.content as readonly ContentPart[]) } as ModelMessage
  known.set(message, fitted)
  return fitted
}

/** The text of a document is left out where the model gets the document. */
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

/** The text of a document is in the message as well, as far as the result had room for it. */
const omitDocuments = (content: readonly ContentPart[]): MessageContent =>
  content.filter(({ type }) => type !== 'document')
