// Locks between processes, so that only one of them writes a file at a time.
import { lstat, readlink, rename, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, FailureError } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import { isAlive, processIdentity } from '../process-identity.ts'
import { ignoreCodes } from './ignored-errors.ts'
import { makeDirectory } from './make-directory.ts'

/**
 * Longest wait for a lock in milliseconds, after which an error is thrown. An owner usually needs its lock
 * only for some milliseconds.
 */
const maxWaitMs = 30_000

/**
 * Runs `work` with a lock on each of `paths`, so that no other call for one of them runs meanwhile, in any
 * process. The locks are links in `dir`; those of dead processes are broken. If no lock can be created there,
 * `work` runs without. Throws FailureError `busy` after 30 s.
 */
export async function withLocks<T>(
  dir: string,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // locks are acquired in sorted order, so that two callers never wait for each other
  const names = [...new Set(paths.map(lockName))].sort()
  const lockPaths: string[] = []
  try {
    for (const name of names) if (await acquireLock(dir, join(dir, name))) lockPaths.push(join(dir, name))
    return await work()
  } finally {
    for (const path of lockPaths) await unlink(path).catch(ignoreCodes('ENOENT'))
  }
}

/**
 * Returns the name of the lock on `path`. A lock is a symbolic link whose target is the identity of the
 * process that owns it.
 */
export function lockName(path: string): string {
  return `lock.${fingerprint(path).slice(0, 16)}`
}

/**
 * Longest time in milliseconds to break a lock. A process that stops while it breaks one blocks others no
 * longer than this.
 */
const maxBreakMs = 1_000

/**
 * Removes the lock at `path` if its owner is dead. Returns true if the lock does not exist afterwards.
 * `ageMs` replaces its real age; with `Infinity`, an owner of unknown state counts as dead.
 */
export async function breakLock(path: string, ageMs?: number): Promise<boolean> {
  // of several processes that see a dead owner, only one may remove the lock; another could remove a new lock
  const guard = `${path}.break`
  for (const until = performance.now() + maxBreakMs; performance.now() < until; await sleep(2)) {
    const state = await stateOf(path, ageMs)
    if (state !== 'dead') return state === 'gone'
    const obstacle = await symlink(processIdentity(), guard).then(() => undefined, codeOf)
    if (obstacle === 'EEXIST') {
      if ((await stateOf(guard)) === 'dead') await setAside(guard)
      continue
    }
    try {
      if ((await stateOf(path, ageMs)) === 'dead') await unlink(path).catch(ignoreCodes('ENOENT'))
    } finally {
      // on a full disk the guard was not created, so it is not removed either
      if (obstacle === undefined) await unlink(guard).catch(ignoreCodes('ENOENT'))
    }
  }
  return false
}

let asides = 0

/**
 * Removes the guard (the second lock for processes that remove a lock) of a process that died. If another
 * process has created a new guard meanwhile, restores that one.
 */
async function setAside(guard: string): Promise<void> {
  const aside = `${guard}.${processIdentity()}.${++asides}`
  try {
    await rename(guard, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await stateOf(aside)) === 'alive')
    await symlink(await readlink(aside), guard).catch(ignoreCodes('EEXIST'))
  await unlink(aside)
}

/** Creates the directory of the locks if possible; otherwise the caller finds it missing. */
function makeIfPossible(dir: string): void {
  try {
    makeDirectory(dir, 0o700)
  } catch (error) {
    if (![...impossible, 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}

async function acquireLock(dir: string, path: string): Promise<boolean> {
  const until = performance.now() + maxWaitMs
  for (let pause = 1; ; pause = Math.min(20, pause * 2)) {
    try {
      await symlink(processIdentity(), path)
      return true
    } catch (error) {
      const code = codeOf(error)
      if (code === 'ENOENT') makeIfPossible(dir)
      if (code !== 'EEXIST' && code !== 'ENOENT') {
        if (impossible.includes(code ?? '')) return false
        throw error
      }
      if (code === 'ENOENT' && (await lstat(dir).catch(() => undefined)) === undefined) return false
    }
    if (await breakLock(path)) continue
    if (performance.now() > until) {
      throw new FailureError({
        code: 'busy',
        message: 'another process has been writing the same file for 30 s',
      })
    }
    await sleep(pause * (0.5 + Math.random()))
  }
}

/** Error codes after which no lock can be created at all. */
const impossible = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]

async function stateOf(path: string, ageMs?: number): Promise<'alive' | 'dead' | 'gone'> {
  try {
    const [mark, { mtimeMs }] = await Promise.all([readlink(path), lstat(path)])
    return isAlive(mark, ageMs ?? Date.now() - mtimeMs) ? 'alive' : 'dead'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone'
    throw error
  }
}
