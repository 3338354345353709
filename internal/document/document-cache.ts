// In-process cache of recent documents, so that an unchanged file is not parsed again.
import type { BigIntStats } from 'node:fs'
import type { DocumentKind } from './document-kind.ts'
import type { DocumentText } from './document-text.ts'

/**
 * Largest number of characters of all cached documents together. Above it, the documents used least
 * recently are removed.
 */
const maxKeptChars = 6_000_000
const maxKnownFiles = 10_000

const documentCache = new Map<string, { document: DocumentText; chars: number }>()
const digests = new Map<string, string>()

const contentKey = (kind: DocumentKind, sha256: string) => `${kind} ${sha256}`

/** Returns a key that changes with any write to the file and with any other file at the path. */
const fileKey = (path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [path, dev, ino, size, mtimeNs, ctimeNs].join('\n')

/** Returns the cached document with these bytes; undefined without one. */
export function cachedDocument(kind: DocumentKind, sha256: string): DocumentText | undefined {
  const key = contentKey(kind, sha256)
  const entry = documentCache.get(key)
  if (!entry) return undefined
  // the most recently used entry is last in the map, so that it is removed last
  documentCache.delete(key)
  documentCache.set(key, entry)
  return entry.document
}

/**
 * Returns the document that was read from this file; undefined if the file was not read or has changed since,
 * or if the document is no longer cached.
 */
export function cachedFile(path: string, kind: DocumentKind, stat: BigIntStats): DocumentText | undefined {
  const sha256 = digests.get(fileKey(path, stat))
  return sha256 === undefined ? undefined : cachedDocument(kind, sha256)
}

export function rememberFile(path: string, stat: BigIntStats, { sha256 }: DocumentText): void {
  if (digests.size >= maxKnownFiles) digests.clear()
  digests.set(fileKey(path, stat), sha256)
}

export function keepDocument(document: DocumentText): void {
  const chars = document.blocks.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > maxKeptChars) return
  documentCache.set(contentKey(document.kind, document.sha256), { document, chars })
  let sum = [...documentCache.values()].reduce((all, one) => all + one.chars, 0)
  for (const [key, one] of documentCache) {
    if (sum <= maxKeptChars) break
    documentCache.delete(key)
    sum -= one.chars
  }
}
