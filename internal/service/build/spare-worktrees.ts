// Worktrees whose task has ended. The next task gets one of them in the state of a new worktree.
//
// A new worktree writes every file of the commit, which costs more than all other work of a short task. So
// a spare one keeps the files that no program has touched since they were written: the system sets the
// change time of a file at every change, and no program can set it back. All other files are removed and
// written again, and so is the index, of which a copy is outside of the reach of the task.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { findGitLayout } from '../../process/git/git-layout.ts'
import { type GitRepository, setFileTime } from '../../research/git/git-tree.ts'
import { requireGit } from '../runs/worktree/worktree-git.ts'

interface SpareWorktrees {
  /** Remembers a worktree whose files have just been written. */
  remember(name: string): Promise<void>
  forget(name: string): void
  /** Returns true if the worktree is spare now, false if it has to be removed. */
  keep(name: string): boolean
  isSpare(name: string): boolean
  /**
   * Makes a worktree of a spare one. Returns undefined if none is spare. If it is not `isReady`, both have to
   * be removed.
   */
  reuse(name: string, commit: string): Promise<{ from: string; isReady: boolean } | undefined>
}

/** A worktree whose files were written by git alone. */
interface PreparedWorktree {
  gitDir: string
  /** Change time in milliseconds that only later changes reach. */
  since: number
  /** Time of the index in milliseconds since 1970. */
  indexTime: number
  /** Mode and owner of its directories. */
  folder: string
}

/** Usual files of a worktree's git directory. Any other file is the trace of an operation or of a setting. */
const usualFiles: ReadonlySet<string> = new Set([
  'HEAD',
  'ORIG_HEAD',
  'commondir',
  'gitdir',
  'index',
  'logs',
  'refs',
])

/** Returns the spare worktrees of a build, of which at most `limit` exist at the same time. */
export function openSpareWorktrees(
  repo: GitRepository,
  { top, pathOf, limit }: { top: string; pathOf(name: string): string; limit: number },
): SpareWorktrees {
  const prepared = new Map<string, PreparedWorktree>()
  const spare = new Set<string>()
  const remember = async (name: string) => {
    const path = pathOf(name)
    const gitDir = findGitLayout(path)?.gitDir
    if (gitDir === undefined) return
    const index = join(gitDir, 'index')
    await copyFile(index, copyOf(path))
    const since = (await lstat(copyOf(path))).ctimeMs
    const indexTime = (await lstat(index)).mtimeMs
    prepared.set(name, { gitDir, since, indexTime, folder: describeFolder(path) })
  }
  const forget = (name: string) => {
    prepared.delete(name)
    spare.delete(name)
  }
  return {
    remember,
    forget,
    isSpare: (name) => spare.has(name),
    keep(name) {
      if (!prepared.has(name) || spare.size >= limit) return false
      spare.add(name)
      return true
    },
    async reuse(name, commit) {
      const from = spare.has(name) ? name : [...spare][0]
      const before = from === undefined ? undefined : prepared.get(from)
      if (from === undefined || !before) return undefined
      const path = pathOf(name)
      const old = pathOf(from)
      try {
        if (!isUsual(old, before)) return { from, isReady: false }
        if (old !== path) await requireGit(repo, top, ['worktree', 'move', old, path])
        await copyFile(copyOf(old), join(before.gitDir, 'index'))
        await setFileTime(join(before.gitDir, 'index'), before.indexTime)
        await requireGit(repo, path, ['clean', '-ffdxq'])
        await removeTouched(path, before)
        await requireGit(repo, path, ['checkout', '--quiet', '--force', '--detach', commit])
        forget(from)
        await remember(name)
        return { from, isReady: true }
      } catch {
        return { from, isReady: false }
      }
    },
  }
}

/** Returns the path of the copy of the index, which is next to the worktree. */
const copyOf = (path: string) => `${path}.index`

/** Returns false if the task has left more than files: a branch, an operation, or a setting. */
function isUsual(path: string, { gitDir, folder }: PreparedWorktree): boolean {
  const layout = findGitLayout(path)
  if (layout?.top !== path || layout.gitDir !== gitDir || describeFolder(path) !== folder) return false
  return (
    readdirSync(gitDir).every((name) => usualFiles.has(name)) &&
    /^[0-9a-f]{40,64}\n$/.test(readFileSync(join(gitDir, 'HEAD'), 'utf8'))
  )
}

function describeFolder(path: string): string {
  const { mode, uid, gid } = lstatSync(path)
  return `${mode} ${uid} ${gid}`
}

/** Removes the files that were touched since the worktree was prepared, and directories with other modes. */
async function removeTouched(top: string, { since, folder }: PreparedWorktree): Promise<void> {
  const folders = [top]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // a pause lets other work of the process run
    await setImmediate()
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (path === join(top, '.git')) continue
      if (entry.isDirectory() && describeFolder(path) === folder) folders.push(path)
      else if (entry.isDirectory() || lstatSync(path).ctimeMs >= since)
        await rm(path, { recursive: true, force: true })
    }
  }
}
