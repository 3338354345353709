// Which repository a directory belongs to, read from its files; git itself is never started.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Real path of the git directory that all worktrees of the repository around `start` share, or undefined outside
 * of a repository.
 */
export function commonDir(start: string): string | undefined {
  for (let dir = resolve(start); ; dir = dirname(dir)) {
    const found = gitDir(dir)
    if (found) return found
    if (dir === dirname(dir)) return undefined
  }
}

/** The address of the remote `origin` without user and password, or undefined. */
export function originUrl(common: string): string | undefined {
  let inside = false
  for (const line of (text(join(common, 'config')) ?? '').split('\n')) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[\s*remote\s+"origin"\s*\]/i.test(line)
    const url = inside ? /^\s*url\s*=\s*"?(.*?)"?\s*$/i.exec(line)?.[1] : undefined
    if (url) return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
  }
  return undefined
}

/** What tasks are filed under: the address of `origin`, else the repository, else the directory itself. */
export function repositoryOf(root: string): string {
  const common = commonDir(root)
  return (common && originUrl(common)) ?? common ?? root
}

function gitDir(dir: string): string | undefined {
  const entry = join(dir, '.git')
  const stat = statSync(entry, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isDirectory()) return isGitDir(entry) ? realpathSync(entry) : undefined
  // worktrees and submodules have a file that points to the directory
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(text(entry) ?? '')?.[1]
  if (!target) return undefined
  const own = resolve(dir, target)
  const shared = resolve(own, text(join(own, 'commondir'))?.trim() ?? '.')
  return isGitDir(shared) ? realpathSync(shared) : undefined
}

function isGitDir(dir: string): boolean {
  return statSync(join(dir, 'HEAD'), { throwIfNoEntry: false })?.isFile() ?? false
}

/** Undefined when it is missing, no file or not readable: then it is not a repository to us. */
function text(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
