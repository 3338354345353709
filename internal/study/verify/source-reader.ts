// Reader that reads sources of evidence again: files below a study's root, never outside of it.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { documentKindOf } from '../../document/document-kind.ts'
import { documentLimits } from '../../document/reading-budget.ts'
import type { EvidenceReader } from './source-snapshot.ts'

/** Maximum size of a file that can be evidence, except documents. */
const maxTextBytes = 8 * 1024 * 1024

/**
 * Returns a reader for `verify`. It returns undefined for anything that is not a readable file inside
 * `root`, and never rejects.
 */
export function fileReaderBelow(root: string): EvidenceReader {
  return async (canonical) => {
    try {
      const [base, path] = await Promise.all([realpath(root), realpath(join(root, canonical))])
      if (!path.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const { size, isFile } = await stat(path).then((one) => ({ size: one.size, isFile: one.isFile() }))
      // reading a pipe would block
      if (!isFile) return undefined
      const maxBytes = documentKindOf(path) ? documentLimits.bytes : maxTextBytes
      return size > maxBytes ? undefined : await readFile(path)
    } catch {
      // missing, unreadable, or a URL
      return undefined
    }
  }
}
