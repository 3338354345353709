// Replaces a folder by a new one with the same entries, so that nothing noted about the old one is left.
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** Entries are moved, not copied. */
export function renewFolder(path: string): void {
  const old = `${path}.old`
  const { mode } = lstatSync(path)
  renameSync(path, old)
  mkdirSync(path, { mode: 0o700 })
  for (const name of readdirSync(old)) renameSync(join(old, name), join(path, name))
  rmdirSync(old)
  chmodSync(path, mode & 0o7777)
}
