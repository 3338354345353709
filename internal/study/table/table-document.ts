// A document of a table as blocks of text with positions, and the search for a quote in these blocks.
import { closeSync, realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { FailureError, messageOf } from '../../base/errors.ts'
import { openPlain, readPrefix } from '../../base/files/open-file.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { decodeAnyText } from '../../base/text/detect-encoding.ts'
import { readDocument } from '../../document/document.ts'
import { describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { formatPlace, spanPlaces } from '../../document/document-place.ts'
import type { DocumentBlock } from '../../document/document-text.ts'
import { containsQuote } from '../verify/quotation.ts'

export interface TableDocument {
  path: string
  sha256: string
  blocks: readonly DocumentBlock[]
}

/** Largest size of a text file in bytes. A larger file is not read. */
const maxTextBytes = 2 << 20

/**
 * Reads a document. Returns the reason if it cannot be read, or, with `isConfined`, if it is outside of the
 * root. Rejects only if `signal` aborts.
 */
export async function readTableDocument(
  root: string,
  path: string,
  signal: AbortSignal,
  isConfined = false,
): Promise<TableDocument | { why: string }> {
  try {
    const real = realpathSync(resolve(root, path))
    const base = realpathSync(root)
    if (isConfined && !real.startsWith(base.endsWith(sep) ? base : base + sep))
      return { why: 'it is outside of the root' }
    if (documentKindOf(path) || describeUnreadKind(path)) {
      const read = await readDocument(real, { signal })
      return 'skipped' in read ? { why: read.skipped } : { path, sha256: read.sha256, blocks: read.blocks }
    }
    const opened = openPlain(real, path)
    const { bytes, whole } = await readPrefix(opened, maxTextBytes).finally(() => closeSync(opened.fd))
    if (!whole) return { why: 'it is larger than 2 MiB' }
    const decoded = await decodeAnyText(bytes)
    if (!decoded) return { why: 'it is not text in a known encoding' }
    const blocks = cutBlocks(decoded.text)
    if (blocks.length === 0) return { why: 'it is empty' }
    return { path, sha256: fingerprint(bytes), blocks }
  } catch (error) {
    signal.throwIfAborted()
    return { why: error instanceof FailureError ? error.failure.message : messageOf(error) }
  }
}

/** Returns the paragraphs of a text with their line numbers. */
function cutBlocks(text: string): DocumentBlock[] {
  const out: DocumentBlock[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  let from = 0
  for (let i = 0; i <= lines.length; i++) {
    if (lines[i] !== undefined && lines[i]?.trim() !== '') continue
    if (i > from)
      out.push({
        text: lines.slice(from, i).join('\n'),
        place: formatPlace({ unit: 'line', from: from + 1, to: i }),
      })
    from = i + 1
  }
  return out
}

/** Position of a quote, with the text around it. */
interface LocatedQuote {
  place: string
  excerpt: string
  heading?: string
}

/** Largest number of consecutive blocks over which one quote may extend. A longer quote is not found. */
const maxSpan = 4

/**
 * Returns the position of a quote, or undefined if no `maxSpan` consecutive blocks of the
 * document contain it.
 */
export function locateQuote({ blocks }: TableDocument, quote: string): LocatedQuote | undefined {
  for (let span = 1; span <= Math.min(maxSpan, blocks.length); span++) {
    for (let i = 0; i + span <= blocks.length; i++) {
      const part = blocks.slice(i, i + span)
      const excerpt = part.map(({ text }) => text).join('\n')
      if (!containsQuote(excerpt, quote)) continue
      const [first] = part
      const place = spanPlaces(first?.place ?? '', part.at(-1)?.place ?? '')
      return { place, excerpt, heading: first?.heading }
    }
  }
  return undefined
}
