// Locks between processes: who writes a file waits for whoever is writing it.
import { lstat, readlink, rename, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, FailureError } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import { isAlive, processIdentity } from '../process-identity.ts'
import { ignoreCodes } from './ignored-errors.ts'
import { makeDirectory } from './make-directory.ts'

/** Longest wait; whoever holds a lock needs milliseconds. */
const maxWaitMs = 30_000

/**
 * Runs `work` while no other process, and no other caller in this one, holds a lock on any of `paths` in
 * `dir`. Locks of dead processes are taken over. Where the file system cannot hold locks the work is done
 * without. Throws FailureError `busy` after 30 s.
 */
export async function withLocks<T>(
  dir: string,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // always in the same order, so that two callers never wait for each other
  const names = [...new Set(paths.map(lockName))].sort()
  const held: string[] = []
  try {
    for (const name of names) if (await acquire(dir, join(dir, name))) held.push(join(dir, name))
    return await work()
  } finally {
    for (const path of held) await unlink(path).catch(ignoreCodes('ENOENT'))
  }
}

/** The entry that stands for a lock on `path`: a symbolic link whose target is its owner's mark. */
export function lockName(path: string): string {
  return `lock.${fingerprint(path).slice(0, 16)}`
}

/** Breaking one takes a moment; whoever is stopped in the middle keeps others for no longer. */
const maxBreakMs = 1_000

/**
 * Removes the lock at `path` if its owner is dead. Answers whether it is gone. `ageMs` stands for its own
 * age: `Infinity` takes an owner of whom nobody can tell for dead.
 */
export async function breakLock(path: string, ageMs?: number): Promise<boolean> {
  // of those who see a dead owner only one removes the lock: another would remove what was made since
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
      // on a full disk there is none
      if (obstacle === undefined) await unlink(guard).catch(ignoreCodes('ENOENT'))
    }
  }
  return false
}

let asides = 0

/** Removes what a process has left that died while it broke a lock; what was made since goes back. */
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

/** Creates the directory of the locks where that is possible; otherwise the caller finds it missing. */
function makeIfPossible(dir: string): void {
  try {
    makeDirectory(dir, 0o700)
  } catch (error) {
    if (![...impossible, 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}

async function acquire(dir: string, path: string): Promise<boolean> {
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

/** What systems say where no entry can be made at all. */
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
