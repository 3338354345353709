// Files that rules forbid and that a command may read without naming them: below a directory that it reads,
// or named in the text of its code.
import { homeDir } from '../base/dirs.ts'
import type { DiskView } from './paths/disk-view.ts'
import { isWithin, type ResolvedPath, resolvePath } from './paths/path-jail.ts'
import type { PathRoots } from './policy.ts'
import { entryCheck, fileRuleFits } from './rules/file-rules.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** Forbidden files below directories that a simple command may read; a rule forbids each of them. */
export interface ReachedFiles {
  places: readonly ResolvedPath[]
  /**
   * True if the search ended early, at an unreadable directory or too many entries, so that further files
   * may be forbidden.
   */
  cut: boolean
  /** True if the program certainly reads the content of its directories; false if it only may read it. */
  sure: boolean
}

export const reachesNone: ReachedFiles = { places: [], cut: false, sure: true }

interface RuledSearch {
  rules: readonly PermissionRule[]
  roots: PathRoots
  disk: DiskView
  /** Number of directory entries that may still be read for the whole line. */
  budget: { ruled: number }
}

/**
 * Directories of installed packages. A search enters them only for a rule whose path begins with a directory
 * name without a wildcard.
 */
const packages: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  'site-packages',
])

/**
 * Largest number of words of a line that are compared with rules. Further words are skipped, and the result
 * is marked as incomplete.
 */
const maxTexts = 500

/**
 * Returns, for each rule, the first file or directory below `folders` that it forbids, except entries whose
 * name matches `skip`. Directories of installed packages are entered only for rules whose path begins with a
 * directory. `cut`: a directory could not be read or the budget was used up, so the search ended early. Links
 * are followed, as some programs do.
 */
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
  const seenDirs = new Set<string>()
  const startCount = todo.length
  for (const [index, dir] of todo.entries()) {
    if (open.size === 0) break
    if (seenDirs.has(dir.real)) continue
    seenDirs.add(dir.real)
    const entries = disk.list(dir.real)
    budget.ruled -= entries?.length ?? 0
    if (!entries || budget.ruled < 0) return { places, cut: true }
    for (const entry of entries) {
      if (skip?.test(entry.name)) continue
      const place = placeOf(dir, entry.name, entry.isSymbolicLink(), search)
      if (!place) continue
      // The directories above this entry were compared with the rules before. Only a link can lead to a
      // directory that was not.
      const isParentChecked = index >= startCount && !entry.isSymbolicLink()
      const count = open.size
      for (const rule of open) if (rule.covers(place, isParentChecked)) open.delete(rule)
      if (open.size < count) places.push(place)
      const isFolder = entry.isDirectory() || entry.isSymbolicLink()
      if (isFolder && [...open].some(({ start }) => mayBeBelow(start, place, entry.name))) todo.push(place)
    }
  }
  return { places, cut: false }
}

/**
 * Returns, in lower case, the directory that contains every file that a rule forbids, or the only such file;
 * undefined if such files may be anywhere.
 */
function startOf(rule: PermissionRule, { workspace }: PathRoots): string | undefined {
  if (rule.path === undefined) return undefined
  const pattern = rule.path.replace(/^\.\//, '').replace(/^~(?=\/)/, homeDir())
  const [plain = ''] = pattern.split(/[*?[{(\\]/)
  const start =
    plain === pattern ? plain.replace(/\/$/, '') : plain.slice(0, Math.max(0, plain.lastIndexOf('/')))
  if (start === '') return undefined
  return (start.startsWith('/') ? start : `${workspace}/${start}`).toLowerCase()
}

/**
 * Returns a function that is false for a directory (a real path) in which the rule forbids nothing. If the
 * path of the rule begins with a wildcard, it is also false for directories of installed packages. It may be
 * true for a directory without forbidden files.
 */
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

/** Returns a directory entry as a resolved path; undefined for a link that leads to itself. */
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
  const shownPath = isWithin(real, `${roots.workspace}/`) ? real.slice(roots.workspace.length + 1) : real
  if (!isLink) return { given: named, named, real, exists: true, root, shown: shownPath }
  try {
    return { ...resolvePath('/', roots, real, disk), named }
  } catch {
    return undefined
  }
}

/** Files that rules forbid and that the text of a line mentions. */
export interface MentionedFiles {
  /** Forbidden files that the line mentions by their own names. */
  places: readonly ResolvedPath[]
  /** For each rule, the first forbidden file inside a directory that the line mentions. */
  below: readonly ResolvedPath[]
  /**
   * True if the line has too many words, or its directories are unreadable or have too many entries, to check
   * all of them.
   */
  cut: boolean
}

/**
 * Returns the forbidden files that the text of a line mentions, also in quotes, in code, or split by
 * quotes and backslashes.
 */
export function findMentioned(line: string, dirs: readonly string[], search: RuledSearch): MentionedFiles {
  const { rules, roots, disk } = search
  const places: ResolvedPath[] = []
  const folders: ResolvedPath[] = []
  const texts = pathTexts(line)
  for (const text of texts.slice(0, maxTexts))
    for (const dir of dirs) {
      const place = resolveText(text, dir, search)
      if (!place) continue
      if (rules.some((rule) => fileRuleFits(rule, place, roots))) places.push(place)
      else if (disk.link(place.real) !== undefined) folders.push(place)
    }
  const below = findClosedFiles(folders, search)
  return { places, below: below.places, cut: below.cut || texts.length > maxTexts }
}

/**
 * Returns the pieces of a line that may be the name of a file or directory, also joined across quotes and
 * backslashes, each once.
 */
function pathTexts(line: string): string[] {
  const plain = line.replace(/\\\r?\n|['"\\]/g, '')
  const separators = /[\s'"`()[\]{},;:=<>|&$!\\]+/
  const texts = [...line.split(separators), ...plain.split(separators)].map((text) =>
    text.replace(/[.,?]+$/, ''),
  )
  return [...new Set(texts)].filter((text) => /[\w\u0080-\u{10ffff}]/u.test(text))
}

function resolveText(text: string, dir: string, { roots, disk }: RuledSearch): ResolvedPath | undefined {
  try {
    return resolvePath(dir, roots, text, disk)
  } catch {
    return undefined
  }
}
