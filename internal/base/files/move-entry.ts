// Moves of a file, directory or link, also across file systems; a replaced entry keeps another name until the
// move is complete.
import { constants } from 'node:fs'
import { cp, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../errors.ts'
import { createUlid } from '../ids.ts'
import { ignoreCodes } from './ignored-errors.ts'
import { openDirectory } from './open-directory.ts'

/**
 * Moves the entry at `from` to `to`. Both are absolute, and their directories have no links in their paths.
 * An entry at `to` is replaced completely. If the move fails, both are unchanged. Only if `from` cannot be
 * removed after a copy to another file system, `to` is complete and a part of `from` may be left.
 */
export async function moveEntry(from: string, to: string): Promise<void> {
  const source = await openDirectory(dirname(from))
  try {
    const goal = await openDirectory(dirname(to))
    try {
      const aside = `.anode-${createUlid()}`
      const old = goal.at(basename(to))
      const there = await lstat(old).catch(ignoreCodes('ENOENT'))
      if (there) await rename(old, goal.at(aside))
      let isCopy = false
      try {
        isCopy = await moveNew(source.at(basename(from)), old, goal.at(`.anode-${createUlid()}`))
      } catch (error) {
        if (there) await rename(goal.at(aside), old)
        throw error
      }
      if (there) await rm(goal.at(aside), { recursive: true, force: true })
      await goal.sync()
      // The copy is complete by now, so a failure must not put the old entry in its place.
      if (isCopy) await rm(source.at(basename(from)), { recursive: true })
      await source.sync()
    } finally {
      await goal.close()
    }
  } finally {
    await source.close()
  }
}

/**
 * Moves an entry to a free path. Across file systems, copies it as `temp` and then renames the copy, so that
 * no process sees half of it. Returns true if it is a copy, so that the entry at `from` still exists.
 */
async function moveNew(from: string, to: string, temp: string): Promise<boolean> {
  try {
    await rename(from, to)
    return false
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    try {
      await cp(from, temp, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
        errorOnExist: true,
        force: false,
        mode: constants.COPYFILE_FICLONE,
      })
      await syncTree(temp)
      await rename(temp, to)
    } catch (failure) {
      await rm(temp, { recursive: true, force: true })
      throw failure
    }
    return true
  }
}

async function syncTree(path: string): Promise<void> {
  const info = await lstat(path)
  if (info.isDirectory()) for (const name of await readdir(path)) await syncTree(join(path, name))
  if (!info.isFile() && !info.isDirectory()) return
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  await handle.sync().finally(() => handle.close())
}

/** Creates a directory and its missing parents, none of them through a link. Resolves to the created ones. */
export async function makeDirectories(path: string): Promise<string[]> {
  const missing: string[] = []
  for (let dir = path; !(await lstat(dir).catch(ignoreCodes('ENOENT'))); dir = dirname(dir))
    missing.unshift(dir)
  const createdDirs: string[] = []
  for (const dir of missing) {
    const parent = await openDirectory(dirname(dir))
    try {
      await mkdir(parent.at(basename(dir)))
      createdDirs.push(dir)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      await parent.close()
    }
  }
  return createdDirs
}
