// Which files a search goes over, and the same said in ripgrep's options. Synchronous: loading
// node:fs/promises and starting its threads takes longer than the few looks at one folder.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../base/text/byte-name.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import type { Glob } from './glob/glob.ts'
import { guardArgs, isGuarded } from './ripgrep/guarded-files.ts'

/** The files of one search. Names found are relative to `dir`. */
export interface SearchTree {
  /** Real path of the folder. */
  readonly dir: string
  /** Only these, relative to `dir`; what was named is searched whatever its name or an ignore file says. */
  readonly files?: readonly string[]
  /** Real path above which ignore files do not count, unless a repository reaches further up. */
  readonly top: string
  /** Take entries whose name begins with a dot. */
  readonly hidden: boolean
  /** Look into hidden entries too, only to name the files that would match. */
  readonly namesHidden?: boolean
  /** Leave sensitive files out. */
  readonly guarded: boolean
  readonly glob?: Glob | undefined
  /** Take what ignore files exclude, too. */
  readonly ignored?: boolean
  /** What is left out, folders with all that they hold. */
  readonly exclude?: readonly Glob[]
  /** Whether a permission rule closes the file of this name. */
  readonly closes?: ((name: string) => boolean) | undefined
}

export interface PrefixedTree extends SearchTree {
  /** What stands in front of the names found when they are shown: empty, or a path and its slash. */
  readonly prefix: string
}

/**
 * The tree at a place. A place that is itself sensitive was named on purpose, so nothing below it is left
 * out. Throws FailureError `not_found`, `not_a_directory`.
 */
export function treeAt(
  place: ResolvedPath,
  rest: Pick<SearchTree, 'hidden' | 'namesHidden' | 'guarded' | 'glob' | 'ignored' | 'exclude' | 'closes'>,
): PrefixedTree {
  const info = attempt(() => statSync(place.real))
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
    // the workspace itself is shown as a dot
    guarded: rest.guarded && (place.shown === '.' || !isGuarded(place.shown)),
    glob: rest.glob,
    ignored: rest.ignored ? true : undefined,
    exclude: rest.exclude && rest.exclude.length > 0 ? rest.exclude : undefined,
    closes: rest.closes,
    prefix: at === '.' ? '' : at.endsWith('/') ? at : `${at}/`,
  }
}

/** The last word on a name, whichever engine found it. */
export function admitsFile(tree: SearchTree, name: ByteName): boolean {
  return wantsName(tree, name) && (!tree.guarded || tree.files !== undefined || !isGuarded(name))
}

/** Whether a path as shown, or a glob, names a hidden entry: then hidden entries are searched too. */
export function meansHidden(shown: string, glob: Glob | undefined): boolean {
  // what is above the workspace says nothing about what is searched
  const parts = shown.startsWith('/') ? [basename(shown)] : shown.split('/')
  return parts.some((part) => /^\.[^.]/.test(part)) || (glob?.dotted === true && !glob.source.startsWith('!'))
}

/** Whether a file is left out only because it or a directory above it is hidden. */
export function isLeftOutAsHidden(tree: SearchTree, name: ByteName): boolean {
  return tree.namesHidden === true && !tree.files && admitsFile({ ...tree, hidden: true }, name)
}

/** Whether hidden entries and the glob let a name through; sensitive or not. */
export function wantsName(tree: SearchTree, name: ByteName): boolean {
  if (tree.files) return true
  if (!tree.hidden && (name.startsWith('.') || name.includes('/.'))) return false
  if (tree.exclude && isExcluded(tree.exclude, name)) return false
  if (tree.closes?.(textOfBytes(name))) return false
  return !tree.glob || tree.glob.test(name)
}

/** Whether a path or a folder on it is left out. */
function isExcluded(exclude: readonly Glob[], name: ByteName): boolean {
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const folder = name.slice(0, at)
    if (exclude.some((glob) => glob.test(folder))) return true
  }
  return exclude.some((glob) => glob.test(name))
}

/**
 * What is wanted of names that ripgrep listed; most batches have nothing that must be looked at one by one.
 */
export function filterWanted(tree: SearchTree, names: ByteName[]): ByteName[] {
  if (tree.files) return names
  const all = names.join('/')
  const plain = tree.hidden || !(all.startsWith('.') || all.includes('/.'))
  if (plain && !tree.exclude && !tree.closes && (!tree.glob || tree.glob.byBasename)) return names
  return names.filter((name) => wantsName(tree, name))
}

/**
 * How many sensitive files and folders a guarded search leaves out: those among `names` that it would have
 * taken, and the hidden ones in the folder itself. The latter are left out anyway, but a `.env` is what
 * people look for.
 */
export async function countGuarded(tree: SearchTree, names: readonly ByteName[]): Promise<number> {
  if (!tree.guarded || tree.files) return 0
  const here = tree.hidden ? [] : (attempt(() => readdirSync(tree.dir)) ?? [])
  const hidden = here.filter((name) => name.startsWith('.') && isGuarded(bytesOfText(name)))
  const meant = hidden.filter((name) => !tree.glob || tree.glob.test(bytesOfText(name)))
  return meant.length + names.filter((name) => wantsName(tree, name)).length
}

/**
 * Options that make ripgrep walk the tree; `paths` come last, and without files stand for the folder itself.
 */
export async function walkArgs(tree: SearchTree): Promise<{ walk: string[]; paths: string[] }> {
  if (tree.files) return { walk: ['--no-ignore'], paths: ['--', ...tree.files.map((file) => `./${file}`)] }
  const walk = ['--glob=!.git', ...(tree.ignored ? ['--no-ignore'] : await parentArgs(tree))]
  if (tree.hidden || tree.namesHidden) walk.push('--hidden')
  if (tree.guarded) walk.push(...guardArgs())
  // a type filter, unlike --glob, leaves the ignore files their say
  const names = tree.glob?.basenames ?? []
  walk.push(...names.map((name) => `--type-add=wanted:${name}`))
  if (names.length > 0) walk.push('--type=wanted')
  return { walk, paths: [] }
}

/**
 * Inside a repository the ignore files above `dir` count up to its root, as for git. Elsewhere only those
 * below `top` do: a stray `~/.gitignore` must not blank a project that is no repository.
 */
async function parentArgs(tree: SearchTree): Promise<string[]> {
  const between: string[] = []
  for (let dir = tree.dir; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return []
    if (dir !== tree.dir && !relative(tree.top, dir).startsWith('..')) between.unshift(dir)
    if (dirname(dir) === dir) break
  }
  const args = ['--no-require-git', '--no-ignore-parent']
  for (const dir of between) {
    const names = new Set(readdirSync(dir))
    for (const name of ignoreFiles) if (names.has(name)) args.push(`--ignore-file=${join(dir, name)}`)
  }
  return args
}

/** Weakest first; a later one has the last word. */
export const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'] as const

/** What the system says, or undefined when it refuses. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
