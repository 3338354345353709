// Disk cache of the text of documents, which all processes share. Its key is the version of the readers, and
// the kind and content of a file.
import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../base/dirs.ts'
import { codeOf } from '../base/errors.ts'
import { sweepTemps, tempName } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { containsSecret } from '../base/secrets.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { DocumentKind } from './document-kind.ts'
import type { DocumentText } from './document-text.ts'

/** Largest size of all entries together, in bytes. Above it, the least recently used entries are removed. */
const maxStoredBytes = 256 << 20
const maxEntryBytes = 24 << 20
/**
 * Bytes of new entries after which the size of the directory is checked; each process also checks it after
 * its first entry.
 */
const checkedBytes = 8 << 20
/**
 * Size of a file in bytes below which reading an HTML page or a table again is faster than loading an entry.
 */
const minPlainBytes = 64 << 10

/**
 * Returns the version of the readers, which the build computes from their source. Empty for unbuilt source,
 * which neither stores nor loads documents.
 */
const readerVersion = () => process.env.ANODE_READER_VERSION ?? ''

const storedDocumentsDir = (): string => join(cacheDir(), 'documents')

interface StoredHead {
  version: string
  kind: DocumentKind
  sha256: string
  /** Fingerprint of the rest of the entry, after this head. */
  print: string
}

/**
 * Returns the stored document. Returns undefined if the entry is missing, unreadable, damaged, or of another
 * version of the readers, and always for unbuilt source. Deletes a damaged entry. Never throws.
 */
export function loadStoredDocument(kind: DocumentKind, sha256: string): DocumentText | undefined {
  const version = readerVersion()
  if (version === '') return undefined
  const path = pathOf(kind, sha256)
  try {
    const text = readFileSync(path, 'utf8')
    const end = text.indexOf('\n')
    const head: unknown = JSON.parse(text.slice(0, end))
    const body = text.slice(end + 1)
    if (!isObject(head) || head.print !== fingerprint(body)) throw new SyntaxError('the entry is not whole')
    if (head.version !== version || head.kind !== kind || head.sha256 !== sha256) return undefined
    const document = JSON.parse(body) as DocumentText
    markUsed(path)
    return document
  } catch (error) {
    if (error instanceof SyntaxError) removeEntry(path)
    return undefined
  }
}

/**
 * Stores a document for other processes, unless it contains a secret, was cut, is larger than
 * `maxEntryBytes`, or is a small HTML page or table, which is fast to read again. Unbuilt source stores
 * nothing. After a failed write, this process stores nothing more.
 */
export function storeDocument(document: DocumentText): void {
  const version = readerVersion()
  const { kind, sha256, size, cut: cutNote, blocks } = document
  if (version === '' || isFull || cutNote !== undefined || isReadFast(kind, size)) return
  if (blocks.some(({ text }) => containsSecret(text))) return
  const body = JSON.stringify(document)
  const head: StoredHead = { version, kind, sha256, print: fingerprint(body) }
  const entry = Buffer.from(`${JSON.stringify(head)}\n${body}`)
  if (entry.length > maxEntryBytes) return
  const temporary = join(storedDocumentsDir(), tempName())
  try {
    makeDirectory(storedDocumentsDir(), 0o700)
    writeFileSync(temporary, entry, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, pathOf(kind, sha256))
    unchecked += entry.length
    if (unchecked >= checkedBytes) removeOldEntries()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    removeEntry(temporary)
    isFull = true
  }
}

/** Whether writing the directory has failed; this process then stores nothing more. */
let isFull = false
/**
 * Bytes of entries since the last check of the directory. It starts at the limit, so that the first entry
 * causes a check.
 */
let unchecked = checkedBytes

const isReadFast = (kind: DocumentKind, size: number) =>
  (kind === 'html' || kind === 'table') && size < minPlainBytes

const pathOf = (kind: DocumentKind, sha256: string) =>
  join(storedDocumentsDir(), `${fingerprint(`${readerVersion()}\n${kind}\n${sha256}`)}.json`)

function removeEntry(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

function markUsed(path: string): void {
  const now = new Date()
  try {
    if (now.getTime() - statSync(path).mtimeMs > 60_000) utimesSync(path, now, now)
  } catch (error) {
    // a system error is ignored, because another process may have removed the entry
    if (codeOf(error) === undefined) throw error
  }
}

/**
 * Removes temporary files of dead processes. If all entries exceed the limit, removes the least recently used
 * ones until at most three quarters of the limit remain.
 */
function removeOldEntries(): void {
  unchecked = 0
  const dir = storedDocumentsDir()
  void sweepTemps(dir).catch(() => 0)
  const entries = readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const stat = lstatSync(join(dir, name), { throwIfNoEntry: false })
      return stat ? [{ path: join(dir, name), bytes: stat.size, usedMs: stat.mtimeMs }] : []
    })
    .sort((a, b) => a.usedMs - b.usedMs)
  let sum = entries.reduce((total, { bytes }) => total + bytes, 0)
  if (sum <= maxStoredBytes) return
  for (const { path, bytes } of entries) {
    if (sum <= maxStoredBytes * 0.75) break
    removeEntry(path)
    sum -= bytes
  }
}
