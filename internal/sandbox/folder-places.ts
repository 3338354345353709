// Search for protected and secret paths by name. Results are cached while directories are unchanged.
import { type Dirent, lstatSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { isDirectory, isFile, pathExists } from '../base/files/path-lookup.ts'
import { inDirectory } from '../base/files/pinned-directory.ts'
import { guardedName, guardedTopOf, isSensitive, mayMatter } from '../policy/paths/sensitive-names.ts'
import type { GitLayout } from '../process/git/git-layout.ts'
import { GitSearch, type ProtectedLink, realOf } from './git-places.ts'
import type { IndexMemory } from './repository-index.ts'
import { type FolderPlaces, isBelow } from './sandbox-mounts.ts'
import { hasTrackedFiles } from './secret-views.ts'

/** Default limit on the directories to search. Those near the top come first, and others are skipped. */
export const usualSearchLimit = 4000

/** Directories of packages and build results, which are not searched for protected or secret names. */
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

/** Directories of the kernel at the root of the file system. They contain no files of users. */
export const kernelFolders: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev'])

type EntryKind = 'directory' | 'link' | 'file'

interface SeenFolder {
  /** Time of the last change of any kind in milliseconds since 1970, which no command can set back. */
  changed: number
  folders: readonly string[]
  /** Entries whose names may be protected or secret (see `mayMatter`). The whole path decides later. */
  telling: readonly { name: string; kind: EntryKind }[]
  /** Links in the directory that have the name of the first part of a longer protected path. */
  linkedTops: readonly string[]
  /** True if the directory contains `HEAD`, `objects` and `refs`, as a git repository does. */
  isRepository: boolean
}

/** Directories that were read before, by path. */
export type FolderMemory = Map<string, SeenFolder>

/** Protected and secret paths in the directories, with data to compare after a command. */
export interface FoundPlaces extends FolderPlaces {
  /** False if the limit ended the search early, so that some paths may be missing. */
  all: boolean
  /** Paths with a protected name that were found, except directories that only reserve names. */
  entries: ReadonlySet<string>
  links: readonly ProtectedLink[]
  /** Missing targets, inside the directories, of links with protected names. */
  dangling: readonly string[]
  /** Git checkouts in the directories, and those that contain the directories. */
  checkouts: readonly GitLayout[]
  /** Git repositories whose directory is not called `.git`. */
  bare: ReadonlySet<string>
}

interface SearchMemory {
  folders: FolderMemory
  indexes: IndexMemory
  /** Largest number of directories to search. */
  limit?: number | undefined
}

/**
 * Returns the protected and secret paths; those near the top are found first. `isStub` returns true for an
 * empty directory that the sandbox created to reserve a name; such a directory is left out.
 */
export function findFolderPlaces(
  folders: readonly string[],
  { folders: memory, indexes, limit = usualSearchLimit }: SearchMemory,
  isStub: (path: string) => boolean = () => false,
): FoundPlaces {
  const search = new PlaceSearch(folders, indexes, isStub)
  const { places } = search.git
  const roots = [...folders, ...places.tops]
  const todo = [...roots]
  for (let i = 0; i < todo.length && i < limit; i++) {
    const dir = todo[i] as string
    const seenFolder = lookAt(dir, memory)
    if (seenFolder) search.add(dir, roots.find((folder) => isBelow(dir, folder)) ?? dir, seenFolder)
    for (const name of seenFolder?.folders ?? []) {
      const path = join(dir, name)
      const isSearched = i >= folders.length && roots.includes(path)
      if (!search.secretFolders.has(path) && !kernelFolders.has(path) && !isSearched) todo.push(path)
    }
  }
  return search.result(todo.length <= limit)
}

class PlaceSearch {
  readonly git: GitSearch
  readonly secretFolders = new Set<string>()
  readonly #guarded = new Set<string>()
  readonly #secretFiles = new Set<string>()
  readonly #entries = new Set<string>()
  readonly #links: ProtectedLink[] = []
  readonly #dangling = new Set<string>()
  readonly #bare = new Set<string>()
  readonly #folders: readonly string[]
  readonly #indexes: IndexMemory
  readonly #isStub: (path: string) => boolean

  constructor(folders: readonly string[], indexes: IndexMemory, isStub: (path: string) => boolean) {
    this.#folders = folders
    this.#indexes = indexes
    this.#isStub = isStub
    this.git = new GitSearch(folders, indexes)
  }

  /** Adds protected and secret entries of a directory below `root`, and settings of a repository. */
  add(dir: string, root: string, { telling, linkedTops, isRepository }: SeenFolder): void {
    for (const { name, kind } of telling) {
      const path = join(dir, name)
      const row = guardedName(relative(root, path))
      if (row !== undefined) this.#addProtected(path, row, kind)
      else if (isSensitive(relative(root, path))) this.#addSecret(path)
    }
    for (const name of linkedTops) this.#addLink(join(dir, name))
    if (!isRepository || this.git.places.histories.has(dir) || !this.#isOwn(dir)) return
    this.#bare.add(dir)
    this.git.addSettings(dir, dir)
  }

  result(all: boolean): FoundPlaces {
    const { histories, outside, borrowed, tops, settings, links, submodules, checkouts } = this.git.places
    const files = [...submodules].map((path) => join(path, '.git'))
    for (const path of files) if (pathExists(path)) this.#entries.add(path)
    for (const path of [...settings, ...files.filter(isFile)]) this.#guarded.add(path)
    return {
      guarded: [...this.#guarded],
      secretFiles: [...this.#secretFiles],
      all,
      secretFolders: [...this.secretFolders],
      histories: [...histories],
      repositories: [...outside],
      borrowed: [...borrowed],
      tops: [...tops],
      entries: this.#entries,
      bare: this.#bare,
      links: [...this.#links, ...links.filter(({ path }) => this.#isOwn(path))],
      dangling: [...this.#dangling],
      checkouts: [...checkouts.values()],
    }
  }

  #isOwn(path: string): boolean {
    return this.#folders.some((one) => path !== one && isBelow(path, one))
  }

  #addProtected(path: string, row: string, kind: EntryKind): void {
    if (kind === 'directory' && this.#isStub(path)) return
    this.#entries.add(path)
    if (kind === 'link') this.#addLink(path)
    if (row === '.git') {
      const dir = dirname(path)
      if (!this.git.places.tops.has(dir)) this.git.addCheckout(dir)
      if (kind === 'directory' || isDirectory(path)) return
    }
    this.#addGuarded(toAncestor(path, row.split('/').length - 1))
  }

  #addGuarded(path: string): void {
    const real = realOf(path)
    if (real !== undefined && this.#isOwn(real)) this.#guarded.add(real)
  }

  #addLink(path: string): void {
    const target = readlinkSync(path)
    this.#links.push({ path, target })
    const leads = resolve(dirname(path), target)
    if (realOf(path) === undefined && this.#isOwn(leads)) this.#dangling.add(leads)
    if (basename(path) !== '.git') this.#addGuarded(path)
  }

  #addSecret(path: string): void {
    const real = realOf(path)
    if (real === undefined || this.#folders.includes(real)) return
    if (!isDirectory(real)) this.#secretFiles.add(real)
    else if (hasTrackedFiles(real, this.#indexes))
      for (const file of filesBelow(real)) this.#secretFiles.add(file)
    else this.secretFolders.add(real)
  }
}

/**
 * Creates the missing directories `hooks` and `info` of repositories, which git would create later, because a
 * sandbox can only protect paths that exist. Returns their paths.
 */
export function guardHistories(histories: readonly string[]): string[] {
  const repositories = histories.filter((dir) => pathExists(join(dir, 'objects')))
  const missing = repositories
    .flatMap((dir) => [join(dir, 'hooks'), join(dir, 'info')])
    .filter((path) => !pathExists(path))
  for (const path of missing) mkdirSync(path)
  return missing
}

/** Returns paths of missing settings that, once created, would lead git elsewhere or start programs. */
export const absentSettings = (repositories: Iterable<string>) =>
  [...repositories]
    .flatMap((dir) => ['commondir', 'config.worktree', 'hooks', 'config'].map((name) => join(dir, name)))
    .filter((path) => !pathExists(path))

/** Returns subdirectories and names that may be protected or secret; undefined if it cannot be listed. */
function lookAt(dir: string, memory: FolderMemory): SeenFolder | undefined {
  try {
    const changed = lstatSync(dir).ctimeMs
    const cachedFolder = memory.get(dir)
    if (cachedFolder?.changed === changed) return cachedFolder
    const seenFolder = { changed, ...readNames(dir) }
    // A further change within one tick of the clock would not be noticed.
    if (Date.now() - changed > 100) memory.set(dir, seenFolder)
    return seenFolder
  } catch {
    // The directory was removed or is not readable, so a command cannot read it either.
    return undefined
  }
}

function readNames(dir: string): Omit<SeenFolder, 'changed'> {
  const folders: string[] = []
  const telling: SeenFolder['telling'][number][] = []
  const linkedTops: string[] = []
  let parts = 0
  for (const entry of listDirectory(dir)) {
    const { name } = entry
    const kind = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'file'
    if (mayMatter(name)) telling.push({ name, kind })
    if (name === 'HEAD' || name === 'objects' || name === 'refs') parts++
    const top = guardedTopOf(name)
    if (top !== undefined && kind === 'link' && guardedName(name) === undefined) linkedTops.push(name)
    if (kind === 'directory' && name !== '.git' && !packageFolders.has(name)) folders.push(name)
  }
  return { folders, telling, linkedTops, isRepository: parts === 3 }
}

/** Returns the entries of a directory, even if a command has removed the user's right to read it. */
function listDirectory(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    return inDirectory(dir, ({ at }) => readdirSync(at('.'), { withFileTypes: true })) ?? []
  }
}

/** Number of files of one secret directory after which no further subdirectory of it is listed. */
const maxSecretFiles = 1000

/** Returns the files below a directory, without `.git`. After `maxSecretFiles`, no subdirectory is read. */
function filesBelow(dir: string): string[] {
  const files: string[] = []
  const todo = [dir]
  for (let at = todo.pop(); at !== undefined && files.length < maxSecretFiles; at = todo.pop())
    for (const entry of listDirectory(at)) {
      if (entry.isDirectory()) {
        if (entry.name !== '.git') todo.push(join(at, entry.name))
      } else if (entry.isFile()) files.push(join(at, entry.name))
    }
  return files
}

function toAncestor(path: string, levels: number): string {
  return levels === 0 ? path : toAncestor(path.slice(0, path.lastIndexOf('/')), levels - 1)
}
