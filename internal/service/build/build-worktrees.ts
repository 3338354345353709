// Worktrees of a build below the data directory: one for each task, some for the merge queue, and one for the
// check at the end. `builds/ID.NAME` is the worktree. `builds/ID.NAME.json` is its record, which is written
// first, so that a worktree of a killed process is found and removed. A worktree that is no longer needed may
// become spare, which means kept for the next task.
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { constants, cp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { once } from '../../base/once.ts'
import type { BuildHead } from '../../build/entries.ts'
import { findGitLayout } from '../../process/git/git-layout.ts'
import type { CommandOutcome } from '../../process/process-command.ts'
import { type GitRepository, runGit, snapshotTree } from '../../research/git/git-tree.ts'
import {
  committerEnvironment,
  gitRepositoryOf,
  requireGit,
  tryGit,
  type WorktreeTools,
} from '../runs/worktree/worktree-git.ts'
import { openWorktreeFolders } from './worktree-folders.ts'

export interface BuildWorktrees {
  readonly repo: GitRepository
  /** Returns the path of a worktree. `name`: `queue`, `queue-2`, `closing`, or `t-` and the id of a task. */
  pathOf(name: string): string
  /**
   * Returns false if the worktree is missing, is spare (kept for a later task), or no longer belongs
   * to the repository.
   */
  has(name: string): boolean
  /**
   * Creates a worktree at a commit and copies the files into it that the user listed for all worktrees. An
   * existing one of this name is removed first. Resolves to its path. With `isExact`, git compares all files
   * of a reused worktree with the commit; if a file differs, a new worktree replaces it.
   */
  create(name: string, commit: string, isExact?: boolean): Promise<string>
  /**
   * Returns the number of spare worktrees, which ended tasks have left and `create` can use again. That takes
   * less time than a new one.
   */
  spares(): number
  /** Returns the milliseconds that the slowest creation of a worktree took; 0 before the first one. */
  creationMs(): number
  /** Returns true while a worktree is being created. */
  isCreating(): boolean
  remove(name: string): Promise<void>
  /** Removes every worktree of the build, except the one with the name `except`. */
  removeAll(except?: string): Promise<void>
  /**
   * Stores the files of a worktree, except ignored ones, as a tree object of git. Resolves to the hash
   * of the tree.
   */
  survey(name: string): Promise<string>
  /** Returns the paths that differ from the commit that is checked out, without ignored ones. */
  listChanged(name: string): Promise<string[]>
  /** Creates a commit with this tree in the name of the user, on no branch. Resolves to its hash. */
  commit(tree: string, parent: string, message: string): Promise<string>
  /**
   * Applies a commit to the checked-out commit with `git cherry-pick`. After exit code 0, the result is
   * checked out, with the author and the message of the applied commit. Any other code means that git could
   * not apply it, for example because of a conflict.
   */
  pick(name: string, commit: string): Promise<CommandOutcome>
  /** Returns the differences between two trees as bytes that `git apply` accepts. */
  patch(from: string, to: string): Promise<Uint8Array>
}

export function openBuildWorktrees(tools: WorktreeTools, head: BuildHead): BuildWorktrees {
  const repo = gitRepositoryOf(tools, head.top, head.project)
  const folder = join(tools.data, 'builds')
  makeDirectory(folder, 0o700)
  const real = realpathSync(folder)
  const pathOf = (name: string) => join(real, `${head.id}.${name}`)
  const author = once(() => committerEnvironment(repo, head.top))
  let last: Promise<unknown> = Promise.resolve()
  let creating = 0
  let slowest = 0
  // git commands that change the list of worktrees run one after the other, because the list is one directory
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const { discard, release, place, isSpare, spares } = openWorktreeFolders(repo, head, pathOf)
  return {
    repo,
    pathOf,
    has: (name) => !isSpare(name) && isLinked(pathOf(name), head.top),
    remove: (name) => inTurn(() => release(name)),
    async create(name, commit, isExact = false) {
      const path = pathOf(name)
      const order = { name, commit, isExact }
      creating++
      const began = performance.now()
      try {
        // only the entry in git's list is made in turn; the files of several worktrees are written at
        // the same time
        const { fill } = await inTurn(() => place(order, true))
        if (!(await fill())) await (await inTurn(() => place(order, false))).fill()
        for (const carried of head.carry) await copyCarried(join(head.top, carried), join(path, carried))
        return path
      } finally {
        slowest = Math.max(slowest, performance.now() - began)
        creating--
      }
    },
    creationMs: () => slowest,
    isCreating: () => creating > 0,
    spares,
    removeAll: (except) =>
      inTurn(async () => {
        for (const name of listNames(real, head.id)) if (name !== except) await discard(name)
        if (existsSync(head.top)) await requireGit(repo, head.top, ['worktree', 'prune'])
      }),
    survey: (name) => surveyWorktree(repo, pathOf(name)),
    listChanged: (name) => listUncommitted(repo, pathOf(name)),
    async commit(tree, parent, message) {
      const args = ['commit-tree', tree, '-p', parent, '-m', message]
      return (await requireGit(repo, head.top, args, await author())).trim()
    },
    pick: async (name, commit) =>
      tryGit(repo, pathOf(name), ['cherry-pick', ...pickOptions, commit], await author()),
    patch: (from, to) => readPatch(repo, join(real, `${head.id}.${to}.patch`), [from, to]),
  }
}

/** Returns the names of all worktrees of a build, including those of which only a record exists. */
function listNames(folder: string, id: string): Set<string> {
  const fileNames = readdirSync(folder).filter((name) => name.startsWith(`${id}.`))
  return new Set(
    fileNames.map((name) => name.slice(id.length + 1).replace(/\.(?:json|patch|index|files)$/, '')),
  )
}

/**
 * Options for `git cherry-pick`. With them, git keeps commits without changes, does not change the message,
 * does not sign, and does not stage remembered solutions of conflicts.
 */
const pickOptions = [
  '--keep-redundant-commits',
  '--no-rerere-autoupdate',
  '--no-gpg-sign',
  '--cleanup=verbatim',
]

async function surveyWorktree(repo: GitRepository, path: string): Promise<string> {
  const layout = findGitLayout(path)
  if (layout?.top !== path) throw new Error(`${path} is not a worktree`)
  return snapshotTree(repo, layout, [])
}

/**
 * Returns true if the directory is a worktree of this repository. Git could run the hooks
 * of another repository.
 */
function isLinked(path: string, top: string): boolean {
  const layout = existsSync(path) ? findGitLayout(path) : undefined
  return layout?.top === path && layout.commonDir === findGitLayout(top)?.commonDir
}

/** Hash that means "does not exist" in commands of git. */
const noCommit = '0'.repeat(40)

/** Creates the branch of a build at the commit where the build starts. Rejects if the branch exists. */
export async function createBuildBranch(repo: GitRepository, { top, ref, base }: BuildHead): Promise<void> {
  await requireGit(repo, top, ['update-ref', '-m', 'anode build', ref, base, noCommit])
}

/**
 * Returns the patch between two trees. Git writes it to a file, because it may contain bytes that
 * are not UTF-8.
 */
async function readPatch(repo: GitRepository, file: string, trees: readonly string[]): Promise<Uint8Array> {
  const options = ['--binary', '--full-index', '--no-renames', '--no-color', `--output=${file}`]
  try {
    await runGit(repo, ['diff', ...options, ...trees])
    return await readFile(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** Returns the paths that differ from the commit that is checked out, without ignored ones. */
async function listUncommitted(repo: GitRepository, cwd: string): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames']
  const rows = (await runGit(repo, args, { cwd })).split('\0')
  return rows.filter((row) => row !== '').map((row) => row.slice(3))
}

/** Returns the paths that differ between two trees. */
export async function listChanges(repo: GitRepository, from: string, to: string): Promise<string[]> {
  const rows = await runGit(repo, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to])
  return rows.split('\0').filter((path) => path !== '')
}

async function copyCarried(from: string, to: string): Promise<void> {
  makeDirectory(dirname(to))
  const mode = constants.COPYFILE_FICLONE
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode })
}
