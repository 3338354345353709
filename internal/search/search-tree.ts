// Selection of the files of a search, and the ripgrep options for it. All reads are synchronous, because
// loading node:fs/promises and starting its threads takes longer than reading the few files of one directory.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { leadsOutside } from '../base/dirs.ts'
import { FailureError } from '../base/errors.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../base/text/byte-name.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import type { Glob } from './glob/glob.ts'
import { guardArgs, isGuarded } from './ripgrep/ripgrep.ts'

/**
 * The directory and the files of one search, with all rules that exclude files. Names are relative to `dir`.
 */
export interface SearchTree {
  /** Real path of the directory. */
  readonly dir: string
  /**
   * Files to search, relative to `dir`. They are searched even if their names are hidden or ignore
   * files exclude them.
   */
  readonly files?: readonly string[]
  /**
   * Real path of a directory that contains `dir`. Ignore files above it do not count, unless they are in
   * the same repository.
   */
  readonly top: string
  /** Whether entries whose name begins with a dot are searched. */
  readonly hidden: boolean
  /** True if a search in hidden entries only reports the names of files with a match, without lines. */
  readonly namesHidden?: boolean
  /** True if files with sensitive names are skipped. Files listed in `files` are searched nevertheless. */
  readonly guarded: boolean
  readonly glob?: Glob | undefined
  /** Whether paths that ignore files exclude are searched too. */
  readonly ignored?: boolean
  /** Globs of paths that are excluded. An excluded directory is excluded with its content. */
  readonly exclude?: readonly Glob[]
  /** Returns true if a permission rule forbids to read the file with this name. */
  readonly closes?: ((name: string) => boolean) | undefined
}

export interface PrefixedTree extends SearchTree {
  /** Text before names when they are shown: empty, or a path that ends in a slash. */
  readonly prefix: string
}

/**
 * Returns the selection for a path of a directory or file. If the path itself has a sensitive name, the
 * caller passed it on purpose, so no sensitive names below it are skipped. Throws FailureError `not_found`
 * for a missing path, and `not_a_directory` for anything but a directory or a regular file.
 */
export function treeAt(
  place: ResolvedPath,
  rest: Pick<SearchTree, 'hidden' | 'namesHidden' | 'guarded' | 'glob' | 'ignored' | 'exclude' | 'closes'>,
): PrefixedTree {
  const info = tryCall(() => statSync(place.real))
  if (!info) throw new FailureError({ code: 'not_found', message: `${place.shown} does not exist` })
  const folder = info.isDirectory()
  if (!folder && !info.isFile()) {
    const message = `${place.shown} is neither a folder nor a regular file`
    throw new FailureError({ code: 'not_a_directory', message })
  }
  const at = folder ? place.shown : dirname(place.shown)
  return {
    dir: folder ? place.real : dirname(place.real),
    files: folder ? undefined : [basename(place.real)],
    top: place.root ?? place.real,
    hidden: rest.hidden,
    namesHidden: rest.namesHidden && !rest.hidden ? true : undefined,
    // The path of the workspace itself is shown as a dot.
    guarded: rest.guarded && (place.shown === '.' || !isGuarded(place.shown)),
    glob: rest.glob,
    ignored: rest.ignored ? true : undefined,
    exclude: rest.exclude && rest.exclude.length > 0 ? rest.exclude : undefined,
    closes: rest.closes,
    prefix: at === '.' ? '' : at.endsWith('/') ? at : `${at}/`,
  }
}

/**
 * Returns true if the search includes the file with this name. It decides for ripgrep, grep and the
 * search without both.
 */
export function admitsFile(tree: SearchTree, name: ByteName): boolean {
  return wantsName(tree, name) && (!tree.guarded || tree.files !== undefined || !isGuarded(name))
}

/**
 * Returns true if a search also has to include hidden entries, because a part of the path or the glob begins
 * with a dot. A glob with a leading `!` does not count, and of an absolute path only its last part.
 */
export function meansHidden(shownPath: string, glob: Glob | undefined): boolean {
  const parts = shownPath.startsWith('/') ? [basename(shownPath)] : shownPath.split('/')
  return parts.some((part) => /^\.[^.]/.test(part)) || (glob?.dotted === true && !glob.source.startsWith('!'))
}

/**
 * Returns true if the search leaves out a file only because the file or a directory above it is hidden. False
 * unless `namesHidden` is set, and for a search in listed files.
 */
function isLeftOutAsHidden(tree: SearchTree, name: ByteName): boolean {
  return tree.namesHidden === true && !tree.files && admitsFile({ ...tree, hidden: true }, name)
}

