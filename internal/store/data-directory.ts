// The directory that the database lives in: made private, judged before use.
import { chmodSync, closeSync, existsSync, openSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../base/files/make-directory.ts'
import { makeDataDirectoryError } from '../base/files/own-directories.ts'

/** Name of the database inside the data directory. */
export const databaseName = 'anode.db'

/**
 * Makes the directory (0700) and an empty database file (0600) if they are missing; both keep what they are
 * when they exist. Returns the path of the file. Throws UserError that names what could not be made.
 */
export function prepareDataDir(dir: string): string {
  const file = join(dir, databaseName)
  try {
    // mkdir's mode is subject to the umask, which may only take away; new parents get the same mode
    const made = makeDirectory(dir, 0o700)
    if (made !== undefined) chmodSync(dir, 0o700)
    // made here because SQLite would let everybody read it; its -wal and -shm files copy the mode of this one
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    return file
  } catch (error) {
    throw makeDataDirectoryError(dir, error)
  }
}

/** Names the network file system that holds `dir`; undefined on a local disk or where it cannot be known. */
export function networkFileSystem(dir: string, type = statfsSync(dir).type): string | undefined {
  return process.platform === 'linux' ? remote[type >>> 0] : undefined
}

/** Magic numbers of statfs(2) for file systems whose locks or shared memory cannot be relied on. */
const remote: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9P',
  1397113167: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
  198183888: 'Lustre',
}
