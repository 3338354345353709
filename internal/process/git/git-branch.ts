// The branch that is checked out, read from the repository's own files: it costs no process.
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/small-file.ts'
import { findGitLayout } from './git-layout.ts'

/** Longer ones are no names that anybody reads. */
const maxBranchChars = 200

/**
 * Its name, or `detached` and the first eight digits of the commit; that of a worktree is its own. Undefined
 * outside of any checkout, and where it cannot be read.
 */
export function readGitBranch(dir: string): string | undefined {
  try {
    const layout = findGitLayout(dir)
    const head = layout && readSmall(join(layout.gitDir, 'HEAD'), 4096)?.trim()
    // repositories with reference tables have a placeholder there
    if (!head || head === 'ref: refs/heads/.invalid') return undefined
    const name = /^ref: refs\/heads\/([^\n]+)$/.exec(head)?.[1]
    if (name !== undefined) return name.length <= maxBranchChars ? name : undefined
    return /^[0-9a-f]{40,64}$/.test(head) ? `detached ${head.slice(0, 8)}` : undefined
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}
