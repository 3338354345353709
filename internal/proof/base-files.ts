// The original files of a check, which are those of a commit, and lists of a workspace's files.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { UserError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { gitText } from '../process/git/git.ts'
import { findGitLayout } from '../process/git/git-layout.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { FileTree } from './check-definition.ts'

/** Files of commits that several proofs of a process use, each written once. */
export interface BaseMemory {
  /** Existing directory for the files. It must be at a place where the commands of a check cannot write. */
  folder: string
  stored: Map<string, StoredBase>
}

interface StoredBase {
  /** Directory of the written files. */
  dir: string
  index: string
  paths: readonly string[]
  /** Paths that are not written yet. */
  missing: Set<string>
  /** Resolves when the writes requested so far have ended. Never rejects, also if a write fails. */
  last: Promise<unknown>
}

interface BaseRequest {
  run: RunCommand
  workspace: string
  /** Revision of git that has the original files. */
  base: string
  /** Existing directory into which the files are written. */
  folder: string
  /**
   * Shared store of files. If `base` is a full commit id, the files are written there and used again by later
   * proofs, instead of in `folder`.
   */
  bases?: BaseMemory
}

/** Largest size in bytes of a list of paths that git prints. A longer list is an error. */
const keepBytes = 64 * 1024 * 1024

/** Git starts no program for a list of paths, so no search for its child processes follows. */
const listing = { keepBytes, childless: true }

/** The files of a commit. `paths` lists all of them, and `dir` contains those that were written so far. */
interface BaseFiles extends FileTree {
  /** Writes each of the paths that the commit contains, unless it was written before. */
  write(paths: Iterable<string>): Promise<void>
}

/**
 * Lists the files of a commit below the workspace, which are written to a directory on demand. Throws
 * UserError outside of a repository, or if the revision or the workspace's directory in it does not exist.
 */
export async function openBaseFiles(request: BaseRequest): Promise<BaseFiles> {
  const { run, workspace, base, bases } = request
  const layout = findGitLayout(workspace)
  const below = layout && relative(layout.top, workspace).split(sep).join('/')
  // Git would read a revision that begins with a dash as an option, so such a revision counts as missing.
  const named = layout && !base.startsWith('-') && { top: layout.top, tree: `${base}^{commit}:${below}` }
  const key = named && /^[0-9a-f]{40,64}$/.test(base) ? `${layout.commonDir}\0${named.tree}` : undefined
  const storedBase = key === undefined ? undefined : bases?.stored.get(key)
  if (named && storedBase) return writerOf(storedBase, { ...named, run })
  const first = named ? await listPaths(run, named).catch(() => undefined) : undefined
  const commitTree = named && first !== undefined ? named : await findTree(request)
  const paths = first ?? (await listPaths(run, commitTree))
  const isShared = key !== undefined && first !== undefined && bases !== undefined
  const place = isShared ? join(bases.folder, `${bases.stored.size}`) : request.folder
  const dir = join(place, 'base')
  makeDirectory(dir, 0o700)
  const stored = { dir, index: join(place, 'index'), paths, missing: new Set(paths), last: Promise.resolve() }
  if (isShared) bases.stored.set(key, stored)
  return writerOf(stored, { ...commitTree, run })
}

