// Spare worktrees: those of ended tasks, kept for the next task, which gets one with the files of its commit.
// A new worktree writes every file of the commit, which takes longer than all other work of a short task. A
// spare worktree keeps the files that no program has touched. This is known from the change time, which the
// system sets and no program can set back. All other files are written again, and so is git's index, of which
// a copy exists that the task cannot change.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { findGitLayout } from '../../process/git/git-layout.ts'
import { type GitRepository, setFileTime } from '../../research/git/git-tree.ts'
import { requireGit, tryGit } from '../runs/worktree/worktree-git.ts'

interface SpareWorktrees {
  /** Records a worktree whose files git has just written, so that it can become spare later. */
  remember(name: string): Promise<void>
  forget(name: string): void
  /**
   * Marks the worktree as spare, which means kept for the next task. Returns false if it has to be removed:
   * it was not recorded by `remember`, or enough worktrees are spare.
   */
  keep(name: string): boolean
  isSpare(name: string): boolean
  /** Returns the number of spare worktrees. */
  count(): number
  /**
   * Returns a spare worktree, preferably the one of this name, which is then in use. It is moved to this name
   * if possible. Resolves to undefined if no worktree is spare.
   */
  take(name: string): Promise<TakenWorktree | undefined>
}

interface TakenWorktree {
  /** Name of the worktree before it was taken. */
  from: string
  /**
   * Gives the worktree the files of a new one at the commit. Resolves to false if that is impossible, and
   * with `isExact` also if a file differs from the commit. Undefined if the worktree could not be moved and
   * has to be removed.
   */
  restore: ((commit: string, isExact?: boolean) => Promise<boolean>) | undefined
}

/** State of a worktree directly after git has written its files. */
interface PreparedWorktree {
  gitDir: string
  /**
   * Time in milliseconds since 1970 at which git had written the files. A file with this change time or a
   * later one may have been changed since.
   */
  since: number
  /** Modification time of git's index in milliseconds since 1970. */
  indexTime: number
  /**
   * Mode and owner of the worktree's top directory, as text. Directories in it with other values
   * are not reused.
   */
  folder: string
}

/**
 * Usual files in the git directory of a worktree. Any other file shows that a task has begun a git operation
 * or changed a setting.
 */
const usualFiles: ReadonlySet<string> = new Set([
  'HEAD',
  'ORIG_HEAD',
  'commondir',
  'gitdir',
  'index',
  'logs',
  'refs',
])

/**
 * Returns functions that mark, find and forget the spare worktrees of a build, of which at most `limit` exist
 * at the same time.
 */
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
    count: () => spare.size,
    async take(name) {
      const from = spare.has(name) ? name : [...spare][0]
      const before = from === undefined ? undefined : prepared.get(from)
      if (from === undefined || !before) return undefined
      const old = pathOf(from)
      forget(from)
      if (!(await canMove({ repo, top, old, path: pathOf(name) }, before)))
        return { from, restore: undefined }
      const index = await readFile(copyOf(old))
      const restore = async (commit: string, isExact = false) => {
        try {
          await restoreFiles(repo, { path: pathOf(name), before, index, commit })
          if (isExact && !(await equalsCommit(repo, pathOf(name), before))) return false
          await remember(name)
          return true
        } catch {
          return false
        }
      }
      return { from, restore }
    },
  }
}

/**
 * Moves a worktree. Returns false if its task has changed more than files, such as a branch, or
 * if git refuses.
 */
async function canMove(
  { repo, top, old, path }: { repo: GitRepository; top: string; old: string; path: string },
  before: PreparedWorktree,
): Promise<boolean> {
  if (!isUsual(old, before)) return false
  if (old === path) return true
  return (await tryGit(repo, top, ['worktree', 'move', old, path])).exit === 0
}

/**
 * Milliseconds by which the index gets newer than the files of its worktree, when each of these files is
 * known to be as git wrote it. Git reads every file again that is as new as its index, by the second.
 */
const newerMs = 2000

/** Removes the changes of the task, and checks out the commit. */
async function restoreFiles(
  repo: GitRepository,
  { path, before, index, commit }: { path: string; before: PreparedWorktree; index: Buffer; commit: string },
): Promise<void> {
  const indexFile = join(before.gitDir, 'index')
  await writeFile(indexFile, index)
  await setFileTime(indexFile, before.indexTime)
  await requireGit(repo, path, ['clean', '-ffdxq'])
  await removeTouched(path, before)
  await setFileTime(indexFile, before.indexTime + newerMs)
  await requireGit(repo, path, ['checkout', '--quiet', '--force', '--detach', commit])
  // git has written the index with the current time; a time in the future would hide later changes
  if ((await lstat(indexFile)).mtimeMs > Date.now()) throw new Error(`git did not write ${indexFile}`)
}

/**
 * Modification time for git's index in milliseconds since 1970. It is so old that git reads every file again.
 */
const oldestMs = 1000

/** Returns true if the content of each tracked file is that of the commit. Git reads all of them. */
async function equalsCommit(
  repo: GitRepository,
  path: string,
  { gitDir }: PreparedWorktree,
): Promise<boolean> {
  const index = join(gitDir, 'index')
  const { mtimeMs } = await lstat(index)
  await setFileTime(index, oldestMs)
  const { exit } = await tryGit(repo, path, ['diff-files', '--quiet', '--ignore-submodules=none'])
  await setFileTime(index, mtimeMs)
  return exit === 0
}

/** Returns the path of the copy of the index, which is next to the worktree. */
const copyOf = (path: string) => `${path}.index`

/**
 * Returns true if the task has only changed files: no branch, no unfinished git operation, and no setting.
 */
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

/**
 * Removes the files that were touched since the worktree was prepared, and directories with another
 * mode or owner.
 */
async function removeTouched(top: string, { since, folder }: PreparedWorktree): Promise<void> {
  const gitFile = `${top}/.git`
  const folders = [top]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // a pause lets other work of the process run
    await setImmediate()
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = `${at}/${entry.name}`
      if (path === gitFile) continue
      if (entry.isDirectory() && describeFolder(path) === folder) folders.push(path)
      else if (entry.isDirectory() || lstatSync(path).ctimeMs >= since)
        await rm(path, { recursive: true, force: true })
    }
  }
}
