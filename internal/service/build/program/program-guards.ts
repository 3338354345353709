// Protection of files that decide what later sessions of another program run: settings, hooks, MCP files and
// instructions. A worker of a build may read them, but neither change nor create them.
import { lstatSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { listEntries } from '../../../base/files/path-lookup.ts'
import { instructionName } from '../../../policy/paths/sensitive-names.ts'

/**
 * Matches names of files with settings, hooks or MCP servers, in lower case as file systems may compare them.
 */
const guardedFile = /^\.?(?:(?:settings|config|hooks|mcp)(?:[-_.][\w-]+)*\.(?:jsonc?|toml|ya?ml)|mcp)$/

/** Matches directories with hooks, with instructions, or with extensions that bring either. */
const guardedFolder =
  /^\.?(?:hooks|commands|agents|skills|rules|prompts|plugins|extensions|output-styles|memories)$/

/**
 * Largest number of levels below a directory in a search for guarded files. `maxFolders` limits the number of
 * directories. Beyond these limits nothing is searched.
 */
const maxDepth = 4
const maxFolders = 2000

interface ProgramGuards {
  /** Real paths that the sandbox has to make read-only. */
  protected: readonly string[]
  /** Parent directories of the protected paths. The sandbox has to prevent that the program renames them. */
  pinned: readonly string[]
  /**
   * Renames guarded files and directories that did not exist before, which the program has created. Returns
   * one line about each.
   */
  clean(): string[]
}

/** Finds the guarded files and directories below the directories in `paths`. Files in `paths` are skipped. */
export function guardProgramFiles(paths: readonly string[]): ProgramGuards {
  const folders = paths.flatMap((path) => realFolder(path) ?? [])
  const list = () => folders.flatMap((folder) => findGuarded(folder).map((path) => ({ folder, path })))
  const guardedEntries = list()
  const before = new Set(guardedEntries.map(({ path }) => path))
  return {
    protected: [...before],
    pinned: [...new Set(guardedEntries.flatMap(({ folder, path }) => foldersBetween(folder, path)))],
    clean: () => list().flatMap(({ path }) => (before.has(path) ? [] : [setAside(path)])),
  }
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isDirectory() ? real : undefined
  } catch {
    // a missing directory stays missing, because the sandbox does not create it
    return undefined
  }
}

/** Returns the outermost guarded paths below a directory, within the limits of a search. */
function findGuarded(top: string): string[] {
  const paths: string[] = []
  const todo = [{ dir: top, depth: 1 }]
  for (let i = 0; i < todo.length && i < maxFolders; i++) {
    const { dir, depth } = todo[i] as (typeof todo)[number]
    // a directory that cannot be listed is not read by later sessions either
    for (const entry of listEntries(dir)) {
      const path = join(dir, entry.name)
      const name = entry.name.normalize('NFKC').toLowerCase()
      if (guardedFolder.test(name) || guardedFile.test(name) || instructionName(name) !== undefined)
        paths.push(path)
      else if (entry.isDirectory() && depth < maxDepth) todo.push({ dir: path, depth: depth + 1 })
    }
  }
  return paths
}

function foldersBetween(top: string, path: string): string[] {
  const parts = relative(top, dirname(path))
    .split('/')
    .filter((part) => part !== '')
  return parts.map((_, i) => join(top, ...parts.slice(0, i + 1)))
}

/** Renames a new entry, so that no later session uses it. Returns a message with both names. */
function setAside(path: string): string {
  let free = `${path}.refused`
  for (let i = 2; lstatSync(free, { throwIfNoEntry: false }); i++) free = `${path}.refused-${i}`
  renameSync(path, free)
  return `${path}, now ${free}: it can decide what later sessions run, check it before you use it`
}
