// Which files a search goes over, and the same said in ripgrep's options.
import { access, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Glob } from './glob.ts'
import { guardedGlobs, isGuarded } from './guarded.ts'
import type { Name } from './name.ts'

/** The files of one search. Names found are relative to `dir`. */
export interface Tree {
  /** Real path of the folder. */
  readonly dir: string
  /** Only this file in it. */
  readonly file?: string
  /** Real path above which ignore files do not count, unless a repository reaches further up. */
  readonly top: string
  /** Take entries whose name begins with a dot. */
  readonly hidden: boolean
  /** Leave sensitive files out. */
  readonly guarded: boolean
  readonly glob?: Glob
}

/** The last word on a name, whichever engine found it. */
export function admits(tree: Tree, name: Name): boolean {
  if (tree.file !== undefined) return true
  if (!tree.hidden && (name.startsWith('.') || name.includes('/.'))) return false
  if (tree.glob && !tree.glob.test(name)) return false
  return !tree.guarded || !isGuarded(name)
}

/** Options that make ripgrep walk the tree; the path to search comes last. */
export async function walkArgs(tree: Tree): Promise<{ before: string[]; path: string }> {
  if (tree.file !== undefined) return { before: ['--no-ignore'], path: `./${tree.file}` }
  const before = ['--glob-case-insensitive', '--glob=!.git', ...(await parentArgs(tree))]
  if (tree.hidden) before.push('--hidden')
  if (tree.guarded) before.push('--debug', ...guardedGlobs.map((one) => `--glob=!${one}`))
  // a type filter, unlike --glob, leaves the ignore files their say
  const names = tree.glob?.basenames ?? []
  before.push(...names.map((name) => `--type-add=wanted:${name}`))
  if (names.length > 0) before.push('--type=wanted')
  return { before, path: './' }
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
