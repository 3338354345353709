// A file that came as bytes, as a model reads it: images and PDFs as media, office files, texts and the
// source of SVG images as text. Of a file in any other format, the model gets only the size.
import {
  describePdf,
  describePicture,
  describeSvg,
  type MediaDescription,
} from '../media/media-description.ts'
import { detectMediaKind } from '../media/media-kind.ts'
import { describeOfficeFile } from './office-description.ts'

const maxTextChars = 65_536

type FileDescription = Pick<MediaDescription, 'summary' | 'body' | 'media'>

/**
 * Returns what a model reads of a file. Its bytes decide the format; only office files and books are
 * recognized by the extension of `name`. Plain text is cut to 65,536 characters.
 */
export async function describeAttachedFile(
  name: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<FileDescription> {
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

function describeText(text: string): FileDescription {
  if (text.length <= maxTextChars) return { summary: '', body: text }
  const note = `[the first ${maxTextChars} of ${text.length} characters; the rest is not read]`
  return { summary: '', body: `${text.slice(0, maxTextChars)}\n${note}` }
}
