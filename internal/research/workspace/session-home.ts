// The folder of a workspace's sessions in the data directory; light enough for every start.
import { basename, resolve } from 'node:path'
import { checksum } from '../../base/checksum.ts'

/** `<data>/research/<repo id>`; `workspace` is a real path. */
export function sessionHomeOf(data: string, workspace: string): string {
  return resolve(data, 'research', `${slugName(basename(workspace))}-${checksum(workspace)}`)
}

/** A name for folders and branches. */
export function slugName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return plain || `s-${checksum(name)}`
}
