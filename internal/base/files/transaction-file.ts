// One file of a transaction: its staging, publishing and restoring. Every step may be repeated after a crash.
import { access, constants, link, lstat, mkdir, readFile, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, FailureError } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import {
  type AtomicFileState,
  demandUnchanged,
  noLinkCodes,
  publishFile,
  readFileState,
  stageFile,
  tempName,
} from './atomic-write.ts'
import { explainErrno } from './errno.ts'
import { makeDirectory } from './make-directory.ts'
import { type OpenDirectory, openDirectory } from './open-directory.ts'

/** The change of one file. */
export interface TransactionChange {
  /** Absolute path without links. */
  path: string
  /** The new content; null removes the file. */
  bytes: Uint8Array | null
  /** Fingerprint of the content that may be replaced; null if the file must be new. Default: any content. */
  expect?: string | null
  /** Permission bits. Default: unchanged, or those of the umask for a new file. */
  mode?: number
  /** Name of the file in messages. Default: `path`. */
  shown?: string
  /**
   * Copies attributes of the replaced file other than content, mode and owner to the staged file.
   * Must not throw.
   */
  copyAttributes?: (from: string, to: string) => Promise<void>
}

/** The record of a change in the journal. */
export interface TransactionFile {
  path: string
  shown: string
  /**
   * Existing directory that contains `temp` and `old`. The transaction itself does not create or remove it.
   */
  home: string
  /** Directories between `home` and the file that do not exist yet, outermost first. */
  made: string[]
  /** Name in `home` of the staged content; null for a removal. */
  temp: string | null
  /** Name in `home` that keeps the present content reachable until the end; null if that is not necessary. */
  old: string | null
  before: string | null
  after: string | null
  fresh: boolean
}

/** A planned change with the state of the file at planning time. */
interface ChangeDraft {
  item: TransactionFile
  change: TransactionChange
  there: AtomicFileState | null
}

/**
 * Returns the planned change with the present state of the file. A directory that the same transaction
 * empties counts as missing. Throws FailureError if `expect` does not match, for a read-only file that gets
 * content, and for anything else that is neither a regular file nor missing.
 */
export async function draftChange(
  change: TransactionChange,
  all: readonly TransactionChange[],
): Promise<ChangeDraft> {
  const shownPath = change.shown ?? change.path
  return await explainErrors(shownPath, async () => {
    const there = await statePresent(change.path)
    // a directory counts as missing if the same transaction empties it and puts a file at its path
    if (there === 'other' && !all.some((other) => other.bytes === null && isBelow(other.path, change.path))) {
      await readFileState(change.path)
    }
    const fileState = there === 'other' ? null : there
    if (change.expect !== undefined) demandUnchanged(fileState, change.expect, shownPath)
    // a rename ignores permissions, so a file that its owner made read-only is checked here
    if (fileState && change.bytes) await access(change.path, constants.W_OK)
    const item: TransactionFile = {
      path: change.path,
      shown: shownPath,
      ...(await findHome(change.path, all)),
      temp: change.bytes ? tempName() : null,
      old: fileState && all.length > 1 ? tempName() : null,
      before: fileState?.print ?? null,
      after: change.bytes ? fingerprint(change.bytes) : null,
      fresh: change.expect === null,
    }
    return { item, change, there: fileState }
  })
}

async function findHome(
  path: string,
  all: readonly TransactionChange[],
): Promise<{ home: string; made: string[] }> {
  const missingDirs: string[] = []
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const exists = await isDirectory(dir)
    const settled = exists && !all.some((other) => other.path === dir || isBelow(dir, other.path))
    if (settled || dir === dirname(dir)) return { home: dir, made: missingDirs }
    if (!exists) missingDirs.unshift(dir)
  }
}

/**
 * Writes the new content into `home`. In a transaction of several files, also keeps the present content there
 * under a second name.
 */
export async function stageItem({ item, change, there }: ChangeDraft): Promise<void> {
  await explainErrors(item.shown, () =>
    withDirectory(item.home, async (home) => {
      if (item.temp && change.bytes) {
        await stageFile(home, item.temp, change.bytes, there, change.mode)
        if (there) await change.copyAttributes?.(item.path, join(item.home, item.temp))
      }
      if (item.old) await keepOld(item.path, home, item.old, there)
    }),
  )
}

async function keepOld(
  path: string,
  home: OpenDirectory,
  old: string,
  there: AtomicFileState | null,
): Promise<void> {
  await withDirectory(dirname(path), async (dir) => {
    try {
      await link(dir.at(basename(path)), home.at(old))
    } catch (error) {
      if (!noLinkCodes.has(codeOf(error) ?? '')) throw error
      await stageFile(home, old, await readFile(dir.at(basename(path))), there)
    }
  })
}

