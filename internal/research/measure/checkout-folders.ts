// Directories for checkouts: unguessable names, each in a separate parent directory, removed after use.
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'

/**
 * Returns the data directory, in which `dir` is the directory of
 * one session: `<data>/research/<workspace>/<session>`.
 */
export const dataFolderOf = (dir: string): string => join(dir, '..', '..', '..')

const checkoutsOf = (dir: string): string => join(dataFolderOf(dir), 'checkouts')

/**
 * Returns the file in which this session lists its directories. By this list, a later process finds those of
 * a process that died.
 */
const listOf = (dir: string) => join(dir, 'checkouts')

const makeName = () => randomBytes(12).toString('hex')

/**
 * Creates an empty directory and returns its path. All these paths have the same length, because the length
 * of a program's path changes the position of its stack and so its speed.
 */
export async function makeCheckoutFolder(dir: string): Promise<string> {
  const all = checkoutsOf(dir)
  makeDirectory(all, 0o700)
  // Permission to enter the directory does not allow a program to list the other checkouts in it.
  await chmod(all, 0o300)
  const parent = join(all, makeName())
  const folder = join(parent, makeName())
  await appendFile(listOf(dir), `${parent}\n`, { mode: 0o600 })
  makeDirectory(folder, 0o700)
  return folder
}

/** Removes a checkout and the separate parent directory that contains only it. */
export async function removeCheckoutFolder(folder: string): Promise<void> {
  await rm(dirname(folder), { recursive: true, force: true })
}

/** Removes the checkouts that this session has created. The caller has the lock of the session. */
export async function removeCheckoutFolders(dir: string): Promise<void> {
  const list = await readFile(listOf(dir), 'utf8').catch(ignoreCodes('ENOENT'))
  if (!list) return
  const all = checkoutsOf(dir)
  for (const parent of list.split('\n'))
    if (parent !== '' && dirname(parent) === all) await rm(parent, { recursive: true, force: true })
  await rm(listOf(dir), { force: true })
}
