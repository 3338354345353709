// A source as it is now: its digest, and its text by the places that evidence names.
import { fingerprint } from '../../base/fingerprint.ts'
import { parseDocument } from '../../document/document.ts'
import { documentKindOf } from '../../document/document-kind.ts'
import { textAtPlace } from '../../document/document-lines.ts'
import { parseLineRanges } from './line-ranges.ts'

/** The bytes of a source as it is now, by its canonical name; undefined when it is not at hand. */
export type EvidenceReader = (canonical: string) => Promise<Uint8Array | undefined>

export interface SourceSnapshot {
  sha256: string
  /** Returns the text at a place; undefined for places of other kinds, and if a document cannot be read. */
  textAt(locator: string): string | undefined
}

/**
 * Returns the snapshot of a source; undefined if it cannot be read. Of a document only the text is stored,
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
