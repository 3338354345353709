// The packages of virtual environments in a workspace that a Python check loads.
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { CheckDefinition, FileTree } from './check-definition.ts'
import { isOriginalFile } from './check-files.ts'
import type { PackageGraph, PythonRoot } from './packages.ts'
import { impliedNames } from './programs.ts'
import { readRegular } from './regular-file.ts'

/**
 * Names for two groups of files of an environment: those that Python loads at its start, and the descriptions
 * of plugins that pytest loads.
 */
const loadedNames = ['(startup)', '(plugins)']

/**
 * Packages that run tests. They are always compared, because a file that is not searched for names, such as a
 * Makefile, may start them.
 */
const runners = ['pytest', 'coverage', 'hypothesis', 'nose2', 'tox', 'nox']

/**
 * Returns the directories of the virtual environments in `workspace` (their roots, `bin` and
 * `site-packages`), each with the names that the check uses in it. `tree` contains the tests of the check.
 */
export async function findPythonRoots(
  workspace: string,
  tree: FileTree,
  definition: CheckDefinition,
): Promise<PythonRoot[]> {
  const roots: PythonRoot[] = []
  const environments = await listEnvironments(workspace, tree.paths)
  const wantedModules = environments.length > 0 ? await wantedNames(tree, definition) : new Set<string>()
  for (const env of environments) {
    const words = [...definition.words].map((word) => posix.basename(word))
    roots.push([env, ['pyvenv.cfg']], [`${env}/bin`, [...new Set([...impliedNames, ...words])]])
    for (const version of await listEntries(join(workspace, env, 'lib'))) {
      const site = `${env}/lib/${version}/site-packages`
      const entryNames = await siteNames(join(workspace, site), wantedModules)
      if (entryNames.length > 0) roots.push([site, [...loadedNames, ...entryNames]])
    }
  }
  return roots
}

const listEntries = (dir: string) => readdir(dir).catch((): string[] => [])

/** Returns the virtual environments in the root and next to the files that describe a project. */
async function listEnvironments(workspace: string, paths: readonly string[]): Promise<string[]> {
  const described = /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|package\.json|Pipfile)$/
  const dirs = paths.filter((path) => described.test(posix.basename(path))).map(posix.dirname)
  const environments: string[] = []
  for (const dir of new Set(['.', ...dirs]))
    for (const name of await listEntries(join(workspace, dir)))
      if (await isFile(join(workspace, dir, name, 'pyvenv.cfg'))) environments.push(posix.join(dir, name))
  return environments.sort()
}

const isFile = (path: string) =>
  stat(path)
    .then((fileStat) => fileStat.isFile())
    .catch(() => false)

/**
 * Returns the test runners, and the modules that the commands and tests name. The project's own dependencies
 * are left out, because they may be upgraded.
 */
async function wantedNames(tree: FileTree, { words }: CheckDefinition): Promise<Set<string>> {
  const imported = new Set<string>()
  for (const path of tree.paths)
    if (path.endsWith('.py') && isOriginalFile(path))
      for (const name of importsOf(await textOf(join(tree.dir, path)))) imported.add(name)
  for (const path of tree.paths)
    if (/(?:^|\/)(?:requirements\.txt|pyproject\.toml|setup\.cfg)$/.test(path))
      for (const name of requiredNames(await textOf(join(tree.dir, path)))) imported.delete(name)
  return new Set([...runners, ...imported, ...[...words].map((word) => posix.basename(word))])
}

const textOf = async (file: string) => (await readRegular(file))?.toString('utf8') ?? ''

const importsOf = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)/gm)].map(([, name = '']) => name)

