// The text of a fetched page, depending on its type: HTML as Markdown, PDF as paragraphs,
// other text unchanged.

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
  /** Date of publication that the page itself states, a day in ISO form. */
  published?: string
  text: string
  /** Notes for the reader, such as a guessed encoding. */
  notes: string[]
}

export interface WebPage extends PageText {
  /** URL of the page after redirects. */
  url: string
  redirects: readonly string[]
  /**
   * URLs of the page and its redirects that a rule allows by name, also at a private address. They are
   * checked again when a request gets the page from the cache.
   */
  named: readonly string[]
  status: number
  contentType: string
  /** SHA-256 of the page's bytes as received, in hex. */
  sha256: string
  /** Time at which the page was fetched, in ISO 8601. */
  fetched: string
}

interface PageBody {
  url: string
  /** Header `content-type` of the page as received; empty without one. */
  contentType: string
  bytes: Buffer
  /** True if the page is longer than the part that was read. */
  cut: boolean
}

/**
 * Returns the text of a page; `raw` leaves HTML unchanged. Throws FailureError `binary_or_encoding` for a
 * page that is neither text nor PDF, and for a document that cannot be read.
 */
export async function readPageText(body: PageBody, raw: boolean, signal: AbortSignal): Promise<PageText> {
  const { contentType, bytes, cut: isCut } = body
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/pdf' || bytes.subarray(0, 5).toString('latin1') === '%PDF-')
    return readPdfText(bytes, signal)
  const decoded = /^(image(?!\/svg)|audio|video|font)\//.test(type)
    ? undefined
    : await decodePage(bytes, contentType, isCut)
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
 * Decodes the bytes of a page by the byte order mark, as UTF-8 if they are valid, or else by the encoding
 * that the header or the page states. The stated encoding is often wrong, and text in another encoding is
 * hardly ever valid UTF-8. A page that states UTF-8 may have a few invalid bytes. Text in an unknown encoding
 * is read as windows-1252 with a note. Returns undefined for a page that is not text.
 */
async function decodePage(
  bytes: Buffer,
  contentType: string,
  isCut: boolean,
): Promise<{ text: string; notes: string[] } | undefined> {
  const named = /charset\s*=\s*["']?([\w:.-]{1,40})/i
  const label = named.exec(contentType)?.[1] ?? named.exec(bytes.toString('latin1', 0, 4_096))?.[1]
  if (label !== undefined && /^utf-?8$/i.test(label) && !bytes.subarray(0, 65_536).includes(0)) {
    const text = new TextDecoder().decode(isCut ? trimCut(bytes) : bytes)
    // A few invalid characters are accepted. If they outnumber the valid characters outside ASCII, the page
    // has another encoding.
    const torn = text.match(/\ufffd/g)?.length ?? 0
    if (torn <= (text.match(/[\u0080-\ufffc]/g)?.length ?? 0)) return { text, notes: [] }
  }
  const decoded = await decodeAnyText(bytes, label, isCut)
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
  const markdown = await convertHtml(html, body.url, signal)
  if (!markdown) return readPlainly(html, signal)
  const { title, published, text } = markdown
  const date = isoDate(published)
  return {
    kind: 'html',
    title: cleanLine(title, 200) || undefined,
    published: date,
    text,
    notes: text === '' ? [emptyNote] : [],
  }
}

const emptyNote = 'the page has no text: scripts may create it, and scripts are not run'

/**
 * Returns the text as paragraphs without links, for pages that are too large or too deep to
 * convert to Markdown.
 */
async function readPlainly(html: string, signal: AbortSignal): Promise<PageText> {
  const read = await parseDocument(Buffer.from(html), 'html', { signal })
  if ('skipped' in read) {
    if (!read.skipped.startsWith(withoutText)) throw unreadableError(read.skipped)
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
  if ('skipped' in read) throw unreadableError(`the PDF cannot be read: ${read.skipped}`)
  return {
    kind: 'pdf',
    title: cleanLine(read.title, 200) || undefined,
    published: read.date,
    text: withPages(read.blocks),
    notes: read.cut === undefined ? [] : [`this is ${read.cut}`],
  }
}

/** Returns the paragraphs of a document, with a line before the first of each page. */
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

const unreadableError = (message: string) => new FailureError({ code: 'binary_or_encoding', message })
