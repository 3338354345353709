// Files that rules keep closed and that a command reaches without naming them: below a folder that it reads
// as a whole, or in the text of code that cannot be read.
import { homedir } from '../base/home.ts'
import type { DiskView } from './paths/disk-view.ts'
import { isWithin, type ResolvedPath, resolvePath } from './paths/path-jail.ts'
import type { PathRoots } from './policy.ts'
import { entryCheck, fileRuleFits } from './rules/file-rules.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** The closed files that a part of a command line reaches below folders. */
export interface ReachedFiles {
  places: readonly ResolvedPath[]
  /** There was too much to look at, so others may be among it. */
  cut: boolean
  /** The program is known to read what is below a folder; else it may do so. */
  sure: boolean
}

export const reachesNone: ReachedFiles = { places: [], cut: false, sure: true }

interface RuledSearch {
  rules: readonly PermissionRule[]
  roots: PathRoots
  disk: DiskView
  /** Entries of folders that are looked at for the whole line. */
  budget: { ruled: number }
}

/** Folders of installed packages, which only rules that name them by path reach. */
const packages: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  'site-packages',
])

/** Texts of a line that are compared with rules. */
const maxTexts = 500

/** The first file that each rule closes below the folders. Links are followed, as some programs do. */
export function findClosedFiles(
  folders: readonly ResolvedPath[],
  search: RuledSearch,
  skip?: RegExp,
): Omit<ReachedFiles, 'sure'> {
  const { roots, disk, budget } = search
  const open = new Set(
    search.rules.map((rule) => ({ start: startOf(rule, roots), covers: entryCheck(rule, roots) })),
  )
  const places: ResolvedPath[] = []
  const todo = folders.map(({ real, named }) => ({ real, named }))
  const seen = new Set<string>()
  const begun = todo.length
  for (const [index, dir] of todo.entries()) {
    if (open.size === 0) break
    if (seen.has(dir.real)) continue
    seen.add(dir.real)
    const entries = disk.list(dir.real)
    budget.ruled -= entries?.length ?? 0
    if (!entries || budget.ruled < 0) return { places, cut: true }
    for (const entry of entries) {
      if (skip?.test(entry.name)) continue
      const place = placeOf(dir, entry.name, entry.isSymbolicLink(), search)
      if (!place) continue
      // an open rule has covered no directory that was walked; a link leads to one that was not
      const isParentChecked = index >= begun && !entry.isSymbolicLink()
      const count = open.size
      for (const rule of open) if (rule.covers(place, isParentChecked)) open.delete(rule)
      if (open.size < count) places.push(place)
      const isFolder = entry.isDirectory() || entry.isSymbolicLink()
      if (isFolder && [...open].some(({ start }) => mayBeBelow(start, place, entry.name))) todo.push(place)
    }
  }
  return { places, cut: false }
}

/** The folder that everything which a rule closes is in; undefined for any. */
function startOf(rule: PermissionRule, { workspace }: PathRoots): string | undefined {
  if (rule.path === undefined) return undefined
  const pattern = rule.path.replace(/^\.\//, '').replace(/^~(?=\/)/, homedir())
  const [plain = ''] = pattern.split(/[*?[{(\\]/)
  const start = plain === pattern ? plain.replace(/\/$/, '') : plain.slice(0, plain.lastIndexOf('/'))
  if (start === '') return undefined
  return (start.startsWith('/') ? start : `${workspace}/${start}`).toLowerCase()
}

/** Returns a check that is false for a directory, by its real path, below which the rule closes nothing. */
export function containsClosed(rule: PermissionRule, roots: PathRoots): (dir: string) => boolean {
  const start = startOf(rule, roots)
  return (dir) => {
    if (start === undefined) return !packages.has(dir.slice(dir.lastIndexOf('/') + 1))
    const folded = dir.toLowerCase()
    return isWithin(start, folded) || isWithin(folded, start)
  }
}

function mayBeBelow(start: string | undefined, place: ResolvedPath, name: string): boolean {
  if (start === undefined) return !packages.has(name)
  return [place.real, place.named].some((path) => {
    const folded = path.toLowerCase()
    return isWithin(start, folded) || isWithin(folded, start)
  })
}

/** The place of an entry; undefined for a link that leads to itself. */
function placeOf(
  dir: { real: string; named: string },
  name: string,
  isLink: boolean,
  { roots, disk }: RuledSearch,
): ResolvedPath | undefined {
  const join = (folder: string) => (folder === '/' ? `/${name}` : `${folder}/${name}`)
  const real = join(dir.real)
  const named = join(dir.named)
  const root = [roots.workspace, ...roots.added].find((one) => isWithin(real, one))
  const shown = isWithin(real, `${roots.workspace}/`) ? real.slice(roots.workspace.length + 1) : real
  if (!isLink) return { given: named, named, real, exists: true, root, shown }
  try {
    return { ...resolvePath('/', roots, real, disk), named }
  } catch {
    return undefined
  }
}

/** The closed files that the text of a line mentions. */
export interface MentionedFiles {
  /** By their own names. */
  places: readonly ResolvedPath[]
  /** By the name of a folder above them. */
  below: readonly ResolvedPath[]
}

/** The closed files that the text of a line mentions, in quotes, in code or in pieces. */
export function findMentioned(line: string, dirs: readonly string[], search: RuledSearch): MentionedFiles {
  const { rules, roots, disk } = search
  const places: ResolvedPath[] = []
  const folders: ResolvedPath[] = []
  for (const text of pathTexts(line))
    for (const dir of dirs) {
      const place = resolveText(text, dir, search)
      if (!place) continue
      if (rules.some((rule) => fileRuleFits(rule, place, roots))) places.push(place)
      else if (disk.link(place.real) !== undefined) folders.push(place)
    }
  return { places, below: findClosedFiles(folders, search).places }
}

/** What in a text may be the name of a file or folder. */
function pathTexts(line: string): string[] {
  const plain = line.replace(/\\\r?\n|['"\\]/g, '')
  const separators = /[\s'"`()[\]{},;:=<>|&$!\\]+/
  const texts = [...line.split(separators), ...plain.split(separators)].map((text) =>
    text.replace(/[.,?]+$/, ''),
  )
  return [...new Set(texts)].filter((text) => /\w/.test(text)).slice(0, maxTexts)
}

function resolveText(text: string, dir: string, { roots, disk }: RuledSearch): ResolvedPath | undefined {
  try {
    return resolvePath(dir, roots, text, disk)
  } catch {
    return undefined
  }
}
