// The original state of a check's files, with which later states are compared: that of a commit, or of the
// working tree at the start of a run.
import { copyFile, lstat, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { pathFits } from '../policy/rules/rule-match.ts'
import type { RunCommand } from '../process/process-command.ts'
import { type BaseMemory, type ListTree, openBaseFiles, treeLister } from './base-files.ts'
import { type FileTree, pathOfPart, readPart, resolveDefinition } from './check-definition.ts'
import { isOriginalFile } from './check-files.ts'
import {
  findRoots,
  identifyLockfile,
  installedParts,
  isInstalled,
  isLockfile,
  readInstalled,
  recordedPackages,
  recordInstalled,
} from './installed-packages.ts'
import type { PackageRecord } from './package-record.ts'
import { findChangedPackages, joinGraphs, type PackageGraph, type SealedPackages } from './packages.ts'
import { findPresent, findReplacedPrograms, programPackages } from './programs.ts'

/** The original state of a check's files, and a comparison with their current state. */
export interface CheckSeal {
  /** The original files; at least tests, configuration of test runners, and definitions of commands. */
  base: FileTree
  /** Names of the files, and of parts of files, that a task may not change. */
  sealed: readonly string[]
  list: ListTree
  /**
   * Returns what has changed although the task may not change it: parts of `sealed`, packages and programs,
   * and new files that match a glob of the seal.
   */
  findChanged(): Promise<string[]>
  /**
   * Records the installed packages as those of their lockfile, for later proofs, unless the
   * lockfile has changed.
   */
  recordPackages(): Promise<void>
}

interface CommitSealRequest {
  commands: readonly string[]
  workspace: string
  /** Revision of git that has the original files. */
  base: string
  /** Existing directory outside the workspace, for the original files. */
  folder: string
  run: RunCommand
  packages: PackageRecord
  bases?: BaseMemory
}

/**
 * Returns the original state from a commit. A commit does not contain installed packages: they are
 * compared with those that were recorded for its lockfile, and each program has to be the one that
 * its package declares.
 */
export async function sealCommit(request: CommitSealRequest): Promise<CheckSeal> {
  const { commands, workspace, run, packages: record } = request
  const base = await openBaseFiles(request)
  // All these files are written first, because the definition of a script may name further files.
  await base.write(base.paths.filter((path) => isOriginalFile(path) || isPackage(path) || isLockfile(path)))
  const definition = await resolveDefinition(commands, base)
  const { parts, programs } = definition
  await base.write(parts.map(pathOfPart))
  const values = await readValues(parts, base.dir)
  const present = await findPresent(programs, workspace)
  const roots = await findRoots(workspace, base, definition, await programPackages(present, workspace))
  const lockfile = await identifyLockfile(base)
  const installed = { workspace, record, roots, lockfile }
  // If the workspace's lockfile differs from that of the commit, its packages must not be recorded for
  // the lockfile of the commit.
  const isSame = lockfile === (await identifyLockfile({ ...base, dir: workspace }))
  const recordPackages = async () => {
    if (isSame) await recordInstalled(installed, await readInstalled(installed))
  }
  const graph = await readInstalled(installed)
  if (lockfile !== undefined && !record.installed(lockfile)) await recordPackages()
  await record.save()
  return {
    base,
    sealed: [...parts, ...installedParts(graph)],
    list: treeLister(run, workspace),
    findChanged: async () => [
      ...(await findChanges(values, workspace)),
      ...(await findReplacedPrograms(programs, workspace)),
      ...findChangedPackages(recordedPackages(installed), { roots, graph: await readInstalled(installed) }),
    ],
    recordPackages,
  }
}

const isPackage = (path: string) => posix.basename(path) === 'package.json'
const isEmpty = (graph: PackageGraph) => Object.keys(graph).length === 0

interface TreeSealRequest {
  commands: readonly string[]
  workspace: string
  /** Existing directory outside the workspace. It stores the seal and the original files. */
  folder: string
  /** Globs of further files that may not change. */
  seal: readonly string[]
  list: ListTree
  packages: PackageRecord
}

type SealedValues = Readonly<Record<string, string | null>>

interface StoredSeal {
  paths: string[]
  sealed: string[]
  globs: readonly string[]
  values: SealedValues
  packages: SealedPackages & { lockfile?: string | undefined }
}

/** Stores the current state of the working tree, and of the programs in it, as the original state. */
export async function sealTree(request: TreeSealRequest): Promise<CheckSeal> {
  const { commands, workspace, folder, seal: globs, list, packages: record } = request
  const paths = await list('all')
  const tree = { dir: workspace, paths }
  const definition = await resolveDefinition(commands, tree)
  const { parts, programs } = definition
  const values = await readValues([...parts, ...programs], workspace)
  const present = programs.filter((path) => values[path] !== 'missing')
  const more = paths.filter((path) => globs.some((glob) => pathFits(glob, path, false)))
  const programDirs = await programPackages(present, workspace)
  const roots = await findRoots(workspace, tree, definition, programDirs)
  const lockfile = await identifyLockfile(tree)
  const installed = { workspace, record, roots, lockfile }
  const installedGraph = await readInstalled(installed)
  // A package that was changed before the run is not the original, so packages from the
  // record take precedence.
  const graph = joinGraphs(recordedPackages(installed), installedGraph)
  const rest = [...programDirs.filter((path) => !isInstalled(path)), ...more]
  const others = installedParts(installedGraph)
  const sealed = [...new Set([...parts, ...present, ...programDirs, ...more, ...others])].sort()
  const all = { ...values, ...(await readValues(rest, workspace)) }
  const originalPaths = paths.filter(
    (path) => isOriginalFile(path) || sealed.some((one) => pathOfPart(one) === path),
  )
  for (const path of originalPaths) await copyOriginal(join(workspace, path), join(folder, 'base', path))
  if (isEmpty(recordedPackages(installed))) await recordInstalled(installed, installedGraph)
  const stored: StoredSeal = { paths, sealed, globs, values: all, packages: { roots, graph, lockfile } }
  await writeAtomic(join(folder, sealFile), Buffer.from(JSON.stringify(stored)))
  return sealOf(stored, request)
}

const sealFile = 'seal.json'

/**
 * Returns a stored seal, which is the original state of a check. Throws UserError if it is
 * missing or damaged.
 */
export async function readSeal(
  request: Pick<TreeSealRequest, 'workspace' | 'folder' | 'list' | 'packages'>,
): Promise<CheckSeal> {
  try {
    return sealOf(JSON.parse(await readFile(join(request.folder, sealFile), 'utf8')), request)
  } catch {
    throw new UserError('the stored seal of the check is missing or damaged', {
      hint: 'set the check again: --until "npm test", or /goal npm test',
    })
  }
}

function sealOf(
  { paths, sealed, globs, values, packages }: StoredSeal,
  {
    workspace,
    folder,
    list,
    packages: record,
  }: Pick<TreeSealRequest, 'workspace' | 'folder' | 'list' | 'packages'>,
): CheckSeal {
  const knownPaths = new Set(paths)
  const { roots, lockfile } = packages
  const installed = { workspace, record, roots, lockfile }
  return {
    base: { dir: join(folder, 'base'), paths },
    sealed,
    list,
    async findChanged() {
      const graph = await readInstalled(installed)
      const other = findChangedPackages(packages.graph, { roots, graph })
      const changed = [...new Set([...(await findChanges(values, workspace)), ...other])]
      if (globs.length === 0) return changed
      const added = (await list('all')).filter(
        (path) => !knownPaths.has(path) && globs.some((glob) => pathFits(glob, path, false)),
      )
      return [...changed, ...added]
    },
    async recordPackages() {
      if ((await identifyLockfile({ dir: workspace, paths: await list('all') })) === lockfile)
        await recordInstalled(installed, await readInstalled(installed))
    },
  }
}

async function readValues(parts: readonly string[], dir: string): Promise<Record<string, string | null>> {
  const values: Record<string, string | null> = {}
  for (const part of parts) values[part] = (await readPart(dir, part)) ?? null
  return values
}

async function findChanges(values: SealedValues, dir: string): Promise<string[]> {
  const changed: string[] = []
  for (const [part, value] of Object.entries(values))
    if (((await readPart(dir, part)) ?? null) !== value) changed.push(part)
  return changed
}

async function copyOriginal(from: string, to: string): Promise<void> {
  const stat = await lstat(from).catch(() => undefined)
  if (!stat?.isFile() && !stat?.isSymbolicLink()) return
  makeDirectory(dirname(to), 0o700)
  await rm(to, { force: true })
  if (stat.isSymbolicLink()) await symlink(await readlink(from), to)
  else await copyFile(from, to)
}
