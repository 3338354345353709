// Check whether the files of a checkout have exactly the content that git's object names identify.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Mode and object name of a file, as in a git tree. */
interface ObjectName {
  mode: string
  id: string
}

/**
 * Returns the paths below `dir` whose bytes do not match the object in `files`, and the missing files. It
 * also returns files that git converts at checkout (line ends, encodings): the caller has to compare these
 * in converted form.
 */
export function differingFiles(files: ReadonlyMap<string, ObjectName>, dir: string): string[] {
  return [...files].filter(([path, entry]) => idOf(join(dir, path), entry) !== entry.id).map(([path]) => path)
}

function idOf(path: string, { mode, id }: ObjectName): string | undefined {
  // A submodule's files are not in this repository, so a submodule counts as unchanged.
  if (mode === '160000') return id
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  const bytes = stat.isSymbolicLink() ? readlinkSync(path, { encoding: 'buffer' }) : readFileSync(path)
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
