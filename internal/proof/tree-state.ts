// The identity of files in a directory.
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createSha256, fingerprint } from '../base/fingerprint.ts'
import { readRegular } from './regular-file.ts'

/** Bytes up to which a file is read at once: an asynchronous read of a small file costs ten times as much. */
const smallBytes = 256 * 1024

/** Files after which other work of the process gets its turn. */
const filesAtOnce = 64

/** Returns one identity for the content and mode of all these files; a missing file counts as well. */
export async function identifyFiles(dir: string, paths: readonly string[]): Promise<string> {
  const hash = createSha256()
  for (const [i, path] of paths.entries()) {
    if (i % filesAtOnce === filesAtOnce - 1) await setImmediate()
    hash.update(`${path}\0${await identifyFile(join(dir, path))}\0`)
  }
  return hash.digest('hex')
}

/** Returns the identity of one file: its kind and its content, the target of a link, or `missing`. */
export async function identifyFile(path: string): Promise<string> {
  const stat = statOf(path)
  if (stat?.isSymbolicLink()) return `link ${readlinkSync(path)}`
  const bytes = stat && (await readBytes(path, stat))
  return bytes ? `${stat.mode & 0o100 ? 'program' : 'file'} ${fingerprint(bytes)}` : 'missing'
}

/** Returns undefined also for a path below a file or below a directory that cannot be entered. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const readBytes = (path: string, stat: Stats) =>
  stat.isFile() && stat.size <= smallBytes ? readFileSync(path) : readRegular(path)

/** Returns the paths whose file differs between two directories. */
export async function findChangedFiles(
  paths: readonly string[],
  before: string,
  after: string,
): Promise<string[]> {
  const changed: string[] = []
  for (const [i, path] of paths.entries()) {
    if (i % filesAtOnce === filesAtOnce - 1) await setImmediate()
    if ((await identifyFile(join(before, path))) !== (await identifyFile(join(after, path))))
      changed.push(path)
  }
  return changed
}
