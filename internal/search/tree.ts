// Which files a search goes over, and the same said in ripgrep's options.
import { access, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Failure } from '../base/errors.ts'
import type { Place } from '../policy/path.ts'
import type { Glob } from './glob.ts'
import { guardArgs, isGuarded } from './guarded.ts'
import type { Name } from './name.ts'

/** The files of one search. Names found are relative to `dir`. */
export interface Tree {
  /** Real path of the folder. */
  readonly dir: string
  /** Only these, relative to `dir`; what was named is searched whatever its name or an ignore file says. */
  readonly files?: readonly string[]
  /** Real path above which ignore files do not count, unless a repository reaches further up. */
  readonly top: string
  /** Take entries whose name begins with a dot. */
  readonly hidden: boolean
  /** Leave sensitive files out. */
  readonly guarded: boolean
  readonly glob?: Glob
}

export interface Planted extends Tree {
  /** What stands in front of the names found when they are shown: empty, or a path and its slash. */
  readonly prefix: string
}

/** The tree at a place. A place that is itself sensitive was named on purpose, so nothing below it is left out. */
export async function treeAt(
  place: Place,
  rest: { hidden: boolean; guarded: boolean; glob?: Glob | undefined },
): Promise<Planted | Failure> {
  const info = await stat(place.real).catch(() => undefined)
  if (!info) return { code: 'not_found', message: `${place.shown} does not exist` }
  const folder = info.isDirectory()
  if (!folder && !info.isFile()) {
    return { code: 'not_a_directory', message: `${place.shown} is neither a folder nor a regular file` }
  }
  const at = folder ? place.shown : dirname(place.shown)
  return {
    dir: folder ? place.real : dirname(place.real),
    ...(!folder && { files: [basename(place.real)] }),
    top: place.root ?? place.real,
    hidden: rest.hidden,
    guarded: rest.guarded && !isGuarded(place.shown),
    ...(rest.glob && { glob: rest.glob }),
    prefix: at === '.' ? '' : at.endsWith('/') ? at : `${at}/`,
  }
}

/** The last word on a name, whichever engine found it. */
export function admits(tree: Tree, name: Name): boolean {
  if (tree.files) return true
  if (!tree.hidden && (name.startsWith('.') || name.includes('/.'))) return false
  if (tree.glob && !tree.glob.test(name)) return false
  return !(tree.guarded && unusual.test(name) && isGuarded(name))
}

/** Names that a forgiving file system may take for others, which globs do not see through. */
const unusual = /[^\x00-\x7f]|[. ](?:\/|$)/

/** Options that make ripgrep walk the tree, ended by the paths. */
export async function walkArgs(tree: Tree): Promise<string[]> {
  if (tree.files) return ['--no-ignore', '--', ...tree.files.map((file) => `./${file}`)]
  const before = ['--glob-case-insensitive', '--glob=!.git', ...(await parentArgs(tree))]
  if (tree.hidden) before.push('--hidden')
  if (tree.guarded) before.push(...guardArgs)
  // a type filter, unlike --glob, leaves the ignore files their say
  const names = tree.glob?.basenames ?? []
  before.push(...names.map((name) => `--type-add=wanted:${name}`))
  if (names.length > 0) before.push('--type=wanted')
  return [...before, '--', './']
}

/**
 * Inside a repository the ignore files above `dir` count up to its root, as for git. Elsewhere only those below
 * `top` do: a stray `~/.gitignore` must not blank a project that is no repository.
 */
async function parentArgs(tree: Tree): Promise<string[]> {
  const between: string[] = []
  for (let dir = tree.dir; ; dir = dirname(dir)) {
    if (await exists(join(dir, '.git'))) return []
    if (dir !== tree.dir && !relative(tree.top, dir).startsWith('..')) between.unshift(dir)
    if (dirname(dir) === dir) break
  }
  const args = ['--no-require-git', '--no-ignore-parent']
  for (const dir of between) {
    const names = new Set(await readdir(dir))
    for (const name of ignoreFiles) if (names.has(name)) args.push(`--ignore-file=${join(dir, name)}`)
  }
  return args
}

/** Weakest first; a later one has the last word. */
export const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'] as const

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
