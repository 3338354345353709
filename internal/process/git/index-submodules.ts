// Whether an index may list submodules, found without git.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import type { GitLayout } from './git-layout.ts'

/** Mode of a submodule. Every version of the index stores it in four bytes. */
const submoduleMode = Buffer.from([0, 0, 0xe0, 0])

/** Extensions of an index that does not list every file itself. */
const partialExtensions = ['link', 'sdir']

/** Largest index that is read here. */
const maxBytes = 256 << 20

/**
 * Returns false if the index lists no submodule. True also for an index that is not readable or not complete,
 * and for other bytes that equal the mode: git then has to list the submodules.
 */
export function mayHaveSubmodules({ gitDir }: Pick<GitLayout, 'gitDir'>): boolean {
  try {
    const path = join(gitDir, 'index')
    const stat = statSync(path)
    // a pipe would block this process
    if (!stat.isFile() || stat.size > maxBytes) return true
    const bytes = readFileSync(path)
    if (bytes.toString('latin1', 0, 4) !== 'DIRC') return true
    return bytes.includes(submoduleMode) || partialExtensions.some((name) => bytes.includes(name))
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}
