// Where commands without a wall keep temporary files: one folder of this process, for nobody else.
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { codeOf } from '../base/errors.ts'

/** In the directory of a run: a link to the folder, by which it is found when its process is dead. */
const linkName = 'temporary'

let folder: string | undefined

/** Real path; a name that nobody can foresee. It may not exist yet. */
export function temporaryFolder(): string {
  folder ??= join(realpathSync.native(tmpdir()), `anode-${randomBytes(10).toString('hex')}`)
  return folder
}

/** Makes the folder, mode 0700, and notes it in the directory of this run. Throws errors of the file system. */
export function makeTemporaryFolder(runDirectory: string): string {
  const path = temporaryFolder()
  try {
    symlinkSync(path, join(runDirectory, linkName))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

/** Removes the folder that was noted in the directory of a run, living or dead. Never throws. */
export function removeTemporaryFolder(runDirectory: string): void {
  try {
    const path = readlinkSync(join(runDirectory, linkName))
    if (!/^anode-[\da-f]{20}$/.test(basename(path))) return
    const { uid } = lstatSync(path)
    if (uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
  } catch {
    // none was made, or it is gone
  }
}
