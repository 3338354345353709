// Trees of git made and compared without touching anybody's index or files.
import { copyFile, mkdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError } from '../base/errors.ts'
import type { Run } from '../process/command.ts'
import type { FilterMemory } from '../process/filter-memory.ts'
import { gitText } from '../process/git.ts'
import { differingFiles } from './file-verification.ts'
import { Stopped } from './stopped.ts'

/** One file of a tree: mode and object, as git names them. */
export interface Entry {
  mode: string
  id: string
}

/** A path that two trees have different content, mode or kind at; undefined where a tree does not have it. */
export interface Difference {
  path: string
  from: Entry | undefined
  to: Entry | undefined
}

/** Where git objects are and where private indexes may be written. */
export interface Shelf {
  run: Run
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
export async function withIndex<T>(shelf: Shelf, work: (index: string) => Promise<T>): Promise<T> {
  await mkdir(shelf.scratch, { recursive: true, mode: 0o700 })
  const index = join(shelf.scratch, `index-${process.pid}-${++count}`)
  try {
    return await work(index)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/**
 * What git prints, in `cwd` (the top of the checkout unless said otherwise), with a private index if given, and with
 * `files` as the folder that it writes to instead of the checkout.
 */
export async function ask(
  shelf: Shelf,
  args: readonly string[],
  {
    index,
    input,
    cwd = shelf.top,
    files,
    gitDir,
  }: { index?: string; input?: string; cwd?: string; files?: string; gitDir?: string } = {},
): Promise<string> {
  return gitText(shelf.run, cwd, args, {
    ...long,
    trusted: shelf.trusted === true,
    ...(shelf.known && { memory: shelf.known.filters }),
    childless: files === undefined && !filtering.has(args[0] ?? ''),
    ...(shelf.signal && { signal: shelf.signal }),
    ...(input !== undefined && { input }),
    extraEnv: {
      ...faithful,
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(files !== undefined && { GIT_WORK_TREE: files }),
      ...(gitDir !== undefined && { GIT_DIR: gitDir }),
    },
  })
}

/**
 * The tree of a checkout as it is: tracked files, and untracked ones that are not ignored; without what lies below
 * one of `without`. Starts from a copy of the checkout's own index, so that only changed files are read.
 */
export async function snapshot(
  shelf: Shelf,
  checkout: { top: string; gitDir: string },
  without: readonly string[],
): Promise<string> {
  return withIndex(shelf, async (index) => {
    await copyIndex(checkout, index)
    const at = { index, cwd: checkout.top }
    // `add` names an ignored folder among its exclusions as an error; leaving it out afterwards does not
    await ask(shelf, ['add', '--all', '--', '.'], at)
    if (without.length > 0)
      await ask(shelf, ['rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', ...without.map(literal)], at)
    return (await ask(shelf, ['write-tree'], at)).trim()
  })
}

/**
 * Copies a checkout's index with its time. Git trusts what it has noted of a file unless the file is as young as the
 * index: a copy that looked younger would hide changes made within the same second. False when there is none.
 */
export async function copyIndex({ gitDir }: { gitDir: string }, to: string): Promise<boolean> {
  const from = join(gitDir, 'index')
  try {
    await copyFile(from, to)
    await setTime(to, (await stat(from)).mtimeMs)
    return true
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await rm(to, { force: true })
    return false
  }
}

/** Whole seconds: that is how git compares. */
export async function setTime(path: string, ms: number): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  await utimes(path, seconds, seconds)
}

const literal = (path: string) => `:(top,literal)${path}`

/** Every file of a tree. */
export async function list(shelf: Shelf, tree: string): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  for (const row of (await ask(shelf, ['ls-tree', '-r', '-z', '--full-tree', tree])).split('\0')) {
    const match = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(row)
    if (match) found.set(match[3] as string, { mode: match[1] as string, id: match[2] as string })
  }
  return found
}

/** What changes from one tree to another, by path; a rename is a removal and an addition. */
export async function compare(shelf: Shelf, from: string, to: string): Promise<Difference[]> {
  if (from === to) return []
  const rows = (
    await ask(shelf, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to])
  ).split('\0')
  const found: Difference[] = []
  for (let i = 0; i + 1 < rows.length; i += 2) {
    const [, modeA = '', modeB = '', idA = '', idB = ''] =
      /^:(\d+) (\d+) (\w+) (\w+)/.exec(rows[i] ?? '') ?? []
    const side = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id })
    found.push({ path: rows[i + 1] as string, from: side(modeA, idA), to: side(modeB, idB) })
  }
  return found
}

