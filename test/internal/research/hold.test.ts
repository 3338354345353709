// Locks: one holder, told to who waits, taken over from the dead.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownMark } from '../../../internal/base/alive.ts'
import { holder, take } from '../../../internal/research/hold.ts'
import { refusal } from '../../support/research.ts'
import { scratch } from '../../support/scratch.ts'

const signal = new AbortController().signal

it('has one holder at a time and names it', async () => {
  const path = join(scratch(), 'deep', 'lock')
  const lease = await take(path, { signal })
  expect(await holder(path)).toBe(process.pid)
  const waited: number[] = []
  const wait = { ms: 30, signal, waiting: (pid: number) => void waited.push(pid) }
  await expect(take(path, wait)).rejects.toThrow(`busy, pid ${process.pid}`)
  expect(waited).toEqual([process.pid])
  await lease.release()
  expect(await holder(path)).toBe(0)
  await (await take(path, { ms: 0, signal })).release()
})

it('takes over from a process that is gone', async () => {
  const path = join(scratch(), 'lock')
  const [, ...rest] = ownMark().split('-')
  symlinkSync(['4194305', '1', ...rest.slice(1)].join('-'), path)
  const lease = await take(path, { ms: 0, signal })
  expect(await holder(path)).toBe(process.pid)
  await lease.release()
})

it('gives up when it is cancelled', async () => {
  const path = join(scratch(), 'lock')
  const lease = await take(path, { signal })
  const stop = new AbortController()
  const waiting = refusal(take(path, { signal: stop.signal }))
  stop.abort()
  expect(await waiting).toBe('cancelled')
  await lease.release()
})
