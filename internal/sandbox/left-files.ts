// What a walled command leaves that would act on others later: pipes, devices, programs with rights.
import { chmodSync, rmSync } from 'node:fs'
import type { listFiles } from './file-record.ts'

/** Clocks of file systems go in ticks. */
const tickMs = 20

/**
 * Removes special files and takes away the bits that lend rights, where they are newer than `since`. Returns
 * a line for each.
 */
export function mendLeftFiles(
  { files, specials }: Pick<ReturnType<typeof listFiles>, 'files' | 'specials'>,
  since: number,
): string[] {
  const isNew = (ctimeMs: number) => ctimeMs >= since - tickMs
  const special = [...specials].filter(([, changed]) => isNew(changed)).map(([path]) => path)
  for (const path of special) rmSync(path, { force: true })
  const lending = [...files].filter(([, { mode, ctimeMs }]) => (mode & 0o6000) !== 0 && isNew(ctimeMs))
  for (const [path, stamp] of lending) {
    stamp.mode &= 0o1777
    chmodSync(path, stamp.mode)
  }
  return [
    ...special.map((path) => `${path}: a pipe or device does not outlive the call`),
    ...lending.map(([path]) => `${path}: it lends no rights of its owner`),
  ]
}
