// The state of a check that it is compared with: a commit, or the working tree at the start of a run.
import { copyFile, lstat, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { pathFits } from '../policy/rules/rule-pattern.ts'
import type { RunCommand } from '../process/process-command.ts'
import { type ListTree, openBaseFiles, treeLister } from './base-files.ts'
import { type FileTree, pathOfPart, readPart, resolveDefinition } from './check-definition.ts'
import { isOriginalFile } from './check-files.ts'
import { findReplacedPrograms, programPackages } from './programs.ts'

/** The original state of a check. */
export interface CheckSeal {
  /** Original files: at least tests, configuration and definitions. */
  base: FileTree
  /** Names of the sealed parts. */
  sealed: readonly string[]
  list: ListTree
  /** Returns the sealed parts that differ now, and new files in their place. */
  findChanged(): Promise<string[]>
}

interface CommitSealRequest {
  commands: readonly string[]
  workspace: string
  /** Revision of the original files. */
  base: string
  /** Existing directory outside the workspace, for the original files. */
  folder: string
  run: RunCommand
}

/**
 * Returns the state of a commit. Programs that git ignores are not in it: one that is not the program that
 * its package declares counts as changed.
 */
export async function sealCommit(request: CommitSealRequest): Promise<CheckSeal> {
  const { commands, workspace, run } = request
  const base = await openBaseFiles(request)
  // the definition of a script may name further files
  await base.write(base.paths.filter((path) => isOriginalFile(path) || isPackage(path)))
  const { parts, programs } = await resolveDefinition(commands, base)
  await base.write(parts.map(pathOfPart))
  const values = await readValues(parts, base.dir)
  return {
    base,
    sealed: parts,
    list: treeLister(run, workspace),
    findChanged: async () => [
      ...(await findChanges(values, workspace)),
      ...(await findReplacedPrograms(programs, workspace)),
    ],
  }
}

const isPackage = (path: string) => posix.basename(path) === 'package.json'

interface TreeSealRequest {
  commands: readonly string[]
  workspace: string
  /** Existing directory outside the workspace. It stores the seal and the original files. */
  folder: string
  /** Globs of further files that may not change. */
  seal: readonly string[]
  list: ListTree
}

type SealedValues = Readonly<Record<string, string | null>>

interface StoredSeal {
  paths: string[]
  sealed: string[]
  globs: readonly string[]
  values: SealedValues
}

/** Seals the working tree as it is, with the programs in it, and stores the seal. */
export async function sealTree(request: TreeSealRequest): Promise<CheckSeal> {
  const { commands, workspace, folder, seal: globs, list } = request
  const paths = await list('all')
  const { parts, programs } = await resolveDefinition(commands, { dir: workspace, paths })
  const values = await readValues([...parts, ...programs], workspace)
  const present = programs.filter((path) => values[path] !== 'missing')
  const more = paths.filter((path) => globs.some((glob) => pathFits(glob, path, false)))
  const rest = [...(await programPackages(present, workspace)), ...more]
  const sealed = [...new Set([...parts, ...present, ...rest])].sort()
  const all = { ...values, ...(await readValues(rest, workspace)) }
  const kept = paths.filter((path) => isOriginalFile(path) || sealed.some((one) => pathOfPart(one) === path))
  for (const path of kept) await copyOriginal(join(workspace, path), join(folder, 'base', path))
  const stored: StoredSeal = { paths, sealed, globs, values: all }
  await writeAtomic(join(folder, sealFile), Buffer.from(JSON.stringify(stored)))
  return sealOf(stored, request)
}

const sealFile = 'seal.json'

/** Returns a stored seal. Throws UserError if it is missing or damaged. */
export async function readSeal(
  request: Pick<TreeSealRequest, 'workspace' | 'folder' | 'list'>,
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
  { paths, sealed, globs, values }: StoredSeal,
  { workspace, folder, list }: Pick<TreeSealRequest, 'workspace' | 'folder' | 'list'>,
): CheckSeal {
  const known = new Set(paths)
  return {
    base: { dir: join(folder, 'base'), paths },
    sealed,
    list,
    async findChanged() {
      const changed = await findChanges(values, workspace)
      if (globs.length === 0) return changed
      const added = (await list('all')).filter(
        (path) => !known.has(path) && globs.some((glob) => pathFits(glob, path, false)),
      )
      return [...changed, ...added]
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
