// Reader that turns a document file into blocks of text with places. It runs no code of the document and
// loads nothing to which the document links. For an unreadable document it returns the reason.
import { closeSync } from 'node:fs'
import { FailureError, messageOf } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { cachedDocument, cachedFile, keepDocument, rememberFile } from './document-cache.ts'
import { type DocumentKind, describeUnreadKind, documentKindOf } from './document-kind.ts'
import type { DocumentReader } from './document-readers.ts'
import type { DocumentContent, DocumentText, SkippedDocument } from './document-text.ts'
import {
  createReadingBudget,
  type DocumentLimits,
  documentLimits,
  UnreadableDocument,
} from './reading-budget.ts'

interface ReadDocumentOptions {
  signal: AbortSignal
  limits?: Partial<DocumentLimits>
}

/**
 * Reads the document at a real path. Resolves to `skipped` with the reason if the name is not that of
 * a document, or if the file cannot be read, is too large or broken, or takes too long. Also if
 * reading is cancelled.
 */
export async function readDocument(
  path: string,
  { signal, limits }: ReadDocumentOptions,
): Promise<DocumentText | SkippedDocument> {
  const all = { ...documentLimits, ...limits }
  const kind = documentKindOf(path)
  if (!kind) return { skipped: describeUnreadKind(path) ?? 'its format is not supported' }
  try {
    const opened = openPlain(path, 'it')
    try {
      const storedDocument = mayBeCached(all) ? cachedFile(path, kind, opened.stat) : undefined
      if (storedDocument) return storedDocument
      if (opened.stat.size > BigInt(all.bytes)) return { skipped: tooLarge(all) }
      const { bytes, whole } = await readPrefix(opened, all.bytes)
      if (!whole) return { skipped: tooLarge(all) }
      const read = await parseDocument(bytes, kind, { signal, limits })
      if (!('skipped' in read)) rememberFile(path, opened.stat, read)
      return read
    } finally {
      closeSync(opened.fd)
    }
  } catch (error) {
    if (error instanceof FailureError) return { skipped: error.failure.message }
    throw error
  }
}

/** Reason why an intact document without text is skipped. */
export const withoutText = 'it contains no text'

function describeEmpty({ cut: cutNote, notes = [] }: DocumentContent): string {
  if (cutNote) return `no text in ${cutNote}`
  return notes.length > 0 ? `${withoutText} (${notes.join('; ')})` : withoutText
}

/**
 * Reads a document from bytes in memory. An error of its reader becomes `skipped` with the reason, as do a
 * limit of time and a cancellation.
 */
export async function parseDocument(
  bytes: Buffer,
  kind: DocumentKind,
  { signal, limits }: ReadDocumentOptions,
): Promise<DocumentText | SkippedDocument> {
  const all = { ...documentLimits, ...limits }
  const budget = createReadingBudget(all, signal)
  const isCached = mayBeCached(all)
  try {
    budget.check()
    if (bytes.length === 0) throw new UnreadableDocument('it is empty')
    const sha256 = fingerprint(bytes)
    const storedDocument = isCached
      ? (cachedDocument(kind, sha256) ?? (await loadStored(kind, sha256)))
      : undefined
    if (storedDocument) return storedDocument
    const read = await loadReader(kind)
    const content = await read(bytes, budget)
    if (content.blocks.length === 0) throw new UnreadableDocument(describeEmpty(content))
    const document = { kind, ...content, sha256, size: bytes.length }
    if (isCached && (!limits || document.cut === undefined)) {
      keepDocument(document)
      const { storeDocument } = await loadStorage()
      storeDocument(document)
    }
    return document
  } catch (error) {
    if (error instanceof UnreadableDocument) return { skipped: error.message }
    // any other error means broken input, for which parsers throw different errors
    return { skipped: `it is broken: ${messageOf(error).split('\n')[0]}` }
  }
}

/**
 * Returns true if a document that is read with these limits may be cached: the limits of text are the default
 * ones. Limits of time and memory may differ, because they do not change the text of a complete document.
 */
const mayBeCached = ({ chars, blocks }: DocumentLimits) =>
  chars === documentLimits.chars && blocks === documentLimits.blocks

const loadStorage = () => import('./stored-documents.ts')

async function loadStored(kind: DocumentKind, sha256: string): Promise<DocumentText | undefined> {
  const { loadStoredDocument } = await loadStorage()
  const document = loadStoredDocument(kind, sha256)
  if (document) keepDocument(document)
  return document
}

const tooLarge = ({ bytes }: DocumentLimits) => `it is larger than ${bytes >> 20} MiB`

/** Loads the reader of a kind. The one for PDF is separate, because its thread loads a large library. */
async function loadReader(kind: DocumentKind): Promise<DocumentReader> {
  if (kind === 'pdf') return (await import('./pdf-document.ts')).readPdfDocument
  return (await import('./document-readers.ts')).documentReaders[kind]
}
