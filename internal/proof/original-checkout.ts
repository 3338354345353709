// Copy of the workspace in which a check runs with the original tests and without new configuration
// of test runners.
import { constants } from 'node:fs'
import { copyFile, lstat, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../base/files/make-directory.ts'
import type { FileTree } from './check-definition.ts'

interface CheckoutRequest {
  workspace: string
  /** Paths of the workspace's current files. */
  paths: readonly string[]
  /** Paths that git ignores. A path of a directory ends with a slash. */
  ignored: readonly string[]
  base: FileTree
  /** Paths whose original content from `base` the copy gets. */
  originals: readonly string[]
  /** Paths of the workspace that the copy does not get. */
  removed: ReadonlySet<string>
  /** Path of the directory that is created for the copy. */
  to: string
}

/**
 * Creates a copy of the workspace with the original files of `base`. Ignored directories, such as
 * `node_modules`, are links. Returns the paths of their targets, which the check must be able to read.
 */
export async function createOriginalCheckout(request: CheckoutRequest): Promise<string[]> {
  const { workspace, paths, ignored, base, originals, removed, to } = request
  makeDirectory(to, 0o700)
  for (const path of [...paths, ...ignored.filter((path) => !path.endsWith('/'))])
    if (!removed.has(path)) await copyEntry(join(workspace, path), to, path)
  const linked: string[] = []
  for (const path of ignored.filter((one) => one.endsWith('/'))) {
    const from = join(workspace, path.slice(0, -1))
    await prepareParent(to, path)
    await symlink(from, join(to, path.slice(0, -1)))
    linked.push(from)
  }
  for (const path of originals) await copyEntry(join(base.dir, path), to, path)
  return linked
}

async function copyEntry(from: string, to: string, path: string): Promise<void> {
  const stat = await lstat(from).catch(() => undefined)
  if (!stat) return
  await prepareParent(to, path)
  const target = join(to, path)
  await rm(target, { recursive: true, force: true })
  if (stat.isSymbolicLink()) await symlink(await readlink(from), target)
  else if (stat.isDirectory()) await symlink(from, target)
  else if (stat.isFile()) await copyFile(from, target, constants.COPYFILE_FICLONE)
}

/** Creates the directory of a path. A link or a file in place of a directory is replaced. */
async function prepareParent(to: string, path: string): Promise<void> {
  const parts = dirname(path.replace(/\/$/, '')).split('/')
  for (let count = 1; count <= parts.length; count++) {
    const dir = join(to, ...parts.slice(0, count))
    const stat = await lstat(dir).catch(() => undefined)
    if (stat && !stat.isDirectory()) await rm(dir)
  }
  makeDirectory(dirname(join(to, path)))
}
