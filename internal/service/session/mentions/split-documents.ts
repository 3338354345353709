// Documents that come with a message as bytes, separated from the text and images of the message.
import type { ContentPart, MessageContent } from '../../../model/model.ts'
import type { SayContent } from '../../../session/commands.ts'

export interface AttachedDocument {
  name: string
  base64: string
}

/**
 * Returns the message without its documents, and the documents. A message with only documents becomes text
 * with their names.
 */
export function splitDocuments(content: SayContent): {
  content: MessageContent
  documents: AttachedDocument[]
} {
  if (typeof content === 'string') return { content, documents: [] }
  const documents: AttachedDocument[] = []
  const rest: ContentPart[] = []
  for (const part of content) {
    if (part.type === 'document') documents.push({ name: part.name, base64: part.base64 })
    else rest.push(part)
  }
  if (documents.length === 0) return { content: rest, documents }
  const isBare = rest.every((part) => part.type === 'text' && part.text.trim() === '')
  return { content: isBare ? documents.map(({ name }) => `[file ${name}]`).join(' ') : rest, documents }
}
