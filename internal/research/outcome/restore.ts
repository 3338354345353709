// Restoring of the paths that a candidate changed to their state in the best tree. At any time, each file is
// either old or new.
import { copyFile, lstat, mkdir, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { tempName } from '../../base/files/atomic-write.ts'
import {
  compareTrees,
  type GitRepository,
  runGit,
  type TreeDifference,
  withPrivateIndex,
} from '../git/git-tree.ts'
import { snapshotCheckout } from '../workspace/candidate-snapshot.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import type { CandidateCheckout } from '../workspace/session-location.ts'

interface RestoredPaths {
  /** Paths that were set back to their state in the best tree, relative to the top of the checkout. */
  restored: string[]
  /**
   * Paths that were not restored, because they have changed since the measurement, are reached through a
   * link, or are submodules.
   */
  kept: string[]
}

/**
 * Restores paths. `changes` are the differences from the best tree to the candidate. A path is restored only
 * if its content is exactly the candidate's and no directory above it is a link; a submodule never. The
 * caller has stored the patch. After a crash, a second call finishes the work.
 */
export async function restorePaths(
  session: LockedSession,
  checkout: CandidateCheckout,
  best: string,
  changes: readonly TreeDifference[],
): Promise<RestoredPaths> {
  const repo = session.repo as GitRepository
  const { repository } = session.experiment.where
  if (changes.length === 0 || !repository) return { restored: [], kept: [] }
  const there = new Map(
    (await compareTrees(repo, best, await snapshotCheckout(session, checkout))).map((one) => [one.path, one]),
  )
  const same = (change: TreeDifference) =>
    there.get(change.path)?.to?.id === change.to?.id && there.has(change.path)
  const due = changes.filter(
    (change) => same(change) && change.from?.mode !== '160000' && change.to?.mode !== '160000',
  )
  const keptPaths = changes
    .filter((change) => there.has(change.path) && !due.includes(change))
    .map(({ path }) => path)
  const restored: string[] = []
  const stage = join(stageIn(checkout), 'restore')
  await rm(stage, { recursive: true, force: true })
  await unpackPaths(
    repo,
    checkout,
    best,
    stage,
    due.filter(({ from }) => from).map(({ path }) => path),
  )
  // Files are removed first, because a directory may have to replace a file and a file a directory.
  for (const { path } of due.filter(({ from }) => from === undefined)) {
    if (await isLinkFree(checkout.top, path)) {
      await rm(join(checkout.top, path), { force: true })
      await removeEmptyDirs(checkout.top, dirname(path))
      restored.push(path)
    } else keptPaths.push(path)
  }
  // A crash may have happened after a file was removed and before its empty directory was, so these
  // directories are checked again.
  const removals = changes.filter(({ path, from }) => from === undefined && !there.has(path))
  for (const { path } of removals)
    if (await isLinkFree(checkout.top, path)) await removeEmptyDirs(checkout.top, dirname(path))
  for (const { path } of due.filter(({ from }) => from !== undefined)) {
    if (await isLinkFree(checkout.top, path)) {
      await mkdir(dirname(join(checkout.top, path)), { recursive: true })
      await moveFile(join(stage, path), join(checkout.top, path))
      restored.push(path)
    } else keptPaths.push(path)
  }
  await rm(stage, { recursive: true, force: true })
  return { restored: restored.sort(), kept: keptPaths.sort() }
}

/**
 * Returns a directory that git ignores. It is usually on the same disk as the checkout, so that one rename
 * moves a file into place.
 */
const stageIn = (checkout: CandidateCheckout) => join(checkout.gitDir, 'anode')

async function unpackPaths(
  repo: GitRepository,
  checkout: CandidateCheckout,
  tree: string,
  stage: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  await mkdir(stage, { recursive: true, mode: 0o700 })
  await withPrivateIndex(repo, async (index) => {
    const at = { index, cwd: checkout.top }
    await runGit(repo, ['read-tree', tree], at)
    const args = ['checkout-index', '--force', '--quiet', `--prefix=${stage}/`, '-z', '--stdin']
    await runGit(repo, args, { ...at, input: paths.map((path) => `${path}\0`).join('') })
  })
}

/**
 * Returns true if every directory on the way to `path` is a directory or missing. A link that a candidate
 * left there could redirect the write.
 */
async function isLinkFree(top: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  for (let i = 1; i <= parts.length; i++) {
    const stat = await lstat(join(top, ...parts.slice(0, i))).catch(() => undefined)
    if (stat === undefined) return true
    if (!stat.isDirectory()) return false
  }
  return true
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const temp = join(dirname(to), tempName())
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from), temp)
    else await copyFile(from, temp)
    await rename(temp, to)
  }
}

/** Removes `dir` and its parents below `top` while they are empty. */
async function removeEmptyDirs(top: string, dir: string): Promise<void> {
  if (dir === '.' || dir === '') return
  try {
    await rmdir(join(top, dir))
  } catch (error) {
    const ignoredCodes = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM']
    if (ignoredCodes.includes(codeOf(error) ?? '')) return
    if (codeOf(error) !== 'ENOENT') throw error
  }
  await removeEmptyDirs(top, dirname(dir))
}
