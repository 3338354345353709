// Git trees: made, compared and unpacked without touching anybody's index or files.

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

/** A path that two trees have different content, mode or kind at; undefined where a tree does not have it. */
export interface TreeDifference {
  path: string
  from: TreeEntry | undefined
  to: TreeEntry | undefined
}

/** Where git objects are and where private indexes may be written. */
export interface GitRepository {
  run: RunCommand
  /** Any directory inside the repository. */
  top: string
  /** Folder for private indexes, below the data directory. */
  scratch: string
  /** Folder of the repository's configuration. */
  commonDir?: string
  signal?: AbortSignal
  /** A person has trusted the repository, so that its content filters run. */
  trusted?: boolean
  /** What was found out about the repository's settings, for as long as it stays true. */
  known?: { filters: FilterMemory; settings: Map<string, string> }
}

/** Subcommands that may start the filters of the person; the others start nothing, hooks being off. */
const filtering = new Set(['add', 'checkout-index', 'worktree', 'hash-object'])

/** Objects are what their names say, and nothing is fetched that is not there. */
const faithful = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' }

const long = { timeoutMs: 600_000, keepBytes: 256 << 20 }
let count = 0

/** Runs `work` with the path of an index of its own, which is gone afterwards. */
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
 * What git prints, in `cwd` (the top of the checkout unless said otherwise), with a private index if given,
 * and with `files` as the folder that it writes to instead of the checkout.
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
 * The tree of a checkout as it is: tracked files, and untracked ones that are not ignored; without what lies
 * below one of `without`. Starts from a copy of the checkout's own index, so that only changed files are
 * read.
 */
export async function snapshotTree(
  repo: GitRepository,
  checkout: { top: string; gitDir: string },
  without: readonly string[],
): Promise<string> {
  return withPrivateIndex(repo, async (index) => {
    await copyIndex(checkout, index)
    const at = { index, cwd: checkout.top }
    // `add` names an ignored folder among its exclusions as an error; leaving it out afterwards does not
    await runGit(repo, ['add', '--all', '--', '.'], at)
    if (without.length > 0)
      await runGit(
        repo,
        ['rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', ...without.map(literal)],
        at,
      )
    return (await runGit(repo, ['write-tree'], at)).trim()
  })
}

/**
 * Copies a checkout's index with its time. Git trusts what it has noted of a file unless the file is as young
 * as the index: a copy that looked younger would hide changes made within the same second. False when there
 * is none.
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

/** Whole seconds: that is how git compares. */
export async function setFileTime(path: string, ms: number): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  await utimes(path, seconds, seconds)
}

const literal = (path: string) => `:(top,literal)${path}`

/** Every file of a tree. */
export async function listTree(repo: GitRepository, tree: string): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>()
  for (const row of (await runGit(repo, ['ls-tree', '-r', '-z', '--full-tree', tree])).split('\0')) {
    const match = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(row)
    if (match) found.set(match[3] as string, { mode: match[1] as string, id: match[2] as string })
  }
  return found
}

/** What changes from one tree to another, by path; a rename is a removal and an addition. */
export async function compareTrees(repo: GitRepository, from: string, to: string): Promise<TreeDifference[]> {
  if (from === to) return []
  const rows = (
    await runGit(repo, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to])
  ).split('\0')
  const found: TreeDifference[] = []
  for (let i = 0; i + 1 < rows.length; i += 2) {
    const [, modeA = '', modeB = '', idA = '', idB = ''] =
      /^:(\d+) (\d+) (\w+) (\w+)/.exec(rows[i] ?? '') ?? []
    const side = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id })
    found.push({ path: rows[i + 1] as string, from: side(modeA, idA), to: side(modeB, idB) })
  }
  return found
}

/** The tree that is `onto` with these paths as they are in the differences' `to`. */
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

/** Lines for `update-index --index-info`; removals first, so that a file can take a folder's name. */
export function indexInfo(changes: readonly TreeDifference[]): string {
  const gone = changes.flatMap(({ path, from, to }) =>
    to === undefined ? [`0 ${'0'.repeat(from?.id.length ?? 40)}\t${path}\0`] : [],
  )
  const there = changes.flatMap(({ path, to }) => (to ? [`${to.mode} ${to.id}\t${path}\0`] : []))
  return [...gone, ...there].join('')
}

/** The tree of a commit or tree-ish; undefined when it does not exist. */
export async function resolveTree(repo: GitRepository, name: string): Promise<string | undefined> {
  return found(runGit(repo, ['rev-parse', '--verify', '-q', `${name}^{tree}`]))
}

export async function resolveCommit(
  repo: GitRepository,
  name: string,
  cwd = repo.top,
): Promise<string | undefined> {
  return found(runGit(repo, ['rev-parse', '--verify', '-q', `${name}^{commit}`], { cwd }))
}

async function found(answer: Promise<string>): Promise<string | undefined> {
  try {
    return (await answer).trim()
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'command_failed') return undefined
    throw error
  }
}

/** A patch that turns `from` into `to`, binary files included. */
export function createPatch(repo: GitRepository, from: string, to: string): Promise<string> {
  return runGit(repo, ['diff', '--binary', '--full-index', '--no-renames', '--no-color', from, to])
}

/** Writes a tree's files into a directory that has none of them, filters applied as in any checkout. */
export async function unpackTree(repo: GitRepository, tree: string, dir: string): Promise<void> {
  makeDirectory(dir, 0o700)
  const args = ['read-tree', '--reset', '-u', '--no-sparse-checkout', tree]
  await withPrivateIndex(repo, (index) => runGit(repo, args, { index, files: dir }))
}

/**
 * Compares what lies in `dir` with the objects that the tree names; `paths`: only these. Throws
 * MeasurementStopped when an object holds something else than its name says: best would be another program
 * under the same hash.
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
  // as git would take them in again: line ends and encodings that the tree itself asks for are no difference
  const gitDir = repo.commonDir ?? (await runGit(repo, ['rev-parse', '--absolute-git-dir'])).trim()
  const at = { files: dir, cwd: dir, gitDir, input }
  const ids = await runGit(repo, ['hash-object', '--stdin-paths'], at).catch(() => '')
  const found = ids.split('\n')
  const wrong = different.find((path) => found[there.indexOf(path)] !== files.get(path)?.id)
  if (wrong === undefined) return
  const detail = `${wrong} is not what git has recorded: an object of the repository was changed`
  throw lockViolation(detail, 'base')
}
