// The installed packages that a check loads: those of its programs, those that tests mention, and the
// packages that these need.
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, relative, sep } from 'node:path'
import { listNames } from '../base/files/path-lookup.ts'
import type { FileTree } from './check-definition.ts'
import { readPackage } from './programs.ts'
import { readRegular } from './regular-file.ts'

/**
 * A directory of a virtual environment, relative to the workspace, and the names of modules, programs and
 * files that a check uses in it.
 */
export type PythonRoot = readonly [dir: string, names: readonly string[]]

/** The programs and names at which the search for the packages of a check begins (its roots). */
export interface PackageRoots {
  /** Real directories of packages whose programs the check starts, relative to the workspace. */
  programs: readonly string[]
  /** Development dependencies that the check uses: the directory of a `package.json`, and a name in it. */
  names: readonly (readonly [dir: string, name: string])[]
  /** What the check uses in virtual environments. Default: nothing. */
  python?: readonly PythonRoot[]
}

/**
 * The packages that a check loads. A key is `PARENT NAME PACKAGE`: the package that needs NAME, and the
 * package that was found for it, both by an identity of their content. If the check itself needs NAME, PARENT
 * is a directory. The value is the path of the package, with a slash at the end of a directory, so a package
 * that only moves keeps its key.
 */
export type PackageGraph = Readonly<Record<string, string>>

/** Returns an identity of the content of a package, which is a real directory or a single file. */
type IdentifyPackage = (path: string) => Promise<string>

/**
 * Returns the development dependencies that are mentioned by commands, tests, or configuration of test
 * runners. `files` are the paths of tests and configuration, `words` the words of the commands.
 */
export async function mentionedNames(
  { dir: tree, paths }: FileTree,
  files: readonly string[],
  words: Iterable<string>,
): Promise<PackageRoots['names']> {
  const mentioned = new Set(words)
  for (const path of files)
    for (const name of quotedNames(await readRegular(join(tree, path)))) mentioned.add(name)
  const packages = paths.filter((path) => posix.basename(path) === 'package.json').map(posix.dirname)
  const names = packages.map(async (dir) => {
    const { devDependencies = {} } = await readPackage(join(tree, dir))
    const packageNames = Object.keys(devDependencies).filter((name) => mentioned.has(name))
    return packageNames.map((name) => [dir, name] as const)
  })
  return (await Promise.all(names)).flat()
}

const quotedName = /["'`]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"'`\n]*)?["'`]/g

/** Returns the names of packages that a text could import: `lib` of `'lib/sub.js'`. */
const quotedNames = (text: Buffer | undefined): string[] =>
  [...(text?.toString('utf8') ?? '').matchAll(quotedName)].map(([, name = '']) => name)

/**
 * Reads the packages that a check loads. Packages that belong to the workspace itself are left out, because
 * the task may change them.
 */
export async function readPackages(
  workspace: string,
  roots: PackageRoots,
  identify: IdentifyPackage,
): Promise<PackageGraph> {
  const graph: Record<string, string> = {}
  const find = packageFinder()
  const pending: { parent: string; from: string; name: string }[] = []
  const visited = new Set<string>()
  const add = async (parent: string, name: string, path: string) => {
    const identity = await identify(path)
    const end = statSync(path).isDirectory() ? '/' : ''
    graph[`${parent} ${name} ${identity}`] = relative(workspace, path).split(sep).join('/') + end
    if (visited.has(path)) return
    visited.add(path)
    for (const need of await neededNames(path)) pending.push({ parent: identity, from: path, name: need })
  }
  for (const path of roots.programs) await add('.', path, join(workspace, path))
  for (const [dir, name] of roots.names) pending.push({ parent: dir, from: join(workspace, dir), name })
  for (let next = pending.pop(); next; next = pending.pop())
    for (const path of find(next.from, next.name)) await add(next.parent, next.name, path)
  return graph
}

async function neededNames(dir: string): Promise<string[]> {
  const { dependencies, optionalDependencies, peerDependencies } = await readPackage(dir)
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

/**
 * Returns a function that finds a package like Node does, in the closest `node_modules` that has it. The
 * function returns the real paths of its directory and of files that would take its place; an empty list if
 * nothing is found.
 */
function packageFinder(): (from: string, name: string) => string[] {
  const listings = new Map<string, ReadonlySet<string>>()
  const entriesOf = (dir: string) => {
    const listing = listings.get(dir) ?? new Set(listNames(dir))
    listings.set(dir, listing)
    return listing
  }
  return (from, name) => {
    for (let at = from; ; at = dirname(at)) {
      if (basename(at) !== 'node_modules') {
        const dir = join(at, 'node_modules', posix.dirname(name))
        const entries = entriesOf(dir)
        const base = posix.basename(name)
        const matches = [base, `${base}.js`, `${base}.json`, `${base}.node`].filter((one) => entries.has(one))
        if (matches.length > 0) return matches.flatMap((one) => installedPath(join(dir, one)))
      }
      if (at === dirname(at)) return []
    }
  }
}

/**
 * Returns the real path of an installed package as a list of one. The list is empty for a broken link, or for
 * a package of the workspace itself.
 */
function installedPath(path: string): string[] {
  try {
    const real = realpathSync(path)
    return real.split(sep).includes('node_modules') ? [real] : []
  } catch {
    return []
  }
}

/** The packages of a check when its original state was stored (sealed), and the roots of their search. */
export interface SealedPackages {
  roots: PackageRoots
  graph: PackageGraph
}

/**
 * Returns the paths of packages that changed, disappeared, or now come from another path with other content.
 * A dependency that was missing before is not a change. `before` may contain further packages that the
 * current check does not use; these do not count.
 */
export function findChangedPackages(before: PackageGraph, { roots, graph: now }: SealedPackages): string[] {
  const dependencies = new Set(Object.keys(before).map(dependencyOf))
  const present = new Set(Object.keys(now).map(packageOf))
  const ofRoots = new Set([
    ...roots.programs.map((path) => `. ${path}`),
    ...roots.names.map(([dir, name]) => `${dir} ${name}`),
    ...(roots.python ?? []).flatMap(([dir, names]) => names.map((name) => `${dir} ${name}`)),
  ])
  const changed = new Set<string>()
  for (const [key, path] of Object.entries(now))
    if (before[key] === undefined && dependencies.has(dependencyOf(key))) changed.add(path)
  for (const [key, path] of Object.entries(before)) {
    const parent = key.slice(0, key.indexOf(' '))
    // A package that was needed only by a changed package does not count, because nothing leads to
    // it any more.
    const isReached = isIdentity.test(parent) ? present.has(parent) : ofRoots.has(dependencyOf(key))
    if (now[key] === undefined && isReached) changed.add(path)
  }
  return [...changed].sort()
}

/**
 * Returns both graphs joined. If they have different packages for a dependency, the package of
 * `first` is used.
 */
export function joinGraphs(first: PackageGraph, second: PackageGraph): PackageGraph {
  const dependencies = new Set(Object.keys(first).map(dependencyOf))
  const rest = Object.entries(second).filter(([key]) => !dependencies.has(dependencyOf(key)))
  return { ...Object.fromEntries(rest), ...first }
}

const isIdentity = /^[0-9a-f]{64}$/
const packageOf = (key: string) => key.slice(key.lastIndexOf(' ') + 1)
const dependencyOf = (key: string) => key.slice(0, key.lastIndexOf(' '))
