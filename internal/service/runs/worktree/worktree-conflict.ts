// Reader of the conflict at which the rebase of a run's worktree has stopped.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import type { WorktreeRecord } from './worktree-record.ts'

/** Returns true while a rebase in this worktree has not ended. */
export function isRebasing(path: string): boolean {
  const layout = findGitLayout(path)
  if (layout?.top !== path) return false
  return ['rebase-merge', 'rebase-apply'].some((name) => existsSync(join(layout.gitDir, name)))
}

/** Returns true if the file contains a line with which git marks a conflict; false for an unreadable file. */
export function hasConflictMarks(path: string): boolean {
  try {
    return /^(<{7} |={7}$|>{7} )/m.test(readFileSync(path, 'latin1').replaceAll('\r', ''))
  } catch {
    return false
  }
}

/**
 * Returns the conflict of a worktree; null without one. It exists until the next merge continues the rebase.
 * `files`: those with conflicts at the last merge. `resolved`: true if there are such files and none of them
 * contains a conflict marker any more.
 */
export function readWorktreeConflict({
  path,
  state,
  conflicts = [],
}: WorktreeRecord): { files: string[]; resolved: boolean } | null {
  if (state !== 'open' || !isRebasing(path)) return null
  const isResolved = conflicts.length > 0 && !conflicts.some((name) => hasConflictMarks(join(path, name)))
  return { files: [...conflicts], resolved: isResolved }
}
