// Lock of a thread for one run at a time. Two runs would each continue from a separate state and answer the
// calls of the other.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { breakLock } from '../../base/files/path-locks.ts'
import { processIdentity } from '../../base/process-identity.ts'

/**
 * Locks the thread for this process with a symbolic link that names the process. Resolves to a synchronous
 * function that removes the lock, because a client may start the next run as soon as it sees the end event. A
 * lock of a dead or unknown process is ignored, so a killed run can resume. If the link cannot be created,
 * the run continues without a lock. Throws UserError while another run uses the thread.
 */
export async function claimThread(data: string, thread: string): Promise<() => void> {
  const folder = join(data, 'runs')
  const path = join(folder, `${thread}.claim`)
  for (;;) {
    const obstacle = obstacleTo(() => symlinkSync(processIdentity(), path))
    if (obstacle === undefined) return () => void obstacleTo(() => rmSync(path, { force: true }))
    const isMade = obstacle === 'ENOENT' && !obstacleTo(() => makeDirectory(folder, 0o700))
    if (isMade) continue
    if (obstacle !== 'EEXIST') return () => undefined
    if (!(await breakLock(path, Number.POSITIVE_INFINITY))) throw refuse(path, thread)
  }
}

/**
 * Returns the error for a thread that another process is running; undefined if the thread is free or this
 * process runs it.
 */
export async function findOtherDriver(data: string, thread: string): Promise<UserError | undefined> {
  const path = join(data, 'runs', `${thread}.claim`)
  let claim: string | undefined
  obstacleTo(() => {
    claim = readlinkSync(path)
  })
  if (claim === undefined || claim === processIdentity()) return undefined
  return (await breakLock(path, Number.POSITIVE_INFINITY)) ? undefined : refuse(path, thread)
}

/** Runs `act`. Returns the error code of the system, or undefined on success. */
function obstacleTo(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return codeOf(error) ?? 'unknown'
  }
}

function refuse(path: string, thread: string): UserError {
  let pid = 'another'
  obstacleTo(() => {
    pid = readlinkSync(path).split('-')[0] ?? pid
  })
  const who = pid === `${process.pid}` ? 'another run of this process' : `a run of process ${pid}`
  return new UserError(`${who} is at work on this thread`, {
    hint: `wait until it ends, or continue in a copy: anode --fork ${thread}`,
  })
}
