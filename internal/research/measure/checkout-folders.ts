// The folders that checkouts lie in: unguessable names, each below a parent of its own, removed after use.
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'

/** The data directory of the session in `dir`, which is `<data>/research/<repository>/<session>`. */
export const dataFolderOf = (dir: string): string => join(dir, '..', '..', '..')

const checkoutsOf = (dir: string): string => join(dataFolderOf(dir), 'checkouts')

/** Where this session notes the folders it has made, so that those of a dead process are found. */
const listOf = (dir: string) => join(dir, 'checkouts')

const name = () => randomBytes(12).toString('hex')

/** An empty folder. All of them have paths of one length: what a program is called moves its stack. */
export async function makeCheckoutFolder(dir: string): Promise<string> {
  const all = checkoutsOf(dir)
  makeDirectory(all, 0o700)
  // whoever may only pass through cannot list its neighbours
  await chmod(all, 0o300)
  const parent = join(all, name())
  const folder = join(parent, name())
  await appendFile(listOf(dir), `${parent}\n`, { mode: 0o600 })
  makeDirectory(folder, 0o700)
  return folder
}

/** Removes one folder with its parent. */
export async function removeCheckoutFolder(folder: string): Promise<void> {
  await rm(dirname(folder), { recursive: true, force: true })
}

/** Removes every folder that this session has made; the caller holds its lock. */
export async function removeCheckoutFolders(dir: string): Promise<void> {
  const list = await readFile(listOf(dir), 'utf8').catch(ignoreCodes('ENOENT'))
  if (!list) return
  const all = checkoutsOf(dir)
  for (const parent of list.split('\n'))
    if (parent !== '' && dirname(parent) === all) await rm(parent, { recursive: true, force: true })
  await rm(listOf(dir), { force: true })
}
