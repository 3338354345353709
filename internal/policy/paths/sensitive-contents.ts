// The search for sensitive paths in a directory that a command names: guarded files, and names that
// may contain secrets.

import type { OperandAccess } from '../part-effects.ts'
import type { PathRoots } from '../policy.ts'
import type { DiskView } from './disk-view.ts'
import { isWithin, judgeOperand, type ResolvedPath, resolvePath } from './path-jail.ts'
import { mayMatter } from './sensitive-names.ts'

/**
 * A sensitive path below a named directory. Without `place`, the directory was too large to search or could
 * not be read.
 */
export interface SensitiveContent {
  /** The directory that was searched, in its form for screens. */
  folder: string
  place?: ResolvedPath
  /** True if the command touches the path although none of its words names the path or its directory. */
  unnamed?: true
}

export interface SensitiveScanOptions {
  /**
   * What the command may do with the content. Writes are checked against paths that may not be written, reads
   * against paths that may not be read.
   */
  access: OperandAccess
  /** Matches names that the command never touches, which are skipped. */
  skip?: RegExp
}

/** The number of entries that may still be read for all directories of a command line. */
export interface SensitiveScanBudget {
  entries: number
}

/**
 * Names of directories of installed packages, which are not searched, because their many files belong
 * to other projects.
 */
const packages = new Set(['node_modules', '.venv', 'venv', '__pycache__', 'site-packages'])

/**
 * Returns the first path below `folder` for each kind of objection, such as protected or secret, nearest
 * directories first. The search ends with the directory of the first objection, for a write of the second. If
 * a directory is too large or unreadable, the last result has no `place`. Links are not entered, only judged
 * by their names and targets.
 */
export function findSensitiveContents(
  folder: ResolvedPath,
  roots: PathRoots,
  disk: DiskView,
  budget: SensitiveScanBudget,
  options: SensitiveScanOptions,
): SensitiveContent[] {
  const contents = new Map<string, SensitiveContent>()
  const contentLimit = options.access === 'write' ? 2 : 1
  const todo = [folder.real]
  const protectedDirs = [...roots.protected, ...(roots.own ?? [])].filter((dir) => isWithin(dir, folder.real))
  for (const dir of todo) {
    const entries = disk.list(dir)
    budget.entries -= entries?.length ?? 0
    if (!entries || budget.entries < 0) {
      contents.set('unknown', { folder: folder.shown })
      break
    }
    for (const entry of entries) {
      if (options.skip?.test(entry.name)) continue
      const path = dir === '/' ? `/${entry.name}` : `${dir}/${entry.name}`
      const isProtected = protectedDirs.some((one) => isWithin(one, path) || isWithin(path, one))
      const plain = !isProtected && !entry.isSymbolicLink() && !mayMatter(entry.name)
      if (plain && !entry.isDirectory()) continue
      const place = placeOf(path, roots, disk, entry.isSymbolicLink())
      const judged = plain ? undefined : place && judgeOperand(place, options.access, roots)
      if (place && judged?.code && !contents.has(judged.code))
        contents.set(judged.code, { folder: folder.shown, place })
      else if (!judged && entry.isDirectory() && !packages.has(entry.name)) todo.push(path)
    }
    if (contents.size >= contentLimit) break
  }
  return [...contents.values()]
}

/** Returns a path that has no links as a resolved path. */
export function listedPlace(path: string, roots: PathRoots): ResolvedPath {
  const root = [roots.workspace, ...roots.added].find((dir) => isWithin(path, dir))
  const shownPath = root === roots.workspace ? path.slice(root.length + 1) : path
  return { given: path, named: path, real: path, exists: true, root, shown: shownPath }
}

/**
 * Returns a listed path, which has no links on its way, as a resolved path. If it is a link itself, both its
 * target and its name count. Undefined for a link that leads to itself.
 */
function placeOf(path: string, roots: PathRoots, disk: DiskView, link: boolean): ResolvedPath | undefined {
  if (!link) return listedPlace(path, roots)
  try {
    return resolvePath('/', roots, path, disk)
  } catch {
    // a link that leads to itself has no content
    return undefined
  }
}
