// Directory of a workspace's sessions in the data directory. This module is small enough to load
// at every start.
import { basename, resolve } from 'node:path'
import { checksum } from '../../base/checksum.ts'

/** Returns `<data>/research/<repo id>`. `workspace` has to be a real path. */
export function sessionHomeOf(data: string, workspace: string): string {
  return resolve(data, 'research', `${slugName(basename(workspace))}-${checksum(workspace)}`)
}

/** Converts a name to one for directories and branches: at most 40 lowercase letters, digits and hyphens. */
export function slugName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return plain || `s-${checksum(name)}`
}
