// Search for the git repositories that a sandboxed command can reach, their settings and their history.
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readSmall } from '../base/files/open-file.ts'
import { pathExists } from '../base/files/path-lookup.ts'
import type { GitLayout } from '../process/git/git-layout.ts'
import { type IndexMemory, layoutAt, readIndexOf } from './repository-index.ts'
import { isBelow } from './sandbox-mounts.ts'

/** Files and directories of a repository that git reads as settings or starts as programs. */
const settingNames = [
  ...[
    'config',
    'config.worktree',
    'hooks',
    'info',
    'commondir',
    'gitdir',
    'worktrees',
    'remotes',
    'branches',
  ],
]

/**
 * Matches git settings whose values name programs or further settings files. A group contains the first word
 * of the value.
 */
const programKeys = new RegExp(
  [
    String.raw`^\s*(hookspath|path|fsmonitor|sshcommand|editor|pager|clean|smudge|process|command|textconv|`,
    String.raw`driver|helper|cmd|program|askpass|gitproxy)\s*=\s*"?!?\s*([^\s";#]+)`,
  ].join(''),
  'gim',
)

/**
 * Largest number of directories in one repository that are searched for submodules. Further ones are skipped.
 */
const maxModules = 500

/** A link whose name is protected, with its target. */
export interface ProtectedLink {
  path: string
  target: string
}

interface GitPlaces {
  /** Real paths of the directories with the history and settings of repositories, such as `.git`. */
  histories: Set<string>
  /**
   * Real paths that decide which programs git starts: those in the directories of repositories, and those in
   * the command's directories that the configuration of a repository names.
   */
  settings: Set<string>
  /** Links that git reads as settings, with their targets. */
  links: ProtectedLink[]
  /** Those of `histories` that are not in the directories of the command. */
  outside: Set<string>
  /** Directories outside those of the command with git objects that a repository uses as alternates. */
  borrowed: Set<string>
  /** Top directories of checkouts that contain a directory of the command. */
  tops: Set<string>
  /** Absolute paths of submodules in the directories of the command. */
  submodules: Set<string>
  /** Directories of every checkout that was found, by the path of its top directory. */
  checkouts: Map<string, GitLayout>
}

/**
 * Search for repositories. The constructor finds those whose checkouts contain `folders`; `addCheckout`
 * adds those below.
 */
export class GitSearch {
  readonly places: GitPlaces = {
    histories: new Set(),
    settings: new Set(),
    links: [],
    outside: new Set(),
    borrowed: new Set(),
    tops: new Set(),
    submodules: new Set(),
    checkouts: new Map(),
  }
  readonly #folders: readonly string[]
  readonly #indexes: IndexMemory

  constructor(folders: readonly string[], indexes: IndexMemory) {
    this.#folders = folders
    this.#indexes = indexes
    for (const folder of folders) {
      const layout = layoutAt(folder)
      if (!layout) continue
      this.#addLayout(layout)
      if (layout.top !== folder && !this.#isInside(layout.top)) this.places.tops.add(layout.top)
      this.#addSubmodules(layout)
    }
  }

  /**
   * Adds a checkout below a directory of the command. If its repository is outside these directories, it is
   * added only if the repository is known or lists the checkout as a worktree.
   */
  addCheckout(top: string): void {
    const layout = layoutAt(top)
    if (layout?.top !== top) return
    const isKnown = (dir: string) => [...this.places.histories].some((one) => isBelow(dir, one))
    const isOurs = [layout.gitDir, layout.commonDir].every((dir) => {
      const real = realOf(dir)
      return (
        real !== undefined && (this.#isInside(real) || isKnown(real) || listsWorktree(layout.gitDir, top))
      )
    })
    if (isOurs) this.#addLayout(layout)
  }

  /**
   * Adds the settings in the repository directory `dir`, and the files in the command's directories that its
   * file `config` names. `top` is the checkout of the repository.
   */
  addSettings(dir: string, top: string): void {
    const { settings, links } = this.places
    for (const name of settingNames) {
      const path = join(dir, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) })
      const real = stat && realOf(path)
      if (real !== undefined) settings.add(real)
    }
    for (const path of programsIn(join(dir, 'config'), top)) {
      const real = realOf(path)
      if (real !== undefined && this.#folders.some((folder) => real !== folder && isBelow(real, folder)))
        settings.add(real)
    }
  }

  #isInside(path: string): boolean {
    return this.#folders.some((folder) => isBelow(path, folder))
  }

