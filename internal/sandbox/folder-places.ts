// What of the folders of a wall is guarded or secret: found by name, and remembered while unchanged.
import { lstatSync, mkdirSync, readdirSync, realpathSync, renameSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import {
  guardedName,
  guardedNames,
  guardedTopOf,
  isSensitive,
  mayMatter,
} from '../policy/paths/sensitive-names.ts'
import { findGitLayout } from '../process/git/git-layout.ts'
import { type FolderPlaces, isBelow } from './wall-mounts.ts'

/** Looked through breadth first: what lies nearer to the top is found first. */
const maxFolders = 4000

/** Folders of packages and results, where names say nothing and files are many. */
export const packageFolders: ReadonlySet<string> = new Set([
  ...[
    'node_modules',
    'bower_components',
    '.venv',
    'venv',
    'site-packages',
    '__pycache__',
    'vendor',
    'target',
  ],
  ...['dist', 'build', 'out', '.next', '.nuxt', '.gradle', '.tox', '.mypy_cache', '.pytest_cache', '.cache'],
])

/** Below the root: what the kernel shows, in a wall laid anew. */
export const kernelFolders: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev'])

/** What git starts or obeys, in a folder `.git`. */
const gitSettings = ['config', 'config.worktree', 'hooks', 'info', 'modules', 'commondir', 'worktrees']

interface SeenFolder {
  /** When anything of it changed; unlike the time of its content no command can set it back. */
  changed: number
  folders: readonly string[]
  /** Names that matter: guarded or secret ones. */
  telling: readonly { name: string; isFolder: boolean }[]
  /** First parts of guarded names that something lies at. */
  guardedTops: ReadonlySet<string>
}

/** What was seen of folders earlier in this session, by their paths. */
export type FolderMemory = Map<string, SeenFolder>

/** `all` is false when there were too many folders to look through. */
export function findFolderPlaces(
  folders: readonly string[],
  memory: FolderMemory,
): FolderPlaces & { all: boolean } {
  const guarded = new Set<string>()
  const secretFiles = new Set<string>()
  const secretFolders = new Set<string>()
  const histories = new Set<string>()
  const repositories = new Set<string>()
  const todo = [...folders]
  for (let i = 0; i < todo.length && i < maxFolders; i++) {
    const dir = todo[i] as string
    const root = folders.find((folder) => isBelow(dir, folder)) ?? dir
    const seen = lookAt(dir, memory)
    for (const { name, isFolder } of seen?.telling ?? []) {
      const path = join(dir, name)
      const row = guardedName(relative(root, path))
      if (name === '.git' && isFolder) addHistory(path)
      else if (row !== undefined) addGuarded(ascend(path, row.split('/').length - 1))
      else if (isSensitive(relative(root, path))) addSecret(path)
    }
    for (const name of seen?.folders ?? []) {
      const path = join(dir, name)
      if (!secretFolders.has(path) && !kernelFolders.has(path)) todo.push(path)
    }
  }
  for (const folder of folders) {
    const layout = findGitLayout(folder)
    for (const dir of layout ? [layout.gitDir, layout.commonDir] : []) {
      addHistory(dir)
      if (!folders.some((one) => dir !== one && isBelow(dir, one))) repositories.add(dir)
    }
  }
  return {
    ...{ guarded: [...guarded], secretFiles: [...secretFiles], secretFolders: [...secretFolders] },
    ...{ histories: [...histories], repositories: [...repositories], all: todo.length <= maxFolders },
  }

  function addHistory(path: string) {
    histories.add(path)
    for (const name of gitSettings) if (exists(join(path, name))) guarded.add(join(path, name))
  }
  function addGuarded(path: string) {
    const real = realOf(path)
    if (real !== undefined && folders.some((one) => real !== one && isBelow(real, one))) guarded.add(real)
  }
  function addSecret(path: string) {
    const real = realOf(path)
    if (real === undefined || folders.includes(real)) return
    ;(lstatSync(real).isDirectory() ? secretFolders : secretFiles).add(real)
  }
}

/**
 * Gives what a command has made in guarded places a name that nobody obeys; `made` were absent before.
 * Returns what was found, with the new name where it could be given.
 */
export function setAside(made: readonly string[]): string[] {
  return made.map((path) => {
    let aside = `${path}.refused`
    for (let i = 2; exists(aside); i++) aside = `${path}.refused-${i}`
    try {
      renameSync(path, aside)
      return `${path}, now ${basename(aside)}`
    } catch {
      return path
    }
  })
}

/** Gives repositories the folders that git makes in new ones: a wall can only lock what is there. */
export function guardHistories(histories: readonly string[]): string[] {
  const repositories = histories.filter((dir) => exists(join(dir, 'objects')))
  const missing = repositories
    .flatMap((dir) => [join(dir, 'hooks'), join(dir, 'info')])
    .filter((path) => !exists(path))
  for (const path of missing) mkdirSync(path)
  return missing
}

/** Settings that repositories do not have and that lead git elsewhere. */
export const absentSettings = (histories: readonly string[]) =>
  histories
    .flatMap((dir) => [join(dir, 'commondir'), join(dir, 'config.worktree')])
    .filter((path) => !exists(path))

/** Guarded places that a folder does not have, to be compared with what it has later. */
export function absentGuarded(folder: string, memory: FolderMemory): string[] {
  const there = lookAt(folder, memory)?.guardedTops
  // a hundred looks before and after each command would mostly be for what is not there
  const isAbsent = (name: string) =>
    there?.has(name.split('/', 1)[0] as string) === false || !exists(join(folder, name))
  return guardedNames.filter(isAbsent).map((name) => join(folder, name))
}

/** Undefined for what cannot be listed. */
function lookAt(dir: string, memory: FolderMemory): SeenFolder | undefined {
  try {
    const changed = lstatSync(dir).ctimeMs
    const known = memory.get(dir)
    if (known?.changed === changed) return known
    const folders: string[] = []
    const telling: SeenFolder['telling'][number][] = []
    const guardedTops = new Set<string>()
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const { name } = entry
      const isFolder = entry.isDirectory()
      if (mayMatter(name)) telling.push({ name, isFolder })
      const top = guardedTopOf(name)
      if (top !== undefined) guardedTops.add(top)
      if (isFolder && name !== '.git' && !packageFolders.has(name)) folders.push(name)
    }
    const seen = { changed, folders, telling, guardedTops }
    // what changes within the same tick of the file system's clock looks unchanged
    if (Date.now() - changed > 100) memory.set(dir, seen)
    return seen
  } catch {
    // gone meanwhile, or not ours to read: then not the command's either
    return undefined
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // below a file there is nothing
    return false
  }
}

function ascend(path: string, levels: number): string {
  return levels === 0 ? path : ascend(path.slice(0, path.lastIndexOf('/')), levels - 1)
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    // a link to nothing holds nothing
    return undefined
  }
}