const listPaths = async (run: RunCommand, { top, tree }: CommitTree) =>
  splitPaths(await gitText(run, top, ['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree], listing))

/**
 * Returns the files with a function that writes more of them. If several proofs use it, their writes run one
 * after the other.
 */
function writerOf(stored: StoredBase, source: CommitTree & { run: RunCommand }): BaseFiles {
  return {
    dir: stored.dir,
    paths: stored.paths,
    write(some) {
      const wantedPaths = new Set(some)
      const turn = stored.last.then(() => writeMissing(stored, source, wantedPaths))
      stored.last = turn.catch(() => undefined)
      return turn
    },
  }
}

async function writeMissing(
  { dir, index, paths, missing }: StoredBase,
  { run, top, tree }: CommitTree & { run: RunCommand },
  some: ReadonlySet<string>,
): Promise<void> {
  const missingPaths = [...some].filter((path) => missing.has(path))
  if (missingPaths.length === 0) return
  const extraEnv = { GIT_INDEX_FILE: index }
  if (!existsSync(index)) await gitText(run, top, ['read-tree', tree], { ...listing, extraEnv })
  // Git cannot get a name that is not UTF-8, so all files are written if there is such a name.
  const isWhole = missingPaths.some((path) => path.includes('\uFFFD'))
  const which = isWhole ? ['--all'] : ['-z', '--stdin']
  const input = isWhole ? undefined : missingPaths.map((path) => `${path}\0`).join('')
  const args = ['checkout-index', '--force', `--prefix=${dir}/`, ...which]
  await gitText(run, top, args, { extraEnv, keepBytes, input })
  for (const path of isWhole ? paths : missingPaths) missing.delete(path)
}

/** The commit's tree for the workspace: the top of the repository, and the name of the tree. */
interface CommitTree {
  top: string
  tree: string
}

async function findTree({ run, workspace, base }: BaseRequest): Promise<CommitTree> {
  const top = await gitText(run, workspace, ['rev-parse', '--show-toplevel']).catch(() => {
    throw new UserError(`not a git repository: ${workspace}`, {
      hint: 'the original tests come from a commit: run `git init`, and commit the tests',
    })
  })
  const tree = await gitText(run, workspace, ['rev-parse', '--verify', `${base}^{commit}`])
    .then((commit) => gitText(run, workspace, ['rev-parse', '--verify', `${commit.trim()}:./`]))
    .catch(() => {
      throw new UserError(`unknown revision "${base}"`, {
        hint: 'name a commit that has the original tests: anode prove CMD --base HEAD~1',
      })
    })
  return { top: top.replace(/\n$/, ''), tree: tree.trim() }
}

/**
 * Lists paths of the workspace: `tracked` by git, `all` (tracked and new), or those that git ignores. Of an
 * ignored directory, only its own path is listed. Without a repository, each file that is not ignored
 * counts as tracked.
 */
export type ListTree = (which: 'tracked' | 'all' | 'ignored') => Promise<string[]>

/**
 * Returns the function that lists paths with git. `extraEnv` selects a repository without tracked files: then
 * each file that is not ignored counts as tracked, and `node_modules` is ignored.
 */
export function treeLister(
  run: RunCommand,
  workspace: string,
  extraEnv?: Readonly<Record<string, string>>,
): ListTree {
  const standard = extraEnv ? ['--exclude-standard', '--exclude=node_modules/'] : ['--exclude-standard']
  const options = {
    // In a repository without tracked files, every file that git does not ignore counts as tracked.
    tracked: extraEnv ? ['--others', ...standard] : ['--cached'],
    all: ['--cached', '--others', ...standard],
    ignored: ['--others', '--ignored', ...standard, '--directory'],
  }
  return async (which) => {
    const args = ['ls-files', '-z', ...options[which]]
    const text = await gitText(run, workspace, args, { ...listing, extraEnv })
    return [...new Set(splitPaths(text))].sort()
  }
}

/**
 * Returns a function that lists the paths of a workspace. If the workspace is not in a repository, an empty
 * repository is created in `folder`, outside of the workspace, so that git's rules about ignored files apply.
 */
export async function openTreeLister(run: RunCommand, workspace: string, folder: string): Promise<ListTree> {
  const inside = await gitText(run, workspace, ['rev-parse', '--is-inside-work-tree']).catch(() => '')
  if (inside.trim() === 'true') return treeLister(run, workspace)
  const dir = join(folder, 'git')
  await gitText(run, folder, ['init', '-q', '--bare', dir])
  return treeLister(run, workspace, { GIT_DIR: dir, GIT_WORK_TREE: workspace })
}

const splitPaths = (text: string) => text.split('\0').filter((path) => path !== '')
