// A document that a user attached, as the model reads it. Loaded only for a message with a document.
import { contentWithMedia } from '../../../agent/messages.ts'
import { describeAttachedFile } from '../../../document/attached-file.ts'
import type { MessageContent, Model } from '../../../model/model.ts'
import type { AttachedDocument } from './split-documents.ts'

/**
 * Returns the document as the model reads it: a PDF as media if the model accepts PDF files,
 * otherwise as text.
 */
export async function describeDocument(
  { name, base64 }: AttachedDocument,
  model: Pick<Model, 'window' | 'takesDocuments'>,
  signal: AbortSignal,
): Promise<MessageContent> {
  const bytes = Buffer.from(base64, 'base64')
  const { summary, body, media = [] } = await describeAttachedFile(name, bytes, signal)
  const text = [`[file ${JSON.stringify(name).slice(1, -1)}]`, summary, body].filter(Boolean).join('\n')
  return contentWithMedia(text, media, model)
}