  #addLayout(layout: GitLayout): void {
    const { top, gitDir, commonDir } = layout
    this.places.checkouts.set(top, layout)
    for (const dir of new Set([gitDir, commonDir])) {
      const real = realOf(dir)
      if (real !== undefined) this.#addRepository(real, top)
    }
  }

  #addSubmodules(layout: GitLayout): void {
    for (const path of readIndexOf(layout, this.#indexes)?.submodules ?? []) {
      if (!this.#isInside(path) || this.places.submodules.has(path)) continue
      this.places.submodules.add(path)
      const inner = layoutAt(path)
      if (inner?.top !== path) continue
      this.addCheckout(path)
      this.#addSubmodules(inner)
    }
  }

  #addRepository(dir: string, top: string): void {
    const { histories, outside, borrowed } = this.places
    if (histories.has(dir)) return
    histories.add(dir)
    if (!this.#isInside(dir)) outside.add(dir)
    this.addSettings(dir, top)
    for (const module of findModules(join(dir, 'modules'))) this.#addRepository(module, top)
    for (const path of linksIn(dir)) {
      const owner = dirname(realOf(path) ?? path)
      if (owner !== dir && pathExists(join(owner, 'HEAD'))) this.#addRepository(owner, top)
    }
    for (const objects of findBorrowed(join(dir, 'objects')))
      if (!this.#isInside(objects)) borrowed.add(objects)
  }
}

/**
 * Returns the paths that the file `config` of a repository names as programs or settings. Relative paths
 * start at its checkout `top`, those of further settings files at the directory of `config`.
 */
function programsIn(config: string, top: string): string[] {
  return [...textOf(config).matchAll(programKeys)].flatMap(([, key = '', word = '']) => {
    const isPath = /^(?:hookspath|path)$/i.test(key)
    if (!isPath && !word.includes('/')) return []
    const from = /^path$/i.test(key) ? dirname(config) : top
    return [resolve(from, word)]
  })
}

/** Returns true if the repository of a linked worktree lists the worktree under the path `top`. */
const listsWorktree = (gitDir: string, top: string) =>
  resolve(gitDir, textOf(join(gitDir, 'gitdir')).trim()) === join(top, '.git')

/**
 * Returns the paths of the repositories of submodules in the directory `modules`. Their names may contain
 * slashes. Reads at most `maxModules` directories.
 */
function findModules(modules: string): string[] {
  const todo = [modules]
  const repositories: string[] = []
  for (let i = 0; i < todo.length && i < maxModules; i++) {
    const dir = todo[i] as string
    const names = directoriesIn(dir)
    if (pathExists(join(dir, 'HEAD'))) repositories.push(dir)
    else todo.push(...names.map((name) => join(dir, name)))
  }
  return repositories
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  } catch {
    return []
  }
}

/**
 * Returns the paths of the links directly in the directory of a repository. A second working directory can
 * have them, to share files of the first.
 */
function linksIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((one) =>
      one.isSymbolicLink() ? [join(dir, one.name)] : [],
    )
  } catch {
    return []
  }
}

/**
 * Returns the object directories of other repositories that a repository uses (git alternates), including
 * those that they use. At most 20 lists of alternates are read.
 */
function findBorrowed(objects: string): string[] {
  const borrowedObjects = new Set<string>()
  const todo = [objects]
  for (let i = 0; i < todo.length && i < 20; i++) {
    const dir = todo[i] as string
    for (const line of textOf(join(dir, 'info', 'alternates')).split('\n')) {
      const real = line === '' || line.startsWith('#') ? undefined : realOf(resolve(dir, line))
      if (real === undefined || borrowedObjects.has(real)) continue
      borrowedObjects.add(real)
      todo.push(real)
    }
  }
  return [...borrowedObjects]
}

function textOf(path: string): string {
  try {
    return readSmall(path) ?? ''
  } catch {
    return ''
  }
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
