// Carried paths, which are ignored files of the workspace that are copied into every checkout
// of a measurement.
import { constants, lstatSync, rmSync } from 'node:fs'
import { cp, lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { firstChange, takeStrictFootprint } from '../workspace/folder-footprint.ts'

/**
 * The copied paths, relative to the top of the checkout. `prefix` is the path from the top to the workspace.
 */
export interface CarriedPaths {
  has(path: string, prefix: string): boolean
  /** Copies these paths again. */
  restore(paths: readonly string[], prefix: string): Promise<void>
  /** Returns the first of the user's files that has changed since it was copied, or undefined. */
  changed(): string | undefined
}

/**
 * Returns the paths without a leading `./` and without slashes at the end. Throws UserError for a path that
 * is missing or outside of the workspace, because a benchmark without its packages measures something else.
 */
export function requireCarried(workspace: string, entries: readonly string[]): string[] {
  return entries.map((entry) => {
    const path = entry
      .trim()
      .replace(/^(\.\/+)+/, '')
      .replace(/\/+$/, '')
    if (path === '' || path === '.' || path.startsWith('/') || path.split('/').includes('..'))
      throw new UserError(`cannot carry "${entry}": it is outside of the workspace`, {
        hint: 'Name a path in the workspace, for example --carry node_modules',
      })
    if (lstatSync(join(workspace, path), { throwIfNoEntry: false })) return path
    throw new UserError(`cannot carry "${path}": it does not exist`, {
      hint: 'Create it first, for example with npm ci, or remove --carry.',
    })
  })
}

export async function carryInto(
  workspace: string,
  cwd: string,
  entries: readonly string[],
): Promise<CarriedPaths> {
  const present = entries.filter((path) => lstatSync(join(workspace, path), { throwIfNoEntry: false }))
  for (const path of present) await copyOver(join(workspace, path), join(cwd, path))
  const signsByPath = new Map(present.map((path) => [path, takeStrictFootprint(join(workspace, path)).signs]))
  const under = (path: string, prefix: string) =>
    present.find((entry) => path === prefix + entry || path.startsWith(`${prefix}${entry}/`))
  return {
    has: (path, prefix) => under(path, prefix) !== undefined,
    async restore(paths, prefix) {
      for (const path of paths) {
        const workspacePath = path.slice(prefix.length)
        await copyOver(join(workspace, workspacePath), join(cwd, workspacePath))
      }
    },
    changed() {
      for (const [path, before] of signsByPath) {
        const different = firstChange(before, takeStrictFootprint(join(workspace, path)).signs)
        if (different !== undefined) return join(path, different)
      }
      return undefined
    },
  }
}

/**
 * Replaces `to` with a copy of `from`, with shared blocks if the file system supports it. Links stay links
 * with an unchanged target. Does nothing if `from` is missing.
 */
async function copyOver(from: string, to: string): Promise<void> {
  if ((await lstat(from).catch(() => undefined)) === undefined) return
  makeDirectory(dirname(to))
  rmSync(to, { recursive: true, force: true })
  await cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  })
}
