// Comparison of protected paths before and after commands. New files at these paths are renamed, changed
// links are restored, and new rebase steps that start programs are removed.
import { lstatSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathExists } from '../base/files/path-lookup.ts'
import { inDirectory } from '../base/files/pinned-directory.ts'
import { absentSettings, type FoundPlaces } from './folder-places.ts'
import { type ProtectedLink, realOf } from './git-places.ts'
import { isHarmlessRepository } from './harmless-repository.ts'
import { readTodoLists, removeNewPrograms, type TodoLists } from './rebase-todo.ts'
import { layoutAt } from './repository-index.ts'

/** The state of protected paths before the commands, for a comparison after them. */
export interface ProtectedState {
  entries: Set<string>
  links: ProtectedLink[]
  bare: Set<string>
  histories: Set<string>
  /** Paths of git settings that did not exist before the commands. */
  absent: Set<string>
  /** Targets of protected links, if the targets did not exist before the commands. */
  dangling: Set<string>
  todos: TodoLists
}

export function captureState(places: FoundPlaces): ProtectedState {
  return {
    entries: new Set(places.entries),
    links: [...places.links],
    bare: new Set(places.bare),
    histories: new Set(places.histories),
    absent: new Set(absentSettings([...places.histories, ...places.bare])),
    dangling: new Set(places.dangling),
    todos: readTodoLists(places.histories),
  }
}

/**
 * Renames new files and directories at protected paths, restores changed links and removes new rebase steps
 * that start programs. Of a new repository, the file HEAD is renamed unless the settings are harmless.
 * `isOpened` returns true for paths that the user has opened to commands. Returns texts about the paths and
 * steps, also about a path that could not be renamed.
 */
export function restoreState(
  before: ProtectedState,
  now: FoundPlaces,
  isOpened: (path: string) => boolean,
): string[] {
  const refused: string[] = []
  const move = (path: string) => {
    if (!isOpened(path)) refused.push(setAside(path))
  }
  for (const link of before.links) if (!isOpened(link.path)) refused.push(...restoreLink(link))
  const isRestored = new Set(before.links.map(({ path }) => path))
  for (const path of now.entries)
    if (!before.entries.has(path) && !isRestored.has(path) && !isHarmless(path, before)) move(path)
  for (const path of [...before.absent, ...before.dangling]) if (pathExists(path)) move(path)
  for (const dir of new Set([...now.bare, ...now.histories])) {
    const isKnown = before.bare.has(dir) || before.histories.has(dir) || basename(dir) === '.git'
    // Without its file HEAD, the directory is not a repository any more for git.
    if (!isKnown && pathExists(dir) && !isHarmlessRepository(dir)) move(join(dir, 'HEAD'))
  }
  return [...refused, ...removeNewPrograms(before.todos, now.histories)]
}

/** Returns true for a new `.git` whose settings do not make git start a program, or that no longer exists. */
function isHarmless(path: string, { histories }: ProtectedState): boolean {
  if (basename(path) !== '.git') return false
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return true
  if (stat.isDirectory()) return isHarmlessRepository(path)
  const layout = stat.isFile() ? layoutAt(dirname(path)) : undefined
  if (layout?.top !== dirname(path)) return false
  const isKnown = (dir: string) => {
    const real = realOf(resolve(dir))
    return real !== undefined && (histories.has(real) || isHarmlessRepository(real))
  }
  return isKnown(layout.gitDir) && isKnown(layout.commonDir)
}

/**
 * Renames an entry so that no program uses it. Does not follow links in its path. Returns a text about it,
 * with the new name if the rename succeeded.
 */
function setAside(path: string): string {
  const name = basename(path)
  const aside = inDirectory(dirname(path), ({ at }) => {
    let free = `${name}.refused`
    for (let i = 2; pathExists(at(free)); i++) free = `${name}.refused-${i}`
    try {
      renameSync(at(name), at(free))
      return free
    } catch {
      return undefined
    }
  })
  const to = aside === undefined ? '' : `, now ${aside}`
  return `${path}${to}: it can decide what runs later, check it before you use it`
}

function restoreLink({ path, target }: ProtectedLink): string[] {
  const name = basename(path)
  const isThere = inDirectory(dirname(path), ({ at }) => targetOf(at(name)) === target)
  if (isThere !== false) return []
  const lines = pathExists(path) ? [setAside(path)] : []
  const isBack = inDirectory(dirname(path), ({ at }) => {
    try {
      symlinkSync(target, at(name))
      return true
    } catch {
      return false
    }
  })
  return isBack ? [...lines, `${path}: restored as a link to ${target}`] : lines
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // The path is not a link, or does not exist.
    return undefined
  }
}
