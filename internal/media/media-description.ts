// Description of an image, an SVG or a PDF: a summary line, a text, structured data, and the image itself.

import { countNoun } from '../base/text/count-noun.ts'
import { readPdf } from './pdf.ts'
import type { PdfPicture } from './pdf-thread.ts'
import { pictureType, readPictureHeader, readPictureMode } from './picture-header.ts'
import { type SentPicture, shrinkPicture } from './picture-resize.ts'
import { encodePng } from './png-file.ts'

/** A file and the bytes that were read. */
interface MediaFile {
  shown: string
  /** Bytes of the whole file. */
  size: number
  bytes: Buffer
  /** False when `bytes` is only the beginning. */
  whole: boolean
}

/** An image for a model, in base64. */
interface DescribedPicture {
  type: 'image'
  mime: string
  base64: string
}

/** A PDF for models that read documents. `text` is the part of the description that the PDF replaces. */
interface DescribedDocument {
  type: 'document'
  mime: 'application/pdf'
  name: string
  base64: string
  pages: number
  text: string
}

export interface MediaDescription {
  /** One line with the name, the format and the size of the file. */
  summary: string
  body: string
  data: Record<string, unknown>
  media?: (DescribedPicture | DescribedDocument)[]
}

const maxSvgChars = 16_000
const pdfLimits = { chars: 24_000, pages: 50, ms: 10_000 }

export async function describePicture(file: MediaFile): Promise<MediaDescription> {
  const size = readPictureHeader(file.bytes)
  const sentPicture = file.whole ? await shrinkPicture(file.bytes, size) : 'it is too large to be opened'
  const facts = { format: size?.format ?? null, width: size?.width ?? null, height: size?.height ?? null }
  const mode = size && readPictureMode(file.bytes, size.format)
  const more = { mime: size ? pictureType(size.format) : undefined, mode }
  const data = { kind: 'picture', ...facts, ...more, bytes: file.size }
  const what = size ? `${size.format} picture, ${formatPixels(size)}` : 'picture of unknown size'
  const summary = `${file.shown}: ${what}, ${formatBytes(file.size)}`
  if (typeof sentPicture === 'string') {
    return {
      summary,
      body: `[the picture is not shown: ${sentPicture}]`,
      data: { ...data, sent: null, reason: sentPicture },
    }
  }
  const { mime, width, height, bytes } = sentPicture
  const extent = `${formatPixels(sentPicture)}, ${formatBytes(bytes.length)}`
  const body = `[the picture follows as ${mime.slice(6)}, ${extent}]`
  return {
    summary,
    body,
    data: { ...data, sent: { mime, width, height, bytes: bytes.length } },
    media: [mediaOf(sentPicture)],
  }
}

export function describeSvg(file: MediaFile): MediaDescription {
  const size = readPictureHeader(file.bytes)
  const source = file.bytes.toString('utf8').replace(/^\ufeff/, '')
  const isCut = source.length > maxSvgChars || !file.whole
  const note = isCut ? `\n[the first ${maxSvgChars} characters; use read for the rest]` : ''
  const facts = { format: 'svg', width: size?.width ?? null, height: size?.height ?? null }
  return {
    summary: `${file.shown}: SVG, ${size ? `${formatPixels(size)}, ` : ''}${formatBytes(file.size)}`,
    body: source.slice(0, maxSvgChars) + note,
    data: { kind: 'svg', ...facts, bytes: file.size, text: source.slice(0, maxSvgChars), truncated: isCut },
  }
}

/**
 * Limits above which documents are shown as text: providers accept 100 pages and 32 MB in a whole request.
 */
const documentLimits = { bytes: 8 * 1024 * 1024, pages: 100 }

/**
 * Describes a PDF and attaches it if its pages can be read and it has at most 100 pages and 8 MiB. `pictures`
 * is the largest number of images of its pages that are attached too; default: none.
 */
export async function describePdf(
  file: MediaFile,
  signal: AbortSignal,
  pictures = 0,
): Promise<MediaDescription> {
  const pdf = file.whole
    ? await readPdf(file.bytes, { ...pdfLimits, pictures, signal })
    : 'it is too large to be opened'
  const data = { kind: 'pdf', format: 'pdf', bytes: file.size }
  if (typeof pdf === 'string') {
    const summary = `${file.shown}: PDF, ${formatBytes(file.size)}`
    return { summary, body: `[no text: ${pdf}]`, data: { ...data, pages: null, reason: pdf } }
  }
  const { pages, read, title, lost, unread } = pdf
  const shownPictures = await shrinkPictures(pdf.pictures ?? [])
  const missing = (unread?.count ?? 0) + shownPictures.unshown
  const bare = pdf.text.replaceAll(/^--- page \d+ ---$/gm, '').trim()
  const isCut = read < pages || pdf.text.length >= pdfLimits.chars
  const notes = [
    ...(bare === '' ? ['it contains no text; its pages may be images'] : []),
    ...(isCut && bare !== ''
      ? [`text of the first ${read} of ${pages} pages, cut at ${pdfLimits.chars} characters`]
      : []),
    ...(lost ? [`text is missing on page ${lost.page}: ${lost.why}`] : []),
    ...(shownPictures.media.length > 0
      ? [`with ${countNoun(shownPictures.media.length, 'picture')} of its pages`]
      : []),
    ...(missing > 0 || unread ? [`pictures that are not shown: ${missing || 'some'}`] : []),
  ]
  const text = bare === '' ? '' : pdf.text.trim()
  const body = [text, ...notes.map((note) => `[${note}]`)].filter(Boolean).join('\n')
  const media = [...shownPictures.media, ...documentOf(file, pages, body)]
  return {
    summary:
      `${file.shown}: PDF, ${countNoun(pages, 'page')}` +
      `${title ? `, “${title}”` : ''}, ${formatBytes(file.size)}`,
    body,
    data: { ...data, pages, pages_read: read, title: title ?? null, text, truncated: isCut },
    media: media.length > 0 ? media : undefined,
  }
}

/** Returns the PDF itself as a list of one; empty if it has too many pages or bytes for a request. */
function documentOf({ shown: name, bytes }: MediaFile, pages: number, text: string): DescribedDocument[] {
  if (pages > documentLimits.pages || bytes.length > documentLimits.bytes) return []
  const base64 = bytes.toString('base64')
  return [{ type: 'document', mime: 'application/pdf', name, base64, pages, text }]
}

/**
 * Shrinks the images for a model. `unshown` is the number of images that are omitted because they cannot be
 * made small enough or not be converted.
 */
async function shrinkPictures(
  pictures: readonly PdfPicture[],
): Promise<{ media: DescribedPicture[]; unshown: number }> {
  const media: DescribedPicture[] = []
  for (const picture of pictures) {
    const png = encodePng(picture)
    const sentPicture = await shrinkPicture(png, readPictureHeader(png))
    if (typeof sentPicture !== 'string') media.push(mediaOf(sentPicture))
  }
  return { media, unshown: pictures.length - media.length }
}

const mediaOf = (sentPicture: SentPicture) => ({
  type: 'image' as const,
  mime: sentPicture.mime,
  base64: sentPicture.bytes.toString('base64'),
})
const formatPixels = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`
const formatBytes = (bytes: number) =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
