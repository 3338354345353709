// The text of a fetched page by its kind: HTML as Markdown, PDF as paragraphs, everything readable as it is.

import { FailureError } from '../base/errors.ts'
import { decodeBytes } from '../base/text/decode-bytes.ts'
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'
import { trimCut } from '../base/text/text-encoding.ts'
import { isoDate } from '../document/block-list.ts'
import { parseDocument, withoutText } from '../document/document.ts'
import { parsePlace } from '../document/document-place.ts'
import type { DocumentBlock } from '../document/document-text.ts'
import { convertHtml } from './html-markdown.ts'
import { cleanLine } from './search/web-query.ts'

interface PageText {
  kind: 'html' | 'pdf' | 'text'
  title?: string
  /** The page's own, a day in ISO form. */
  published?: string
  text: string
  /** What the reader must know besides. */
  notes: string[]
}

export interface WebPage extends PageText {
  /** Where the page came from after redirects. */
  url: string
  redirects: readonly string[]
  /** Addresses on the way that a rule names, and that without it might not have been reached. */
  named: readonly string[]
  status: number
  contentType: string
  /** Of the bytes as they came, in hex. */
  sha256: string
  /** ISO 8601. */
  fetched: string
}

interface PageBody {
  url: string
  /** The header as it came, or an empty string. */
  contentType: string
  bytes: Buffer
  /** True when there was more than was read. */
  cut: boolean
}

/** `raw` leaves HTML as it is. Throws FailureError `binary_or_encoding` for what is no text. */
export async function readPageText(body: PageBody, raw: boolean, signal: AbortSignal): Promise<PageText> {
  const { contentType, bytes, cut } = body
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/pdf' || bytes.subarray(0, 5).toString('latin1') === '%PDF-')
    return readPdfText(bytes, signal)
  const decoded = /^(image(?!\/svg)|audio|video|font)\//.test(type)
    ? undefined
    : await decodePage(bytes, contentType, cut)
  if (!decoded) {
    throw new FailureError({
      code: 'binary_or_encoding',
      message: `${body.url} is ${type === '' ? 'no text' : type}, ${bytes.length} bytes: nothing to read`,
      hint: 'Pages, PDF files, JSON and plain text can be read.',
    })
  }
  const { text, notes } = decoded
  const isHtml = /^(text\/html|application\/xhtml\+xml)$/.test(type) || (type === '' && looksLikeHtml(text))
  if (!isHtml || raw) return { kind: isHtml ? 'html' : 'text', text, notes }
  const page = await readHtmlText(body, text, signal)
  return { ...page, notes: [...notes, ...page.notes] }
}

/**
 * By its mark, as UTF-8 where it is valid, as the header or the page says otherwise: what is said is often
 * wrong, and text in another encoding is hardly ever valid UTF-8. Undefined for what is not text.
 */
async function decodePage(
  bytes: Buffer,
  contentType: string,
  cut: boolean,
): Promise<{ text: string; notes: string[] } | undefined> {
  const named = /charset\s*=\s*["']?([\w:.-]{1,40})/i
  const label = named.exec(contentType)?.[1] ?? named.exec(bytes.toString('latin1', 0, 4_096))?.[1]
  if (label !== undefined && /^utf-?8$/i.test(label) && !bytes.subarray(0, 65_536).includes(0)) {
    const text = new TextDecoder().decode(cut ? trimCut(bytes) : bytes)
    // a few torn characters stay what they are; where most are, something else was meant
    const torn = text.match(/\ufffd/g)?.length ?? 0
    if (torn <= (text.match(/[\u0080-\ufffc]/g)?.length ?? 0)) return { text, notes: [] }
  }
  const decoded = await decodeAnyText(bytes, label, cut)
  if (decoded) {
    const guess = describeGuess(decoded)
    return { text: decoded.text, notes: guess === undefined ? [] : [guess] }
  }
  if (bytes.includes(0)) return undefined
  const fallback = 'its encoding is unknown: read as windows-1252, letters other than a to z may be wrong'
  return { text: decodeBytes(bytes, 'windows-1252'), notes: [fallback] }
}

const looksLikeHtml = (text: string) => /^\s*(<!doctype html|<html[\s>])/i.test(text.slice(0, 1_000))

async function readHtmlText(body: PageBody, html: string, signal: AbortSignal): Promise<PageText> {
  const made = await convertHtml(html, body.url, signal)
  if (!made) return readPlainly(html, signal)
  const { title, published, text } = made
  const date = isoDate(published)
  return {
    kind: 'html',
    title: cleanLine(title, 200) || undefined,
    published: date,
    text,
    notes: text === '' ? [emptyNote] : [],
  }
}

const emptyNote = 'there is no text on the page: scripts may make it, and none is run'

/** Paragraphs without links: for pages that are too large or too deep for more. */
async function readPlainly(html: string, signal: AbortSignal): Promise<PageText> {
  const read = await parseDocument(Buffer.from(html), 'html', { signal })
  if ('skipped' in read) {
    if (!read.skipped.startsWith(withoutText)) throw unreadable(read.skipped)
    return { kind: 'html', text: '', notes: [emptyNote] }
  }
  const notes = ['the page is too large or too deeply nested for Markdown: plain paragraphs, without links']
  return {
    kind: 'html',
    title: cleanLine(read.title, 200) || undefined,
    published: read.date,
    text: read.blocks.map(({ text }) => text).join('\n\n'),
    notes: [...notes, ...(read.cut === undefined ? [] : [`this is ${read.cut}`])],
  }
}

async function readPdfText(bytes: Buffer, signal: AbortSignal): Promise<PageText> {
  const read = await parseDocument(bytes, 'pdf', { signal })
  if ('skipped' in read) throw unreadable(`the PDF cannot be read: ${read.skipped}`)
  return {
    kind: 'pdf',
    title: cleanLine(read.title, 200) || undefined,
    published: read.date,
    text: withPages(read.blocks),
    notes: read.cut === undefined ? [] : [`this is ${read.cut}`],
  }
}

/** Paragraphs, with a line before the first of each page. */
function withPages(blocks: readonly DocumentBlock[]): string {
  let last = 0
  const parts = blocks.flatMap(({ text, place }) => {
    const parsed = parsePlace(place)
    const page = parsed?.outer?.n ?? (parsed?.unit === 'page' ? parsed.from : last)
    const isNew = page !== last
    last = page
    return isNew ? [`--- page ${page} ---`, text] : [text]
  })
  return parts.join('\n\n')
}

const unreadable = (message: string) => new FailureError({ code: 'binary_or_encoding', message })
