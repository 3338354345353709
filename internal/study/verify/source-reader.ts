// Reader of the sources of evidence: files below the root of a study, and never files outside of it.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { documentKindOf } from '../../document/document-kind.ts'
import { documentLimits } from '../../document/reading-budget.ts'
import type { EvidenceReader } from './source-snapshot.ts'

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
