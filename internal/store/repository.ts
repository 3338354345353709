// Search for the repository of a directory, which reads its files and does not start git.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'

/**
 * Returns the real path of the git directory that all worktrees of the repository around `start` share;
 * undefined outside a repository.
 */
export function commonDir(start: string): string | undefined {
  for (let dir = resolve(start); ; dir = dirname(dir)) {
    const gitDirectory = gitDir(dir)
    if (gitDirectory) return gitDirectory
    if (dir === dirname(dir)) return undefined
  }
}

/**
 * Returns the URL of the remote `origin` in the configuration of the git directory `common`; undefined
 * without such a remote. A URL with `://` loses its user and password.
 */
export function originUrl(common: string): string | undefined {
  let inside = false
  for (const line of (readSmallText(join(common, 'config')) ?? '').split('\n')) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[\s*remote\s+"origin"\s*\]/i.test(line)
    const url = inside ? /^\s*url\s*=\s*"?(.*?)"?\s*$/i.exec(line)?.[1] : undefined
    if (url) return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
  }
  return undefined
}

/**
 * Returns true if two workspaces are directories of one repository, or the same directory. Both are real
 * paths; a directory may no longer exist.
 */
export function isSameProject(a: string, b: string): boolean {
  if (a === b) return true
  const common = commonDir(a)
  return common !== undefined && common === commonDir(b)
}

/**
 * Returns the name under which tasks are stored: the URL of the remote `origin`, else the path of the git
 * directory, else `root`.
 */
export function repositoryOf(root: string): string {
  const common = commonDir(root)
  return (common && originUrl(common)) ?? common ?? root
}

function gitDir(dir: string): string | undefined {
  const entry = join(dir, '.git')
  const stat = lstatSync(entry, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isDirectory()) return isGitDir(entry) ? realpathSync(entry) : undefined
  // In a worktree or a submodule, `.git` is a file with the path of the directory.
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(readSmallText(entry) ?? '')?.[1]
  if (!target) return undefined
  const worktreeGitDir = resolve(dir, target)
  const shared = resolve(worktreeGitDir, readSmallText(join(worktreeGitDir, 'commondir'))?.trim() ?? '.')
  return isGitDir(shared) && isMutual(dir, worktreeGitDir) ? realpathSync(shared) : undefined
}

/**
 * Returns true if the repository lists the directory as a worktree or contains it as a submodule. Without
 * this check, any directory could claim to belong to a repository and so read its threads.
 */
function isMutual(dir: string, worktreeGitDir: string): boolean {
  const back = readSmallText(join(worktreeGitDir, 'gitdir'))?.trim()
  if (back !== undefined && resolve(worktreeGitDir, back) === join(realpathSync(dir), '.git')) return true
  const [, top] = new RegExp(`^(.*)${sep}\\.git${sep}modules${sep}`).exec(realpathSync(worktreeGitDir)) ?? []
  return top !== undefined && realpathSync(dir).startsWith(top + sep)
}

function isGitDir(dir: string): boolean {
  return statSync(join(dir, 'HEAD'), { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Returns the text of a small file; undefined if the file is missing, too large or not readable, so that its
 * directory does not count as a repository.
 */
function readSmallText(file: string): string | undefined {
  try {
    return readSmall(file)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
