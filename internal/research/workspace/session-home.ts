// Directory in the data directory that contains the sessions of a workspace. This module is small, because
// every start loads it.
import { basename, resolve } from 'node:path'
import { checksum } from '../../base/checksum.ts'

/**
 * Returns `<data>/research/<name>-<checksum>`, with the name and the checksum of the workspace's path.
 * `workspace` has to be a real path.
 */
export function sessionHomeOf(data: string, workspace: string): string {
  return resolve(data, 'research', `${slugName(basename(workspace))}-${checksum(workspace)}`)
}

/**
 * Converts a name for use as the name of a directory or branch: at most 40 lowercase letters, digits and
 * hyphens. A name without letters and digits becomes `s-` and a checksum.
 */
export function slugName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return plain || `s-${checksum(name)}`
}
