// File locks for the duration of a measurement or an operation. A waiting process gets the id of the owner.
import { lutimes, readlink, symlink, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, FailureError } from '../../base/errors.ts'
import { explainErrno } from '../../base/files/errno.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { breakLock } from '../../base/files/path-locks.ts'
import { processIdentity } from '../../base/process-identity.ts'

export interface FileLock {
  release(): Promise<void>
}

interface LockWait {
  /** Maximum wait in milliseconds. Default: no limit. */
  ms?: number
  signal: AbortSignal
  /** Called once, with the process id of the owner, if the lock is not free. */
  waiting?: (pid: number) => void
}

/**
 * Milliseconds between updates of the lock's time. If process ids cannot be checked, a lock counts as dead
 * only after ten times as long.
 */
const refreshMs = 60_000

/**
 * Creates the lock at `path`, a symbolic link to its owner's mark. The lock of a dead process is replaced.
 * Throws FailureError `busy` with the pid if the lock is not free within `wait.ms` (default: no limit),
 * `cancelled` if the signal aborts.
 */
export async function acquireFileLock(path: string, wait: LockWait): Promise<FileLock> {
  const began = performance.now()
  let isReported = false
  for (let pause = 5; ; pause = Math.min(200, pause * 1.5)) {
    if (wait.signal.aborted) throw new FailureError({ code: 'cancelled', message: 'cancelled' })
    if (await makeLock(path)) return refreshLock(path)
    if (await breakLock(path)) continue
    const pid = await readLockHolder(path)
    if (wait.ms !== undefined && performance.now() - began > wait.ms) {
      throw new FailureError({
        code: 'busy',
        message: `busy, pid ${pid}`,
        hint: 'Another process works on this session; wait for it to end.',
        detail: { pid },
      })
    }
    if (!isReported) wait.waiting?.(pid)
    isReported = true
    await sleep(pause, undefined, { signal: wait.signal }).catch(() => undefined)
  }
}

async function makeLock(path: string): Promise<boolean> {
  try {
    makeDirectory(dirname(path), 0o700)
    await symlink(processIdentity(), path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw explainErrno(error, path)
  }
}

/**
 * Returns the pid in a lock, or 0 if the lock is missing or has no pid. Does not check that the
 * process is alive.
 */
export async function readLockHolder(path: string): Promise<number> {
  const mark = await readlink(path).catch(() => '')
  return Number(mark.split('-')[0]) || 0
}

function refreshLock(path: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date()
    // If another process has removed the lock, that is noticed at the next write to the ledger,
    // where it matters.
    void lutimes(path, now, now).catch(() => undefined)
  }, refreshMs)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      await unlink(path).catch(ignoreCodes('ENOENT'))
    },
  }
}
