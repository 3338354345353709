// Reader of regular files. A link or a device in place of a file counts as missing.
import { lstat, readFile } from 'node:fs/promises'

/** Returns the bytes of a regular file, or undefined for anything else. */
export async function readRegular(path: string): Promise<Buffer | undefined> {
  const stat = await lstat(path).catch(() => undefined)
  return stat?.isFile() ? readFile(path) : undefined
}