/** Publishes the new state if the old one is unchanged. Returns false if another process changed the file. */
export async function publishItem(item: TransactionFile): Promise<boolean> {
  return await explainErrors(item.shown, () =>
    item.temp === null ? removeItem(item) : replaceItem(item, item.temp),
  )
}

async function removeItem(item: TransactionFile): Promise<boolean> {
  const there = await statePresent(item.path)
  if (there === null) return true
  if (there === 'other' || there.print !== item.before) return false
  await withDirectory(dirname(item.path), (dir) => unlink(dir.at(basename(item.path))))
  return true
}

async function replaceItem(item: TransactionFile, temp: string): Promise<boolean> {
  return await withDirectory(item.home, async (home) => {
    // if the staged content is missing, an earlier attempt has published it
    if (!(await isPresent(home.at(temp)))) return true
    if (item.before === null && (await isDirectory(item.path))) await rmdir(item.path)
    for (const dir of item.made) await makeOneDirectory(dir)
    const there = await statePresent(item.path)
    if (there === 'other') return false
    if ((there?.print ?? null) !== item.before) return there?.print === item.after
    await withDirectory(dirname(item.path), (dir) =>
      publishFile(home, temp, dir, basename(item.path), item.fresh),
    )
    return true
  })
}

/** Restores the old state unless another process changed the file. Returns false in that case. */
export async function restoreItem(item: TransactionFile): Promise<boolean> {
  const there = await statePresent(item.path)
  // a directory is still at the path where the transaction creates a file
  if (there === 'other') return item.before === null
  if (there !== null && there.print !== item.before && there.print !== item.after) return false
  const { old } = item
  if (item.before === null) {
    if (there) await withDirectory(dirname(item.path), (dir) => unlink(dir.at(basename(item.path))))
  } else if (old !== null) {
    await withDirectory(item.home, async (home) => {
      if (!(await isPresent(home.at(old)))) return
      makeDirectory(dirname(item.path))
      await withDirectory(dirname(item.path), (dir) => rename(home.at(old), dir.at(basename(item.path))))
    })
  }
  return true
}

/**
 * Removes the temporary files of a transaction: the new content and the stored old content. `undone` also
 * removes the created directories that are empty.
 */
export async function tidyItem(item: TransactionFile, undone: boolean): Promise<void> {
  if (await isDirectory(item.home)) {
    await withDirectory(item.home, async (home) => {
      for (const name of [item.temp, item.old]) if (name) await rm(home.at(name), { force: true })
    })
  }
  if (undone) for (const dir of [...item.made].reverse()) await removeEmpty(dir)
}

/**
 * Makes the entries of directories durable. `homes` are those of the staged files; `all` adds the created
 * directories and those of the targets.
 */
export async function syncDirs(items: readonly TransactionFile[], which: 'homes' | 'all'): Promise<void> {
  const dirs = new Set(items.map((item) => item.home))
  if (which === 'all') for (const i of items) for (const dir of [...i.made, dirname(i.path)]) dirs.add(dir)
  for (const dir of dirs)
    if (await isDirectory(dir)) await withDirectory(dir, (directory) => directory.sync())
}

/** Removes `dir` if it is empty. Returns true if `dir` does not exist afterwards. */
export async function removeEmpty(dir: string): Promise<boolean> {
  try {
    await rmdir(dir)
    return true
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
}

async function makeOneDirectory(dir: string): Promise<void> {
  await withDirectory(dirname(dir), async (parent) => {
    try {
      await mkdir(parent.at(basename(dir)))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  })
}

/** Returns the state of `path`; null if it is missing, and `other` for anything except a regular file. */
async function statePresent(path: string): Promise<AtomicFileState | null | 'other'> {
  try {
    return await readFileState(path)
  } catch (error) {
    if (error instanceof FailureError && error.cause === undefined) return 'other'
    throw error
  }
}

async function explainErrors<T>(shownPath: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainErrno(error, shownPath)
  }
}

async function withDirectory<T>(dir: string, work: (directory: OpenDirectory) => Promise<T>): Promise<T> {
  const directory = await openDirectory(dir)
  try {
    return await work(directory)
  } finally {
    await directory.close()
  }
}

async function isPresent(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** Returns true if `path` is strictly below `dir`. */
export function isBelow(path: string, dir: string): boolean {
  return path.startsWith(dir.endsWith('/') ? dir : `${dir}/`)
}
