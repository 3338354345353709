// Reads sources of evidence again: files below a study's root, never beyond it.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { documentKindOf } from '../../document/document-kind.ts'
import { documentLimits } from '../../document/reading-budget.ts'
import type { EvidenceReader } from './source-snapshot.ts'

/** A file beyond this size was never evidence, unless it is a document. */
const maxTextBytes = 8 * 1024 * 1024

/**
 * Reader for `verify`. Whatever cannot be read as a file inside of `root` is not at hand; it never rejects.
 */
export function fileReaderBelow(root: string): EvidenceReader {
  return async (canonical) => {
    try {
      const [base, path] = await Promise.all([realpath(root), realpath(join(root, canonical))])
      if (!path.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const { size, isFile } = await stat(path).then((one) => ({ size: one.size, isFile: one.isFile() }))
      // a pipe would be waited for
      if (!isFile) return undefined
      const maxBytes = documentKindOf(path) ? documentLimits.bytes : maxTextBytes
      return size > maxBytes ? undefined : await readFile(path)
    } catch {
      // gone, unreadable, or an address: all the same here
      return undefined
    }
  }
}
