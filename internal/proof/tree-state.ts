// The identity of files in a directory.
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createSha256, fingerprint } from '../base/fingerprint.ts'
import { readRegular } from './regular-file.ts'

/** Returns one identity for the content and mode of all these files; a missing file counts as well. */
export async function identifyFiles(dir: string, paths: readonly string[]): Promise<string> {
  const hash = createSha256()
  for (const path of paths) hash.update(`${path}\0${await identifyFile(join(dir, path))}\0`)
  return hash.digest('hex')
}

/** Returns the identity of one file: its kind and its content, the target of a link, or `missing`. */
export async function identifyFile(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined)
  if (stat?.isSymbolicLink()) return `link ${await readlink(path)}`
  const bytes = await readRegular(path)
  return bytes ? `${(stat?.mode ?? 0) & 0o100 ? 'program' : 'file'} ${fingerprint(bytes)}` : 'missing'
}

/** Returns the paths whose file differs between two directories. */
export async function findChangedFiles(
  paths: readonly string[],
  before: string,
  after: string,
): Promise<string[]> {
  const changed: string[] = []
  for (const path of paths)
    if ((await identifyFile(join(before, path))) !== (await identifyFile(join(after, path))))
      changed.push(path)
  return changed
}