/** Returns the modules of a project's own dependencies, as far as they are named like their packages. */
function requiredNames(text: string): string[] {
  const isTable = /^\[/m.test(text)
  const dependencyText = isTable
    ? (/^\s*(?:dependencies|install_requires)\s*=([\s\S]*?)(?:^\s*\]|^\[|^$)/m.exec(text)?.[1] ?? '')
    : text
  return [...dependencyText.matchAll(/(?:^|["'\s])([A-Za-z][\w.-]*)(?=[\s"'<>=!~;[,]|$)/gm)].map(
    ([, name = '']) => moduleOf(name),
  )
}

const moduleOf = (name: string) => name.toLowerCase().replace(/[-.]+/g, '_')

/** What the directory of an installed distribution says about it. */
interface PythonDistribution {
  dir: string
  modules: readonly string[]
  needs: readonly string[]
  isPlugin: boolean
}

/**
 * Returns the names to compare in `site`, a directory `site-packages`: the wanted modules, the plugins of
 * pytest, the modules that these need, and their files METADATA.
 */
async function siteNames(site: string, wantedModules: ReadonlySet<string>): Promise<string[]> {
  const entries = await listEntries(site)
  const distributions = await Promise.all(
    entries.filter((name) => name.endsWith('.dist-info')).map((name) => readDistribution(site, name)),
  )
  const byModule = new Map(distributions.flatMap((one) => one.modules.map((name) => [name, one] as const)))
  const byName = new Map(distributions.map((one) => [moduleOf(one.dir.replace(/-[^-]*$/, '')), one]))
  const plugins = distributions.filter(({ isPlugin }) => isPlugin).flatMap(({ modules }) => modules)
  const pending = [...wantedModules, ...plugins]
  const names = new Set<string>()
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (names.has(name)) continue
    names.add(name)
    const one = byModule.get(name) ?? byName.get(name)
    if (one === undefined || names.has(`${one.dir}/METADATA`)) continue
    names.add(`${one.dir}/METADATA`)
    pending.push(...one.modules, ...one.needs)
  }
  return [...names].filter((name) => name.includes('/') || findModule(entries, name).length > 0).sort()
}

async function readDistribution(site: string, dir: string): Promise<PythonDistribution> {
  const read = (name: string) => textOf(join(site, dir, name))
  const record = (await read('RECORD')).split('\n').map((line) => line.split(/[/,]/, 1)[0] ?? '')
  const listed = record.length > 1 ? record : (await read('top_level.txt')).split('\n')
  const modules = listed.map((name) => name.trim().replace(/\.(?:pyc?|.*so)$/, ''))
  const needs = [...(await read('METADATA')).matchAll(/^Requires-Dist:\s*([\w.-]+)(.*)$/gm)]
  return {
    dir,
    modules: [...new Set(modules)].filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== '__pycache__'),
    needs: needs.filter(([, , rest = '']) => !/\bextra\b/.test(rest)).map(([, name = '']) => moduleOf(name)),
    isPlugin: hasPlugin(await read('entry_points.txt')),
  }
}

const hasPlugin = (text: string) => /^\[pytest11\]/m.test(text)

/** Returns the entries of a directory that Python could load for a module: a directory or a file. */
const findModule = (entries: readonly string[], name: string): string[] =>
  entries.filter((entry) => entry === name || (entry.startsWith(`${name}.`) && /\.(?:pyc?|so)$/.test(entry)))

/** Returns true for a file that Python loads before any module. */
const isStartupFile = (entry: string) =>
  entry.endsWith('.pth') || /^(?:site|user)customize(?:\.py|$)/.test(entry)

/**
 * Reads the files and directories that the names of the roots refer to. The result has one entry for each, in
 * the form of `readPackages`. `identify` returns an identity of the content of a file or a directory.
 */
export async function readPythonPackages(
  workspace: string,
  roots: readonly PythonRoot[],
  identify: (path: string) => Promise<string>,
): Promise<PackageGraph> {
  const graph: Record<string, string> = {}
  for (const [dir, names] of roots) {
    const entries = await listEntries(join(workspace, dir))
    for (const name of names) {
      // A group of files has an entry even while it is empty, so that its first file counts as a change.
      if (loadedNames.includes(name)) graph[`${dir} ${name} -`] = `${dir}/`
      for (const path of await entriesOf(join(workspace, dir), entries, name)) {
        const entry = await identifyEntry(workspace, join(dir, path), identify)
        if (entry) graph[`${dir} ${name} ${encodeURI(path)}=${entry.identity}`] = `${dir}/${path}${entry.end}`
      }
    }
  }
  return graph
}

/**
 * Returns the identity of an entry, and a slash for a directory; undefined for a missing entry or a broken
 * link. A link out of the workspace is identified by its target and not followed.
 */
async function identifyEntry(workspace: string, path: string, identify: (path: string) => Promise<string>) {
  const file = await realpath(join(workspace, path)).catch(() => undefined)
  if (file === undefined) return undefined
  if (!file.startsWith(`${workspace}/`)) return { identity: `link:${encodeURI(file)}`, end: '' }
  return { identity: await identify(file), end: (await stat(file)).isDirectory() ? '/' : '' }
}

/**
 * Returns the paths of the files and directories in `dir` that belong to a module, a file path, or a group
 * such as `(startup)`. `entries` lists the content of `dir`.
 */
async function entriesOf(dir: string, entries: readonly string[], name: string): Promise<string[]> {
  if (name === '(startup)') return entries.filter(isStartupFile)
  if (name !== '(plugins)') return name.includes('/') ? [name] : findModule(entries, name)
  const described = entries.filter((entry) => entry.endsWith('.dist-info'))
  const texts = await Promise.all(described.map((entry) => textOf(join(dir, entry, 'entry_points.txt'))))
  return described.filter((_, i) => hasPlugin(texts[i] ?? '')).map((entry) => `${entry}/entry_points.txt`)
}
