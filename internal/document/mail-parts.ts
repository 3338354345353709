// The parts of a message: headers, nested parts, their transfer encodings, and encoded words in headers.
import { decodeBytes } from '../base/text/decode-bytes.ts'
import { decodeAnyText } from '../base/text/detect-encoding.ts'

export interface MailPart {
  /** Media type in lower case, such as `text/plain`. */
  type: string
  charset?: string
  transfer: string
  /**
   * Name of an attachment, with its encoded words not decoded; empty for an attachment without a name.
   * Undefined for other parts, such as the text.
   */
  attachment?: string
  body: string
}

const maxParts = 500
const maxDepth = 20

/**
 * Returns the headers of a message and at most 500 of its parts, without those below 20 levels of parts.
 * `source` has one character for each byte. Of alternative parts, returns only the first in plain text, or
 * else the last one.
 */
export function splitParts(source: string): { headers: Map<string, string>; parts: MailPart[] } {
  const { headers, body } = splitHead(source)
  const parts: MailPart[] = []
  collectParts(headers, body, parts, 0)
  return { headers, parts }
}

function collectParts(headers: Map<string, string>, body: string, parts: MailPart[], depth: number): void {
  if (parts.length >= maxParts || depth > maxDepth) return
  const content = headers.get('content-type') ?? 'text/plain'
  const type = content.split(';', 1)[0]?.trim().toLowerCase() || 'text/plain'
  const boundary = parameterOf(content, 'boundary')
  if (type.startsWith('multipart/') && boundary !== undefined) {
    const inner = bodiesBetween(body, boundary).map(splitHead)
    for (const one of type === 'multipart/alternative' ? chooseAlternative(inner) : inner)
      collectParts(one.headers, one.body, parts, depth + 1)
    return
  }
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameterOf(disposition, 'filename') ?? parameterOf(content, 'name')
  const isAttached = /^\s*attachment/i.test(disposition) || (name !== undefined && !type.startsWith('text/'))
  if (type === 'message/rfc822' && !isAttached) {
    const { headers: innerHeaders, body: rest } = splitHead(body)
    collectParts(innerHeaders, rest, parts, depth + 1)
    return
  }
  const charset = parameterOf(content, 'charset')
  parts.push({
    type,
    transfer: (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase(),
    body,
    charset,
    attachment: isAttached ? (name ?? '') : undefined,
  })
}

/**
 * Returns the first part in plain text, else the last part, which has the richest format;
 * empty without parts.
 */
function chooseAlternative<P extends { headers: Map<string, string> }>(parts: readonly P[]): P[] {
  const plain = parts.find(({ headers }) => /^\s*text\/plain/i.test(headers.get('content-type') ?? ''))
  const one = plain ?? parts.at(-1)
  return one ? [one] : []
}

function splitHead(source: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(source)
  const head = end ? source.slice(0, end.index) : source
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value ?? '')
  }
  return { headers, body: end ? source.slice(end.index + end[0].length) : '' }
}

function bodiesBetween(body: string, boundary: string): string[] {
  const [, ...rest] = `\n${body}`.split(`\n--${boundary}`)
  const last = rest.findIndex((part) => part.startsWith('--'))
  return (last < 0 ? rest : rest.slice(0, last)).map((part) =>
    part.replace(/^[ \t]*\r?\n/, '').replace(/\r$/, ''),
  )
}

/**
 * Returns the value of a parameter `name=value`, quoted or not, also in the form `name*=utf-8''value` with
 * any charset, and joined from numbered pieces. Undefined if it is missing.
 */
function parameterOf(header: string, name: string): string | undefined {
  const pattern = new RegExp(
    `;\\s*${name}(?:\\*(\\d+))?(\\*)?\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`,
    'gi',
  )
  const pieces = [...header.matchAll(pattern)].sort((a, b) => Number(a[1] ?? 0) - Number(b[1] ?? 0))
  if (pieces.length === 0) return undefined
  return pieces
    .map(([, , coded, quoted, bare]) => {
      const value = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
      return coded ? unescapePercent(value) : value
    })
    .join('')
}

function unescapePercent(value: string): string {
  const [, charset = 'utf-8', text = value] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? []
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return decodeBytes(Buffer.from(bytes, 'latin1'), charset)
  } catch {
    return text
  }
}

export function decodeBody({ transfer, body }: Pick<MailPart, 'transfer' | 'body'>): Buffer {
  if (transfer === 'base64') return Buffer.from(body, 'base64')
  return Buffer.from(transfer === 'quoted-printable' ? decodeQuoted(body) : body, 'latin1')
}

const decodeQuoted = (text: string) =>
  text
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const encodedWord = /=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi

/**
 * Returns a header with its encoded words decoded, except words in an unknown encoding. In a header without
 * such words, bytes beyond ASCII are decoded in their detected encoding.
 */
export async function decodeHeader(value: string): Promise<string> {
  const joined = value.replace(/(\?=)\s+(?==\?)/g, '$1')
  if (!/=\?/.test(joined)) {
    const decoded = /[\x80-\xff]/.test(joined)
      ? await decodeAnyText(Buffer.from(joined, 'latin1'))
      : undefined
    return (decoded?.text ?? joined).trim()
  }
  return joined
    .replace(encodedWord, (whole, charset: string, form: string, text: string) => {
      const transfer = form.toLowerCase() === 'b' ? 'base64' : 'quoted-printable'
      const bytes = decodeBody({ transfer, body: transfer === 'base64' ? text : text.replaceAll('_', ' ') })
      try {
        return decodeBytes(bytes, charset)
      } catch {
        return whole
      }
    })
    .trim()
}