/** The tree that is `onto` with these paths as they are in the differences' `to`. */
export async function graft(shelf: Shelf, onto: string, changes: readonly Difference[]): Promise<string> {
  if (changes.length === 0) return (await ask(shelf, ['rev-parse', `${onto}^{tree}`])).trim()
  return withIndex(shelf, async (index) => {
    await ask(shelf, ['read-tree', onto], { index })
    await ask(shelf, ['update-index', '-z', '--replace', '--index-info'], {
      index,
      input: indexInfo(changes),
    })
    return (await ask(shelf, ['write-tree'], { index })).trim()
  })
}

/** Lines for `update-index --index-info`; removals first, so that a file can take a folder's name. */
export function indexInfo(changes: readonly Difference[]): string {
  const gone = changes.flatMap(({ path, from, to }) =>
    to === undefined ? [`0 ${'0'.repeat(from?.id.length ?? 40)}\t${path}\0`] : [],
  )
  const there = changes.flatMap(({ path, to }) => (to ? [`${to.mode} ${to.id}\t${path}\0`] : []))
  return [...gone, ...there].join('')
}

/** The tree of a commit or tree-ish; undefined when it does not exist. */
export async function resolveTree(shelf: Shelf, name: string): Promise<string | undefined> {
  return found(ask(shelf, ['rev-parse', '--verify', '-q', `${name}^{tree}`]))
}

export async function resolveCommit(
  shelf: Shelf,
  name: string,
  cwd = shelf.top,
): Promise<string | undefined> {
  return found(ask(shelf, ['rev-parse', '--verify', '-q', `${name}^{commit}`], { cwd }))
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
export function patch(shelf: Shelf, from: string, to: string): Promise<string> {
  return ask(shelf, ['diff', '--binary', '--full-index', '--no-renames', '--no-color', from, to])
}

/** Writes a tree's files into a directory that has none of them, filters applied as in any checkout. */
export async function unpack(shelf: Shelf, tree: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const args = ['read-tree', '--reset', '-u', '--no-sparse-checkout', tree]
  await withIndex(shelf, (index) => ask(shelf, args, { index, files: dir }))
}

/**
 * Compares what lies in `dir` with the objects that the tree names; `paths`: only these. Throws Stopped when an object
 * holds something else than its name says: best would be another program under the same hash.
 */
export async function verifyFiles(
  shelf: Shelf,
  tree: string,
  dir: string,
  paths?: readonly string[],
): Promise<void> {
  const all = await list(shelf, tree)
  const files = paths ? new Map([...all].filter(([path]) => paths.includes(path))) : all
  const different = differingFiles(files, dir)
  if (different.length === 0) return
  const there = different.filter((path) => !path.includes('\n'))
  const input = there.map((path) => `${path}\n`).join('')
  // as git would take them in again: line ends and encodings that the tree itself asks for are no difference
  const gitDir = shelf.commonDir ?? (await ask(shelf, ['rev-parse', '--absolute-git-dir'])).trim()
  const at = { files: dir, cwd: dir, gitDir, input }
  const ids = await ask(shelf, ['hash-object', '--stdin-paths'], at).catch(() => '')
  const found = ids.split('\n')
  const wrong = different.find((path) => found[there.indexOf(path)] !== files.get(path)?.id)
  if (wrong === undefined) return
  const detail = `${wrong} is not what git has recorded: an object of the repository was changed`
  throw new Stopped({ arm: 'base', reason: 'lock_violation', detail })
}
