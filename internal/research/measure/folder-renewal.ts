// Replacement of a directory by a new one with the same entries, so that the old one's times and
// attributes are gone.
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** Replaces the directory at `path` with a new one of the same mode. Its entries are moved, not copied. */
export function renewFolder(path: string): void {
  const old = `${path}.old`
  const { mode } = lstatSync(path)
  renameSync(path, old)
  mkdirSync(path, { mode: 0o700 })
  for (const name of readdirSync(old)) renameSync(join(old, name), join(path, name))
  rmdirSync(old)
  chmodSync(path, mode & 0o7777)
}