/**
 * Returns `admitsFile` for the tree, which also adds to `hidden` the names of files that are left out only
 * because they are hidden.
 */
export function createAdmission(tree: SearchTree, hidden: ByteName[]): (name: ByteName) => boolean {
  return (name) => {
    const isAdmitted = admitsFile(tree, name)
    if (!isAdmitted && isLeftOutAsHidden(tree, name)) hidden.push(name)
    return isAdmitted
  }
}

/**
 * Returns true if the search wants a name: it matches the glob, is neither excluded nor forbidden, and is not
 * hidden unless hidden entries are included. Does not check for sensitive names. True for every name if the
 * search has a list of files.
 */
export function wantsName(tree: SearchTree, name: ByteName): boolean {
  if (tree.files) return true
  if (!tree.hidden && (name.startsWith('.') || name.includes('/.'))) return false
  if (tree.exclude && isExcluded(tree.exclude, name)) return false
  if (tree.closes?.(textOfBytes(name))) return false
  return !tree.glob || tree.glob.test(name)
}

/** Returns whether a path or a directory of it is excluded. */
function isExcluded(exclude: readonly Glob[], name: ByteName): boolean {
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const folder = name.slice(0, at)
    if (exclude.some((glob) => glob.test(folder))) return true
  }
  return exclude.some((glob) => glob.test(name))
}

/**
 * Returns the wanted names of a list. For most searches, the whole list is accepted without a check
 * of each name.
 */
export function filterWanted(tree: SearchTree, names: ByteName[]): ByteName[] {
  if (tree.files) return names
  const all = names.join('/')
  const plain = tree.hidden || !(all.startsWith('.') || all.includes('/.'))
  if (plain && !tree.exclude && !tree.closes && (!tree.glob || tree.glob.byBasename)) return names
  return names.filter((name) => wantsName(tree, name))
}

/**
 * Returns the number of sensitive files and directories that a search skips: those among `names` that match,
 * and hidden ones directly in the searched directory. The hidden ones would be skipped anyway, but users
 * often search for a `.env`. Returns 0 if sensitive names are not skipped.
 */
export async function countGuarded(tree: SearchTree, names: readonly ByteName[]): Promise<number> {
  if (!tree.guarded || tree.files) return 0
  const here = tree.hidden ? [] : (tryCall(() => readdirSync(tree.dir)) ?? [])
  const hidden = here.filter((name) => name.startsWith('.') && isGuarded(bytesOfText(name)))
  const meant = hidden.filter((name) => !tree.glob || tree.glob.test(bytesOfText(name)))
  return meant.length + names.filter((name) => wantsName(tree, name)).length
}

/**
 * Returns the ripgrep options for the files of the search. `paths` are arguments at the end of the command
 * line: the listed files, or nothing if the directory is searched.
 */
export async function walkArgs(tree: SearchTree): Promise<{ walk: string[]; paths: string[] }> {
  if (tree.files) return { walk: ['--no-ignore'], paths: ['--', ...tree.files.map((file) => `./${file}`)] }
  const walk = ['--glob=!.git', ...(tree.ignored ? ['--no-ignore'] : await parentArgs(tree))]
  if (tree.hidden || tree.namesHidden) walk.push('--hidden')
  if (tree.guarded) walk.push(...guardArgs())
  // A type filter does not override ignore files, but --glob would.
  const names = tree.glob?.basenames ?? []
  walk.push(...names.map((name) => `--type-add=wanted:${name}`))
  if (names.length > 0) walk.push('--type=wanted')
  return { walk, paths: [] }
}

/**
 * Returns ripgrep options for the ignore files above `dir`. Inside a repository, those up to its root count,
 * as for git. Elsewhere only those from `top` down count, because a `~/.gitignore` must not hide a whole
 * project that is not in a repository.
 */
async function parentArgs(tree: SearchTree): Promise<string[]> {
  const between: string[] = []
  for (let dir = tree.dir; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return []
    if (dir !== tree.dir && !leadsOutside(relative(tree.top, dir))) between.unshift(dir)
    if (dirname(dir) === dir) break
  }
  const args = ['--no-require-git', '--no-ignore-parent']
  for (const dir of between) {
    const names = new Set(readdirSync(dir))
    for (const name of ignoreFiles) if (names.has(name)) args.push(`--ignore-file=${join(dir, name)}`)
  }
  return args
}

/** Names of ignore files, weakest first. */
export const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'] as const

/** Returns the result of `look`; undefined if it throws. */
function tryCall<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
