// The installed packages of a check, and those that earlier checks recorded for the same lockfile.
import { join } from 'node:path'
import { createSha256 } from '../base/fingerprint.ts'
import type { CheckDefinition, FileTree } from './check-definition.ts'
import { isOriginalFile } from './check-files.ts'
import type { PackageRecord } from './package-record.ts'
import { joinGraphs, mentionedNames, type PackageGraph, type PackageRoots, readPackages } from './packages.ts'
import { readPackage } from './programs.ts'
import { findPythonRoots, readPythonPackages } from './python-packages.ts'
import { readRegular } from './regular-file.ts'

/**
 * Returns true if a path is inside a directory `node_modules`, so that its program comes from
 * an installed package.
 */
export const isInstalled = (path: string): boolean => path.split('/').includes('node_modules')

/**
 * Returns the programs and names at which the search for the packages of a check begins. `programs` are
 * directories of packages, with a slash at the end.
 */
export async function findRoots(
  workspace: string,
  tree: FileTree,
  definition: CheckDefinition,
  programs: readonly string[],
): Promise<PackageRoots> {
  const { parts, words } = definition
  const named = new Set(parts)
  const files = tree.paths.filter((path) => isOriginalFile(path) || named.has(path))
  return {
    programs: programs.filter(isInstalled).map((path) => path.replace(/\/$/, '')),
    names: await mentionedNames(tree, files, words),
    python: await findPythonRoots(workspace, tree, definition),
  }
}

const pythonLocks = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml']
const lockNames = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
  ...pythonLocks,
])
const requirements = /^(?:requirements(?:[-_.]\w+)*|requirements\/[\w.-]+)\.txt$/
const patch = /^(?:\.yarn\/)?patches\//

/**
 * Returns true if a file at the top of the workspace may decide which packages are installed. Such files are
 * lockfiles, lists of requirements, and patches of packages.
 */
export const isLockfile = (path: string): boolean =>
  lockNames.has(path) || requirements.test(path) || patch.test(path)

/**
 * Returns an identity of the files that decide which packages are installed; undefined without a lockfile.
 * Lists of requirements count as the lockfile of a Python project without another one, if they pin the
 * version of each package.
 */
export async function identifyLockfile(tree: FileTree): Promise<string | undefined> {
  const { dir, paths } = tree
  const locks = paths.filter((path) => lockNames.has(path))
  const lists = locks.some((path) => pythonLocks.includes(path)) ? [] : await pinnedLists(tree)
  if (locks.length + lists.length === 0) return undefined
  const hash = createSha256()
  for (const path of [...locks, ...lists, ...paths.filter((one) => patch.test(one))].sort()) {
    hash.update(`${path}\0`)
    hash.update((await readRegular(join(dir, path))) ?? '')
  }
  return hash.digest('hex')
}

/** Returns the lists of requirements; an empty list if one of them leaves the version of a package open. */
async function pinnedLists({ dir, paths }: FileTree): Promise<string[]> {
  const lists = paths.filter((path) => requirements.test(path))
  const texts = await Promise.all(lists.map((path) => readRegular(join(dir, path))))
  return texts.every((text) => isPinned(text?.toString('utf8') ?? '')) ? lists : []
}

/**
 * Matches lines of a list of requirements that need no version: empty lines, options of pip, and packages
 * of the workspace.
 */
const isFree = /^(?:$|-(?:[rci]|-(?!editable))|(?:-e|--editable)[ =]*\.)/
const pinned = /^[A-Za-z0-9][\w.-]*(?: *\[[^\]]*\])? *===? *[\w.!+-]+(?= *(?:;| --hash|$))/

/** Returns whether a list of requirements has at least one package, and the exact version of each. */
export function isPinned(text: string): boolean {
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
  return (
    lines.some((line) => pinned.test(line)) && lines.every((line) => isFree.test(line) || pinned.test(line))
  )
}

/** A check, and the record of packages with which its packages are compared. */
interface InstalledRequest {
  workspace: string
  record: PackageRecord
  roots: PackageRoots
  /**
   * Identity of the lockfile when the original state of the check was stored (sealed); undefined
   * without a lockfile.
   */
  lockfile: string | undefined
}

/** Reads the packages of a check in their current state. */
export const readInstalled = async ({
  workspace,
  record,
  roots,
}: Omit<InstalledRequest, 'lockfile'>): Promise<PackageGraph> => ({
  ...(await readPackages(workspace, roots, record.identify)),
  ...(await readPythonPackages(workspace, roots.python ?? [], record.identify)),
})

/**
 * Returns the directories of installed packages, such as `node_modules/`, as names of sealed parts, which a
 * task may not change.
 */
export const installedParts = (graph: PackageGraph): string[] => {
  const paths = Object.values(graph)
  const sites = paths.flatMap((path) => /^.*\/site-packages\//.exec(path)?.[0] ?? [])
  return [...(paths.some(isInstalled) ? ['node_modules/'] : []), ...new Set(sites)]
}

/** Returns the packages that were recorded for the lockfile of the check; an empty graph without any. */
export const recordedPackages = ({ record, lockfile }: InstalledRequest): PackageGraph =>
  (lockfile !== undefined && record.installed(lockfile)) || {}

/**
 * Records packages as those of the lockfile and saves the record. A package that was recorded for it before
 * stays, unless `graph` has another one for the same dependency. Packages that run a script when they are
 * installed are left out. Without a lockfile or a package, it only saves earlier changes of the record.
 */
export async function recordInstalled(request: InstalledRequest, graph: PackageGraph): Promise<void> {
  const { workspace, record, lockfile } = request
  if (lockfile !== undefined && Object.keys(graph).length > 0) {
    const fixed: Record<string, string> = {}
    for (const [key, path] of Object.entries(graph))
      if (!(await hasInstallScript(join(workspace, path)))) fixed[key] = path
    record.install(lockfile, joinGraphs(fixed, recordedPackages(request)))
  }
  await record.save()
}

/**
 * Returns true if a package runs a script when it is installed, so that its version alone does not
 * decide its content.
 */
async function hasInstallScript(dir: string): Promise<boolean> {
  const { scripts } = await readPackage(dir)
  return ['preinstall', 'install', 'postinstall'].some((name) => scripts?.[name] !== undefined)
}
