// Locks: one holder, reported to waiting processes, and taken over from dead ones.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { acquireFileLock, readLockHolder } from '../../../../internal/research/workspace/file-lock.ts'
import { refusal } from '../../../support/research.ts'
import { scratch } from '../../../support/scratch.ts'

const signal = new AbortController().signal

it('has one holder at a time and names it', async () => {
  const path = join(scratch(), 'deep', 'lock')
  const lease = await acquireFileLock(path, { signal })
  expect(await readLockHolder(path)).toBe(process.pid)
  const waited: number[] = []
  const wait = { ms: 1_000, signal, waiting: (pid: number) => void waited.push(pid) }
  await expect(acquireFileLock(path, wait)).rejects.toThrow(`busy, pid ${process.pid}`)
  expect(waited).toEqual([process.pid])
  await lease.release()
  expect(await readLockHolder(path)).toBe(0)
  await (await acquireFileLock(path, { ms: 0, signal })).release()
})

it('takes over from a process that is gone', async () => {
  const path = join(scratch(), 'lock')
  const [, ...rest] = processIdentity().split('-')
  symlinkSync(['4194305', '1', ...rest.slice(1)].join('-'), path)
  const lease = await acquireFileLock(path, { ms: 0, signal })
  expect(await readLockHolder(path)).toBe(process.pid)
  await lease.release()
})

it('gives up when it is cancelled', async () => {
  const path = join(scratch(), 'lock')
  const lease = await acquireFileLock(path, { signal })
  const stop = new AbortController()
  const waiting = refusal(acquireFileLock(path, { signal: stop.signal }))
  stop.abort()
  expect(await waiting).toBe('cancelled')
  await lease.release()
})
