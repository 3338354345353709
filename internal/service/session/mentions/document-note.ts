// A document that a user attached, as the model reads it. Loaded when the first one comes.
import { contentWithMedia } from '../../../agent/messages.ts'
import { describeOfficeFile } from '../../../document/office-description.ts'
import {
  describePdf,
  describePicture,
  describeSvg,
  type MediaDescription,
} from '../../../media/media-description.ts'
import { detectMediaKind } from '../../../media/media-kind.ts'
import type { MessageContent, Model } from '../../../model/model.ts'
import type { AttachedDocument } from './split-documents.ts'

const maxTextChars = 65_536

/** Returns the document as the model reads it: a PDF as media where the model takes it, else as text. */
export async function describeDocument(
  { name, base64 }: AttachedDocument,
  model: Pick<Model, 'window' | 'takesDocuments'>,
  signal: AbortSignal,
): Promise<MessageContent> {
  const bytes = Buffer.from(base64, 'base64')
  const { summary, body, media = [] } = await describeBytes(name, bytes, signal)
  const text = [`[file ${JSON.stringify(name).slice(1, -1)}]`, summary, body].filter(Boolean).join('\n')
  return contentWithMedia(text, media, model)
}

type Description = Pick<MediaDescription, 'summary' | 'body' | 'media'>

async function describeBytes(name: string, bytes: Buffer, signal: AbortSignal): Promise<Description> {
  const file = { shown: name, size: bytes.length, bytes, whole: true }
  switch (detectMediaKind(bytes)) {
    case 'picture':
      return describePicture(file)
    case 'svg':
      return describeSvg(file)
    case 'pdf':
      return describePdf(file, signal)
    case 'text':
      return describeText(bytes.toString('utf8'))
    default: {
      const body = `[not read: ${bytes.length} bytes of another format]`
      return (await describeOfficeFile(file, signal)) ?? { summary: '', body }
    }
  }
}

function describeText(text: string): Description {
  if (text.length <= maxTextChars) return { summary: '', body: text }
  const note = `[the first ${maxTextChars} of ${text.length} characters; the rest is not read]`
  return { summary: '', body: `${text.slice(0, maxTextChars)}\n${note}` }
}
