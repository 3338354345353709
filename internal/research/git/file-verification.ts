// Verifies that the files of a checkout have the bytes that their object names promise.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Mode and object of a file, as a tree has them. */
interface ObjectName {
  mode: string
  id: string
}

/**
 * The paths whose bytes are not those of their object. A file that git converts on its way out (line ends,
 * encodings) is among them; its `text` form has to be asked for.
 */
export function differingFiles(files: ReadonlyMap<string, ObjectName>, dir: string): string[] {
  return [...files].filter(([path, entry]) => idOf(join(dir, path), entry) !== entry.id).map(([path]) => path)
}

function idOf(path: string, { mode, id }: ObjectName): string | undefined {
  // the content of a submodule is not in this repository
  if (mode === '160000') return id
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  const bytes = stat.isSymbolicLink() ? readlinkSync(path, { encoding: 'buffer' }) : readFileSync(path)
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
