// A server's open files as copies of the files on disk, opened, changed and closed with versions.
import { closeSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { decodeText } from '../base/text/text-encoding.ts'

export interface OpenDocument {
  readonly path: string
  readonly uri: string
  /** Version, counted over the whole session: a file that is opened again does not restart. */
  version: number
  text: string
  /** Lines of `text`, without their line ends. */
  lines: readonly string[]
  /** Size, times and inode of the file when it was read. */
  stamp: string
}

/** Sends one notification to the server. Resolves when the system has accepted the bytes. */
type SendNotification = (method: string, params: unknown) => Promise<void>

/**
 * Limits: the number of open files, above which the least recently used one is closed, and the bytes of a
 * file, above which it is not opened.
 */
const maxOpen = { open: 100, bytes: 8 * 2 ** 20 }

export interface DocumentStore {
  get(path: string): OpenDocument | undefined
  /**
   * Opens the file or updates the server's copy. Throws FailureError if the file cannot be read as text,
   * after closing it if it was open.
   */
  sync(path: string, language: string): Promise<OpenDocument>
  /** Updates every open file that has changed on disk, and closes those that cannot be read any more. */
  refresh(language: (path: string) => string | undefined): Promise<void>
}

export function openDocuments(notify: SendNotification): DocumentStore {
  const open = new Map<string, OpenDocument>()
  let count = 0

  const close = async (document: OpenDocument) => {
    open.delete(document.path)
    await notify('textDocument/didClose', { textDocument: { uri: document.uri } })
  }
  const sync = async (path: string, language: string): Promise<OpenDocument> => {
    const there = open.get(path)
    if (there) {
      // the most recently used document comes last, and the first one is closed
      open.delete(path)
      open.set(path, there)
    }
    if (there && there.stamp === stampOf(path)) return there
    const read = await readText(path).catch(async (error: unknown) => {
      if (there) await close(there)
      throw error
    })
    const lines = read.text.split(/\r?\n/)
    if (there?.text === read.text) return Object.assign(there, read)
    count++
    if (there) {
      Object.assign(there, read, { lines, version: count })
      const { uri, version } = there
      // the whole text is sent, because the columns of ranges would depend on how the server counts them
      const contentChanges = [{ text: read.text }]
      await notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges })
      await notify('textDocument/didSave', { textDocument: { uri } })
      return there
    }
    const uri = pathToFileURL(path).href
    const document: OpenDocument = { path, uri, version: count, lines, ...read }
    open.set(path, document)
    const oldest = open.size > maxOpen.open ? open.values().next().value : undefined
    if (oldest) await close(oldest)
    const item = { uri, languageId: language, version: count, text: read.text }
    await notify('textDocument/didOpen', { textDocument: item })
    return document
  }
  return {
    get: (path) => open.get(path),
    sync,
    async refresh(language) {
      for (const document of [...open.values()]) {
        if (document.stamp === stampOf(document.path)) continue
        await sync(document.path, language(document.path) ?? 'plaintext').catch((error: unknown) => {
          if (!(error instanceof FailureError)) throw error
        })
      }
    },
  }
}

async function readText(path: string): Promise<{ text: string; stamp: string }> {
  const stamp = stampOf(path)
  const opened = openPlain(path)
  const { bytes, whole } = await readPrefix(opened, maxOpen.bytes).finally(() => closeSync(opened.fd))
  if (!whole)
    throw new FailureError({ code: 'too_large', message: `${path} has more than ${maxOpen.bytes} bytes` })
  const content = decodeText(bytes)
  if (content.kind === 'text') return { text: content.text, stamp }
  throw new FailureError({ code: 'binary_or_encoding', message: `${path} is not UTF-8 text` })
}

/** Returns the stamp of a file; empty for a missing file. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':') : ''
}
