// The repositories around the folders of a sandboxed command: what git obeys in them, and where they store their history.
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readSmall } from '../base/files/small-file.ts'
import type { GitLayout } from '../process/git/git-layout.ts'
import { type IndexMemory, layoutAt, readIndexOf } from './repository-index.ts'
import { isBelow } from './wall-mounts.ts'

/** What git starts or obeys in the directory of a repository. */
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

/** Settings whose values name programs or further settings, with the first word of the value. */
const programKeys = new RegExp(
  String.raw`^\s*(hookspath|path|fsmonitor|sshcommand|editor|pager|clean|smudge|process|command|textconv|driver|` +
    String.raw`helper|cmd|program|askpass|gitproxy)\s*=\s*"?!?\s*([^\s";#]+)`,
  'gim',
)

/** More repositories inside of one are not searched for. */
const maxModules = 500

/** A link at a protected name, with what it leads to. */
export interface ProtectedLink {
  path: string
  target: string
}

export interface GitPlaces {
  /** Real paths of the directories of repositories. */
  histories: Set<string>
  /** Real paths in them that decide what git starts. */
  settings: Set<string>
  /** Links among those settings. */
  links: ProtectedLink[]
  /** Those of `histories` outside of the folders. */
  outside: Set<string>
  /** Object directories outside of the folders that a repository borrows from. */
  borrowed: Set<string>
  /** Tops of checkouts that contain a folder. */
  tops: Set<string>
  /** Absolute paths of submodules. */
  submodules: Set<string>
}

/** Finds the repositories of `folders` themselves; those below are added by `addCheckout`. */
export function findGitPlaces(folders: readonly string[], indexes: IndexMemory) {
  const places: GitPlaces = {
    ...{ histories: new Set(), settings: new Set(), links: [], outside: new Set(), borrowed: new Set() },
    ...{ tops: new Set(), submodules: new Set() },
  }
  const isInside = (path: string) => folders.some((folder) => isBelow(path, folder))
  for (const folder of folders) {
    const layout = layoutAt(folder)
    if (!layout) continue
    addLayout(layout)
    if (layout.top !== folder && !isInside(layout.top)) places.tops.add(layout.top)
    addSubmodules(layout)
  }
  return { places, addCheckout, addSettings: addSettingsOf }

  /** A checkout below a folder. One whose repository is outside counts if that repository lists it. */
  function addCheckout(top: string): void {
    const layout = layoutAt(top)
    if (layout?.top !== top) return
    const isOurs = [layout.gitDir, layout.commonDir].every((dir) => {
      const real = realOf(dir)
      return real !== undefined && (isInside(real) || isKnown(real) || lists(layout.gitDir, top))
    })
    if (isOurs) addLayout(layout)
  }
  function addLayout({ top, gitDir, commonDir }: GitLayout): void {
    for (const dir of new Set([gitDir, commonDir])) {
      const real = realOf(dir)
      if (real !== undefined) addRepository(real, top)
    }
  }
  function addSubmodules(layout: GitLayout): void {
    for (const path of readIndexOf(layout, indexes)?.submodules ?? []) {
      if (!isInside(path) || places.submodules.has(path)) continue
      places.submodules.add(path)
      const inner = layoutAt(path)
      if (inner?.top !== path) continue
      addCheckout(path)
      addSubmodules(inner)
    }
  }
  function addRepository(dir: string, top: string): void {
    if (places.histories.has(dir)) return
    places.histories.add(dir)
    if (!isInside(dir)) places.outside.add(dir)
    addSettingsOf(dir, top)
    for (const module of findModules(join(dir, 'modules'))) addRepository(module, top)
    for (const { path } of linksIn(dir)) {
      const owner = dirname(realOf(path) ?? path)
      if (owner !== dir && exists(join(owner, 'HEAD'))) addRepository(owner, top)
    }
    for (const objects of findBorrowed(join(dir, 'objects')))
      if (!isInside(objects)) places.borrowed.add(objects)
  }
  function addSettingsOf(dir: string, top: string): void {
    for (const name of settingNames) {
      const path = join(dir, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat?.isSymbolicLink()) places.links.push({ path, target: readlinkSync(path) })
      const real = stat && realOf(path)
      if (real !== undefined) places.settings.add(real)
    }
    for (const path of programsIn(join(dir, 'config'), top)) {
      const real = realOf(path)
      if (real !== undefined && folders.some((folder) => real !== folder && isBelow(real, folder)))
        places.settings.add(real)
    }
  }
  function isKnown(dir: string): boolean {
    return [...places.histories].some((one) => isBelow(dir, one))
  }
}

/** Files of a checkout that the configuration of its repository names. */
function programsIn(config: string, top: string): string[] {
  return [...textOf(config).matchAll(programKeys)].flatMap(([, key = '', word = '']) => {
    const isPath = /^(?:hookspath|path)$/i.test(key)
    if (!isPath && !word.includes('/')) return []
    const from = /^path$/i.test(key) ? dirname(config) : top
    return [resolve(from, word)]
  })
}

/** Whether the repository that a linked worktree belongs to knows it under this path. */
const lists = (gitDir: string, top: string) =>
  resolve(gitDir, textOf(join(gitDir, 'gitdir')).trim()) === join(top, '.git')

/** Repositories of submodules; their names may contain slashes. */
function findModules(modules: string): string[] {
  const todo = [modules]
  const found: string[] = []
  for (let i = 0; i < todo.length && i < maxModules; i++) {
    const dir = todo[i] as string
    const names = directoriesIn(dir)
    if (exists(join(dir, 'HEAD'))) found.push(dir)
    else todo.push(...names.map((name) => join(dir, name)))
  }
  return found
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  } catch {
    return []
  }
}

/** Links directly in the directory of a repository, such as those of a second working directory. */
function linksIn(dir: string): ProtectedLink[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((one) =>
      one.isSymbolicLink() ? [{ path: join(dir, one.name), target: readlinkSync(join(dir, one.name)) }] : [],
    )
  } catch {
    return []
  }
}

/** Object directories that a repository borrows from, with those that they borrow from in turn. */
function findBorrowed(objects: string): string[] {
  const found = new Set<string>()
  const todo = [objects]
  for (let i = 0; i < todo.length && i < 20; i++) {
    const dir = todo[i] as string
    for (const line of textOf(join(dir, 'info', 'alternates')).split('\n')) {
      const real = line === '' || line.startsWith('#') ? undefined : realOf(resolve(dir, line))
      if (real === undefined || found.has(real)) continue
      found.add(real)
      todo.push(real)
    }
  }
  return [...found]
}

function textOf(path: string): string {
  try {
    return readSmall(path) ?? ''
  } catch {
    return ''
  }
}

/** True if the directory is that of a repository by what it contains. */
export const isRepository = (dir: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => exists(join(dir, name)))

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
