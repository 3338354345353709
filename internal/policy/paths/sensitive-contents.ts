// What lies below a folder that a command names: guarded places and names that may hold secrets.

import type { OperandAccess } from '../part-effects.ts'
import type { PathRoots } from '../policy.ts'
import type { DiskView } from './disk-view.ts'
import { isWithin, judgeOperand, type ResolvedPath, resolvePath } from './path-jail.ts'
import { mayMatter } from './sensitive-names.ts'

/** Something below a named folder; without `place` the folder was too large to tell. */
export interface SensitiveContent {
  /** The folder, as people are shown it. */
  folder: string
  place?: ResolvedPath
  /** No word of the command names the folder or the place. */
  unnamed?: true
}

export interface SensitiveScanOptions {
  /** What is looked for: what may not be written, or what may not be read. */
  access: OperandAccess
  /** Names that are passed over. */
  skip?: RegExp
}

/** Entries that are looked at for all folders of a line together. */
export interface SensitiveScanBudget {
  entries: number
}

/** Folders of installed packages: what lies in them belongs to nobody here, and there is a lot of it. */
const packages = new Set(['node_modules', '.venv', 'venv', '__pycache__', 'site-packages'])

/**
 * The first guarded place and the first secret name at each depth below `folder`, at most one of each code;
 * the folders nearest to it first. Links are not entered, only judged by where they lead.
 */
export function findSensitiveContents(
  folder: ResolvedPath,
  roots: PathRoots,
  disk: DiskView,
  budget: SensitiveScanBudget,
  options: SensitiveScanOptions,
): SensitiveContent[] {
  const found = new Map<string, SensitiveContent>()
  const wanted = options.access === 'write' ? 2 : 1
  const todo = [folder.real]
  const walls = [...roots.protected, ...(roots.own ?? [])].filter((dir) => isWithin(dir, folder.real))
  for (const dir of todo) {
    const entries = disk.list(dir)
    budget.entries -= entries?.length ?? 0
    if (!entries || budget.entries < 0) {
      found.set('unknown', { folder: folder.shown })
      break
    }
    for (const entry of entries) {
      if (options.skip?.test(entry.name)) continue
      const path = dir === '/' ? `/${entry.name}` : `${dir}/${entry.name}`
      const wall = walls.some((one) => isWithin(one, path) || isWithin(path, one))
      const plain = !wall && !entry.isSymbolicLink() && !mayMatter(entry.name)
      if (plain && !entry.isDirectory()) continue
      const place = placeOf(path, roots, disk, entry.isSymbolicLink())
      const judged = plain ? undefined : place && judgeOperand(place, options.access, roots)
      if (place && judged?.code && !found.has(judged.code))
        found.set(judged.code, { folder: folder.shown, place })
      else if (!judged && entry.isDirectory() && !packages.has(entry.name)) todo.push(path)
    }
    if (found.size >= wanted) break
  }
  return [...found.values()]
}

/** The place of a path without links. */
export function listedPlace(path: string, roots: PathRoots): ResolvedPath {
  const root = [roots.workspace, ...roots.added].find((dir) => isWithin(path, dir))
  const shown = root === roots.workspace ? path.slice(root.length + 1) : path
  return { given: path, named: path, real: path, exists: true, root, shown }
}

/**
 * A path that was listed has no links on its way; what is a link itself counts where it leads and as it is
 * named.
 */
function placeOf(path: string, roots: PathRoots, disk: DiskView, link: boolean): ResolvedPath | undefined {
  if (!link) return listedPlace(path, roots)
  try {
    return resolvePath('/', roots, path, disk)
  } catch {
    // a link that leads to itself holds nothing
    return undefined
  }
}
