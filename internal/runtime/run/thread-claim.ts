// One run at a time drives a thread: two would each go on from what they know, and answer the other's calls.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { breakLock } from '../../base/files/path-locks.ts'
import { processIdentity } from '../../base/process-identity.ts'

/**
 * Claims the thread for a run of this process, by a symbolic link to its identity; resolves to what gives it
 * back, at once: who has seen the end of a run may begin the next one. The claim of a process that is gone,
 * or of which nobody can tell, does not count: a run that was killed can be taken up. Where no entry can be
 * made the run goes on without. Throws UserError while another run drives the thread.
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

/** Why no run of this process can begin on the thread: another process is at work on it. */
export async function findOtherDriver(data: string, thread: string): Promise<UserError | undefined> {
  const path = join(data, 'runs', `${thread}.claim`)
  let claim: string | undefined
  obstacleTo(() => {
    claim = readlinkSync(path)
  })
  if (claim === undefined || claim === processIdentity()) return undefined
  return (await breakLock(path, Number.POSITIVE_INFINITY)) ? undefined : refuse(path, thread)
}

/** What the system says against it. */
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
    hint: `wait for its end, or go on with a copy: anode --fork ${thread}`,
  })
}
