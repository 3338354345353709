// The sources of a study as they are read for verification, and their lines.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fingerprint } from '../../base/fingerprint.ts'
import { parseDocument } from '../../document/document.ts'
import { documentKindOf } from '../../document/document-kind.ts'
import { textAtPlace } from '../../document/document-lines.ts'
import { documentLimits } from '../../document/reading-budget.ts'

/** Largest size in bytes of a text file that can be evidence. Documents have another limit. */
const maxTextBytes = 8 * 1024 * 1024

/**
 * Returns a reader for the check of claims. It resolves to undefined for anything but a readable file inside
 * `root`, and never rejects.
 */
export function fileReaderBelow(root: string): EvidenceReader {
  return async (canonical) => {
    try {
      const [base, path] = await Promise.all([realpath(root), realpath(join(root, canonical))])
      if (!path.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const { size, isFile } = await stat(path).then((one) => ({ size: one.size, isFile: one.isFile() }))
      // Reading a named pipe would block, so only regular files are read.
      if (!isFile) return undefined
      const maxBytes = documentKindOf(path) ? documentLimits.bytes : maxTextBytes
      return size > maxBytes ? undefined : await readFile(path)
    } catch {
      // The source is missing, cannot be read, or is a URL.
      return undefined
    }
  }
}

/** Returns the current bytes of a source by its canonical name; undefined if it is not available. */
export type EvidenceReader = (canonical: string) => Promise<Uint8Array | undefined>

export interface SourceSnapshot {
  sha256: string
  /**
   * Returns the text at a position. Undefined for a locator that means neither lines nor a place in a
   * document, and for a document that cannot be read.
   */
  textAt(locator: string): string | undefined
}

/**
 * Reads the current state of a source; undefined if it cannot be read. Of a document only the text is stored,
 * because its bytes may be many.
 */
export async function takeSnapshot(
  canonical: string,
  read: EvidenceReader,
): Promise<SourceSnapshot | undefined> {
  const bytes = await read(canonical)
  if (!bytes) return undefined
  const sha256 = fingerprint(bytes)
  const kind = documentKindOf(canonical)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const document = kind && (await parseDocument(buffer, kind, { signal: new AbortController().signal }))
  const text = buffer.includes(0) ? '' : buffer.toString('utf8').replace(/^\uFEFF/, '')
  return {
    sha256,
    textAt(locator) {
      const ranges = parseLineRanges(locator)
      if (ranges) {
        const lines = text.split('\n')
        return ranges.map(({ from, to }) => lines.slice(from - 1, to).join('\n')).join('\n')
      }
      return document && 'blocks' in document ? textAtPlace(document.blocks, locator) : undefined
    },
  }
}

/**
 * Returns the lines of a locator such as `12`, `12-40` or `3-5,9`. They count from 1 and include both ends.
 * Undefined for locators that do not mean lines.
 */
export function parseLineRanges(locator: string): { from: number; to: number }[] | undefined {
  const out: { from: number; to: number }[] = []
  for (const part of locator.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part)
    if (!match) return undefined
    const from = Number(match[1])
    out.push({ from, to: match[2] === undefined ? from : Number(match[2]) })
  }
  return out
}
