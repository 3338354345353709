// The check whether an index may list submodules, done without git.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import type { GitLayout } from './git-layout.ts'

/** Mode of a submodule. Every version of the index stores it in four bytes. */
const submoduleMode = Buffer.from([0, 0, 0xe0, 0])

/**
 * Names of index extensions with which other files, or whole directories, take the place of single entries: a
 * split index and a sparse index.
 */
const partialExtensions = ['link', 'sdir']

/** Largest size in bytes of an index that is read. A larger one counts as one that may list submodules. */
const maxBytes = 256 << 20

/**
 * Returns false if the index certainly lists no submodule or is missing. Returns true otherwise, for example
 * if it cannot be read, is split or sparse, or contains the bytes of the mode by chance. Git then has to
 * list the submodules.
 */
export function mayHaveSubmodules({ gitDir }: Pick<GitLayout, 'gitDir'>): boolean {
  try {
    const path = join(gitDir, 'index')
    const stat = statSync(path)
    // A pipe in place of the index would block this process, so it is not read.
    if (!stat.isFile() || stat.size > maxBytes) return true
    const bytes = readFileSync(path)
    if (bytes.toString('latin1', 0, 4) !== 'DIRC') return true
    return bytes.includes(submoduleMode) || partialExtensions.some((name) => bytes.includes(name))
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}
