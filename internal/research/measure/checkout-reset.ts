// Reset of a checkout to its state after the build, done after each execution. It reports what
// cannot be restored.
import { chmodSync, copyFileSync, lstatSync, lutimesSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { type GitRepository, runGit, verifyTreeFiles, withPrivateIndex } from '../git/git-tree.ts'
import { type FolderFootprint, firstChange, takeStrictFootprint } from '../workspace/folder-footprint.ts'
import type { CarriedPaths } from './carried-paths.ts'
import { renewFolder } from './folder-renewal.ts'

interface BuiltCheckout {
  repo: GitRepository
  tree: string
  /** Top of the checkout. */
  dir: string
  /** Path from the top to the workspace. */
  prefix: string
  carried: CarriedPaths
  /** Copies the original files of the benchmark (the sealed files) to the checkout again. */
  overlay(): Promise<unknown>
  /** Names of the sealed files, which a candidate may not change, relative to the workspace. */
  sealed: readonly string[]
  /** Metadata of all files of the checkout before the build, by which changes are found. */
  bare: FolderFootprint
}

interface CheckoutReset {
  /**
   * Returns the first path that has changed since the build or the last reset; `''` means the checkout
   * itself. Undefined if nothing has changed.
   */
  firstChange(): string | undefined
  /**
   * Reverts the changes of an execution. Returns the changed locked files, and the first copied file of the
   * user that cannot be restored because the user has changed it.
   */
  reset(): Promise<string[]>
}

/**
 * Stores a copy of what the build has made, so that a reset needs no new build. Returns functions that find
 * and revert later changes.
 */
export function recordBuiltCheckout(checkout: BuiltCheckout): CheckoutReset {
  const { repo, tree, dir, prefix, carried } = checkout
  const pristine = `${dir}.built`
  let footprint = takeStrictFootprint(dir)
  const builtEntries = [...footprint.signs].filter(
    ([path, sign]) => checkout.bare.get(path) !== sign && !sign.startsWith('d'),
  )
  for (const [path] of builtEntries) copyFile(join(dir, path), join(pristine, path))
  const built = new Set(builtEntries.map(([path]) => path))
  const locked = new Set(checkout.sealed.map((file) => prefix + file))

  async function restoreFiles(files: readonly string[]): Promise<string | undefined> {
    for (const path of files) if (built.has(path)) copyFile(join(pristine, path), join(dir, path))
    const isCarried = (path: string) => carried.has(path, prefix)
    const recopied = files.filter((path) => !built.has(path) && isCarried(path))
    // The user may have changed one of the ignored files of the workspace that were copied here. Then none of
    // them is copied again, because the benchmark would measure something else.
    const changed = recopied.length > 0 ? carried.changed() : undefined
    if (changed === undefined) await carried.restore(recopied, prefix)
    const fromTree = files.filter((path) => !built.has(path) && !locked.has(path) && !isCarried(path))
    await checkOutFiles(repo, tree, dir, fromTree)
    if (files.some((path) => locked.has(path))) await checkout.overlay()
    return changed
  }

  return {
    firstChange: () => firstChange(footprint.signs, takeStrictFootprint(dir).signs),
    async reset() {
      const now = takeStrictFootprint(dir)
      const extra = [...now.signs.keys()].filter((path) => !footprint.signs.has(path))
      // A directory comes before its content, so its removal also removes the content.
      for (const path of extra) rmSync(join(dir, path), { recursive: true, force: true })
      const lost = [...footprint.signs].filter(([path, sign]) => now.signs.get(path) !== sign)
      const read = [...footprint.times].filter(([path, { read }]) => now.times.get(path)?.read !== read)
      if (extra.length + lost.length + read.length === 0) return []
      const folders = lost.filter(([, sign]) => sign.startsWith('d'))
      for (const [path, sign] of folders) makeFolder(join(dir, path), Number(sign.split(' ')[1]))
      const files = lost.filter(([, sign]) => !sign.startsWith('d')).map(([path]) => path)
      const violated = await restoreFiles(files)
      // Each changed directory is replaced by a new one, because a later execution could read information
      // from its times, its attributes, or the time of its last reading.
      for (const [path] of folders.reverse()) renewFolder(join(dir, path))
      for (const [path, { read: at, changed }] of read)
        if (!files.includes(path)) lutimesSync(join(dir, path), at, changed)
      footprint = takeStrictFootprint(dir)
      return [...files.filter((path) => locked.has(path)), ...(violated === undefined ? [] : [violated])]
    },
  }
}

async function checkOutFiles(
  repo: GitRepository,
  tree: string,
  dir: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  for (const path of paths) rmSync(join(dir, path), { recursive: true, force: true })
  await withPrivateIndex(repo, async (index) => {
    await runGit(repo, ['read-tree', tree], { index })
    const input = paths.map((path) => `${path}\0`).join('')
    await runGit(repo, ['checkout-index', '--force', '--quiet', `--prefix=${dir}/`, '-z', '--stdin'], {
      index,
      input,
    })
  })
  await verifyTreeFiles(repo, tree, dir, paths)
}

function makeFolder(path: string, mode: number): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isDirectory()) rmSync(path)
  makeDirectory(path)
  chmodSync(path, mode & 0o7777)
}

function copyFile(from: string, to: string): void {
  makeDirectory(dirname(to))
  rmSync(to, { recursive: true, force: true })
  const stat = lstatSync(from)
  if (stat.isFile()) {
    copyFileSync(from, to)
    chmodSync(to, stat.mode & 0o777)
  }
}
