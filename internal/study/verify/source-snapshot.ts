// The current state of a source: its digest, and its text at the positions to which evidence refers.
import { fingerprint } from '../../base/fingerprint.ts'
import { parseDocument } from '../../document/document.ts'
import { documentKindOf } from '../../document/document-kind.ts'
import { textAtPlace } from '../../document/document-lines.ts'
import { parseLineRanges } from './line-ranges.ts'

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
