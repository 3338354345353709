// Locks between callers and processes, and those of the dead.
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { breakLock, lockName, withLocks } from '../../../../internal/base/files/path-locks.ts'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { scratch } from '../../../support/scratch.ts'

const dead = ['999999999', ...processIdentity().split('-').slice(1)].join('-')

it('lets one caller work at a time, for any order of the paths', async () => {
  const dir = join(scratch(), 'not', 'yet', 'there')
  let inside = 0
  let maxActive = 0
  const work = async () => {
    maxActive = Math.max(maxActive, ++inside)
    // others get their turn
    await setImmediate()
    inside--
  }
  const orders = [
    ['a', 'b'],
    ['b', 'a'],
    ['b', 'c', 'a', 'b'],
  ]
  await Promise.all(Array.from({ length: 12 }, (_, i) => withLocks(dir, orders[i % 3] ?? [], work)))
  expect(maxActive).toBe(1)
  expect(readdirSync(dir)).toEqual([])
})

it('the lock is released if the work fails', async () => {
  const dir = scratch()
  await expect(withLocks(dir, ['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLocks(dir, ['a'], async () => 'again')).toBe('again')
})

it('takes the lock of an ended process, and waits for a running process', async () => {
  const dir = scratch()
  const path = join(dir, lockName('a'))
  symlinkSync(dead, path)
  expect(await withLocks(dir, ['a'], async () => readlinkSync(path))).toBe(processIdentity())
  symlinkSync(processIdentity(), path)
  expect(await breakLock(path)).toBe(false)
  expect(readlinkSync(path)).toBe(processIdentity())
  expect(await breakLock(join(dir, 'none'))).toBe(true)
})

it('works without a lock if nothing can be written', async () => {
  const dir = scratch()
  writeFileSync(join(dir, 'file'), '')
  expect(await withLocks(join(dir, 'file'), ['a'], async () => 'done')).toBe('done')
})
