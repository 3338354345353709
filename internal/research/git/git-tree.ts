// Git trees, created, compared and unpacked without changes to the user's index or files.

import { copyFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { FilterMemory } from '../../process/git/filter-memory.ts'
import { gitText } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { lockViolation } from '../measure/measurement-stopped.ts'
import { differingFiles } from './file-verification.ts'

/** One file of a tree: mode and object, as git names them. */
export interface TreeEntry {
  mode: string
  id: string
}

/**
 * A path whose content, mode or kind differs between two trees. A side is undefined if that tree
 * lacks the path.
 */
export interface TreeDifference {
  path: string
  from: TreeEntry | undefined
  to: TreeEntry | undefined
}

/** The repository in which git commands run, with a directory for temporary index files. */
export interface GitRepository {
  run: RunCommand
  /** Any directory inside the repository. */
  top: string
  /** Directory for temporary index files, below the data directory. */
  scratch: string
  /** Git directory that all checkouts share, with the configuration of the repository. */
  commonDir?: string
  signal?: AbortSignal
  /** True if the user has trusted the repository, so that its content filters run. */
  trusted?: boolean
  /** Settings of the repository, cached until their files change. */
  known?: { filters: FilterMemory; settings: Map<string, string> }
}

/**
 * Git subcommands that may start content filters of the user even if `files` is not set. All others start no
 * program then, because hooks are turned off.
 */
const filtering = new Set(['add', 'checkout-index', 'worktree', 'hash-object'])

/** Environment in which git neither replaces objects nor downloads missing ones. */
const faithful = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' }

const long = { timeoutMs: 600_000, keepBytes: 256 << 20 }
let count = 0

/** Runs `work` with the path of a new temporary index, and removes the index afterwards. */
export async function withPrivateIndex<T>(
  repo: GitRepository,
  work: (index: string) => Promise<T>,
): Promise<T> {
  makeDirectory(repo.scratch, 0o700)
  const index = join(repo.scratch, `index-${process.pid}-${++count}`)
  try {
    return await work(index)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/**
 * Runs git in `cwd` (default: `repo.top`) and returns its output. `index` is a temporary index to use, and
 * `files` a directory to use as the work tree instead of the checkout. Throws FailureError if git fails.
 */
export async function runGit(
  repo: GitRepository,
  args: readonly string[],
  {
    index,
    input,
    cwd = repo.top,
    files,
    gitDir,
  }: { index?: string; input?: string; cwd?: string; files?: string; gitDir?: string } = {},
): Promise<string> {
  const extraEnv: Record<string, string> = { ...faithful }
  if (index !== undefined) extraEnv.GIT_INDEX_FILE = index
  if (files !== undefined) extraEnv.GIT_WORK_TREE = files
  if (gitDir !== undefined) extraEnv.GIT_DIR = gitDir
  return gitText(repo.run, cwd, args, {
    ...long,
    trusted: repo.trusted === true,
    memory: repo.known?.filters,
    childless: files === undefined && !filtering.has(args[0] ?? ''),
    signal: repo.signal,
    input,
    extraEnv,
  })
}

/**
 * Returns the current tree of a checkout: tracked files, and untracked files that are not ignored,
 * except the files and directories `without`. Starts from a copy of the checkout's index, so git reads
 * only changed files.
 */
export async function snapshotTree(
  repo: GitRepository,
  checkout: { top: string; gitDir: string },
  without: readonly string[],
): Promise<string> {
  return withPrivateIndex(repo, async (index) => {
    await copyIndex(checkout, index)
    const at = { index, cwd: checkout.top }
    // Git reports an error if an exclusion of `add` names an ignored directory, so excluded paths
    // are removed afterwards.
    await runGit(repo, ['add', '--all', '--', '.'], at)
    if (without.length > 0)
      await runGit(
        repo,
        ['rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', ...without.map(toPathspec)],
        at,
      )
    return (await runGit(repo, ['write-tree'], at)).trim()
  })
}

/**
 * Copies the index of a checkout and keeps its time. Git trusts the index about a file unless the file is as
 * new as the index, so a newer copy would hide changes made within the same second. Returns false if the
 * index is missing.
 */
export async function copyIndex({ gitDir }: { gitDir: string }, to: string): Promise<boolean> {
  const from = join(gitDir, 'index')
  try {
    await copyFile(from, to)
    await setFileTime(to, (await stat(from)).mtimeMs)
    return true
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await rm(to, { force: true })
    return false
  }
}

/**
 * Sets the time of a file. `ms` is in milliseconds and is rounded down to whole seconds, the unit in
 * which git compares.
 */
export async function setFileTime(path: string, ms: number): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  await utimes(path, seconds, seconds)
}

const toPathspec = (path: string) => `:(top,literal)${path}`

/** Returns every file of a tree, by path. */
export async function listTree(repo: GitRepository, tree: string): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  for (const row of (await runGit(repo, ['ls-tree', '-r', '-z', '--full-tree', tree])).split('\0')) {
    const match = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(row)
    if (match) entries.set(match[3] as string, { mode: match[1] as string, id: match[2] as string })
  }
  return entries
}

/** Returns the differences between two trees by path. A rename is a removal and an addition. */
export async function compareTrees(repo: GitRepository, from: string, to: string): Promise<TreeDifference[]> {
  if (from === to) return []
  const rows = (
    await runGit(repo, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to])
  ).split('\0')
  const differences: TreeDifference[] = []
  for (let i = 0; i + 1 < rows.length; i += 2) {
    const [, modeA = '', modeB = '', idA = '', idB = ''] =
      /^:(\d+) (\d+) (\w+) (\w+)/.exec(rows[i] ?? '') ?? []
    const side = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id })
    differences.push({ path: rows[i + 1] as string, from: side(modeA, idA), to: side(modeB, idB) })
  }
  return differences
}

