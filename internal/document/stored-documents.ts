// Disk cache of documents that any process has read, by content, in the cache directory.
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
 * Bytes of new entries after which the size of the directory is checked; the first entry is always checked.
 */
const checkedBytes = 8 << 20
/**
 * Size of a file in bytes below which reading an HTML page or a table again is faster than loading an entry.
 */
const minPlainBytes = 64 << 10

/**
 * Returns a version that the build computes from the source of every reader. Unbuilt source has no version
 * and stores nothing.
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

/** Returns the stored document, or undefined if the entry is missing or incomplete. Never throws. */
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
 * Stores a document for other processes. Skips documents that contain a secret, and incomplete ones, because
 * a limit of time or memory may have cut them. Does not throw if the directory cannot be written, because
 * without an entry the file is read again.
 */
export function storeDocument(document: DocumentText): void {
  const version = readerVersion()
  const { kind, sha256, size, cut, blocks } = document
  if (version === '' || isFull || cut !== undefined || isReadFast(kind, size)) return
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
    // another process has removed the entry meanwhile
    if (codeOf(error) === undefined) throw error
  }
}

/** Removes entries until three quarters of the limit are used, and temporary files of dead processes. */
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
