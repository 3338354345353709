// The worktrees of a build below the data directory: one for each task, some for the queue, and one
// for the end.
//
// `builds/ID.NAME` is the worktree, and `builds/ID.NAME.json` its record, which is written first. So a
// worktree that a killed process has left is found and removed. One that is removed may become spare.
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
   * Returns true if the worktree exists, is linked to the repository, and is not spare, which means kept
   * after its task for another one to use.
   */
  has(name: string): boolean
  /**
   * Creates a worktree at a commit, after removing an existing one of this name, and copies the paths that
   * the build lists in `carry` into it. Resolves to its path. With `isExact`, git reads every file of a
   * worktree that was used before, and a new one replaces it if a file differs from the commit.
   */
  create(name: string, commit: string, isExact?: boolean): Promise<string>
  /**
   * Returns the number of worktrees of ended tasks that `create` can use again, which takes less time than
   * creating a new one.
   */
  spares(): number
  /** Returns the milliseconds that the slowest creation of a worktree took; 0 before the first one. */
  creationMs(): number
  /** Returns true while a worktree is being created. */
  isCreating(): boolean
  remove(name: string): Promise<void>
  /** Removes every worktree of the build. */
  removeAll(): Promise<void>
  /** Stores a worktree's files, without ignored ones, as a tree of git. Resolves to the name of that tree. */
  survey(name: string): Promise<string>
  /** Returns the paths that differ from the commit that is checked out, without ignored ones. */
  listChanged(name: string): Promise<string[]>
  /** Returns a new commit of the user with this tree. No reference points to it. */
  commit(tree: string, parent: string, message: string): Promise<string>
  /**
   * Picks a commit onto the one that is checked out. Exit code 0: a new commit with the author and the
   * message of the picked one is checked out. Any other code: git could not pick it, for example because
   * of a conflict.
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
  // commands of git that change its list of worktrees run in turn, because the list is one directory
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
        // several worktrees get their files at the same time
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
    removeAll: () =>
      inTurn(async () => {
        for (const name of listNames(real, head.id)) await discard(name)
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

/** Returns the names of the worktrees of a build, also of those with only a record. */
function listNames(folder: string, id: string): Set<string> {
  const own = readdirSync(folder).filter((name) => name.startsWith(`${id}.`))
  return new Set(own.map((name) => name.slice(id.length + 1).replace(/\.(?:json|patch|index|files)$/, '')))
}

/**
 * Options with which `git cherry-pick` keeps a commit without changes, leaves the message as it is, does not
 * sign, and does not stage remembered resolutions.
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
 * Returns true if the directory is a worktree of the repository. In a foreign repository, git could
 * run its hooks.
 */
function isLinked(path: string, top: string): boolean {
  const layout = existsSync(path) ? findGitLayout(path) : undefined
  return layout?.top === path && layout.commonDir === findGitLayout(top)?.commonDir
}

/** The object name that git reads as "does not exist". */
const noCommit = '0'.repeat(40)

/** Creates the branch of a build at its base. Rejects if the branch exists. */
export async function createBuildBranch(repo: GitRepository, { top, ref, base }: BuildHead): Promise<void> {
  await requireGit(repo, top, ['update-ref', '-m', 'anode build', ref, base, noCommit])
}

/** Returns a patch through a file, because its text may have bytes that are not UTF-8. */
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