/** Returns the tree `onto`, in which the paths of the differences have their `to` state. */
export async function graftTree(
  repo: GitRepository,
  onto: string,
  changes: readonly TreeDifference[],
): Promise<string> {
  if (changes.length === 0) return (await runGit(repo, ['rev-parse', `${onto}^{tree}`])).trim()
  return withPrivateIndex(repo, async (index) => {
    await runGit(repo, ['read-tree', onto], { index })
    await runGit(repo, ['update-index', '-z', '--replace', '--index-info'], {
      index,
      input: indexInfo(changes),
    })
    return (await runGit(repo, ['write-tree'], { index })).trim()
  })
}

/**
 * Returns the lines for `git update-index --index-info`. Removals come first, so that a file can
 * replace a directory.
 */
export function indexInfo(changes: readonly TreeDifference[]): string {
  const removals = changes.flatMap(({ path, from, to }) =>
    to === undefined ? [`0 ${'0'.repeat(from?.id.length ?? 40)}\t${path}\0`] : [],
  )
  const there = changes.flatMap(({ path, to }) => (to ? [`${to.mode} ${to.id}\t${path}\0`] : []))
  return [...removals, ...there].join('')
}

/** Returns the tree of a commit or tree-ish, or undefined if it does not exist. */
export async function resolveTree(repo: GitRepository, name: string): Promise<string | undefined> {
  return ignoreFailure(runGit(repo, ['rev-parse', '--verify', '-q', `${name}^{tree}`]))
}

export async function resolveCommit(
  repo: GitRepository,
  name: string,
  cwd = repo.top,
): Promise<string | undefined> {
  return ignoreFailure(runGit(repo, ['rev-parse', '--verify', '-q', `${name}^{commit}`], { cwd }))
}

async function ignoreFailure(answer: Promise<string>): Promise<string | undefined> {
  try {
    return (await answer).trim()
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'command_failed') return undefined
    throw error
  }
}

/** Returns a patch that turns `from` into `to`, including binary files. */
export function createPatch(repo: GitRepository, from: string, to: string): Promise<string> {
  return runGit(repo, ['diff', '--binary', '--full-index', '--no-renames', '--no-color', from, to])
}

/**
 * Writes the files of a tree into `dir`, which must not contain any of them yet. Creates `dir` if it is
 * missing. Content filters apply as in any checkout.
 */
export async function unpackTree(repo: GitRepository, tree: string, dir: string): Promise<void> {
  makeDirectory(dir, 0o700)
  const args = ['read-tree', '--reset', '-u', '--no-sparse-checkout', tree]
  await withPrivateIndex(repo, (index) => runGit(repo, args, { index, files: dir }))
}

/**
 * Compares the files in `dir` with the objects of the tree, or only the files in `paths`.
 * Differences that git makes at checkout (line ends, encodings) are accepted. Throws
 * MeasurementStopped for any other difference, because then an object of the repository was changed
 * and the best tree would be another program.
 */
export async function verifyTreeFiles(
  repo: GitRepository,
  tree: string,
  dir: string,
  paths?: readonly string[],
): Promise<void> {
  const all = await listTree(repo, tree)
  const files = paths ? new Map([...all].filter(([path]) => paths.includes(path))) : all
  const different = differingFiles(files, dir)
  if (different.length === 0) return
  const there = different.filter((path) => !path.includes('\n'))
  const input = there.map((path) => `${path}\n`).join('')
  // The files are hashed as git would add them, because the tree itself may request other line
  // ends and encodings.
  const gitDir = repo.commonDir ?? (await runGit(repo, ['rev-parse', '--absolute-git-dir'])).trim()
  const at = { files: dir, cwd: dir, gitDir, input }
  const ids = await runGit(repo, ['hash-object', '--stdin-paths'], at).catch(() => '')
  const hashes = ids.split('\n')
  const wrong = different.find((path) => hashes[there.indexOf(path)] !== files.get(path)?.id)
  if (wrong === undefined) return
  const detail = `${wrong} is not what git has recorded: an object of the repository was changed`
  throw lockViolation(detail, 'base')
}
