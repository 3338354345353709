// Tasks of one process: any number of them runs at once, and a task that takes the process runs alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { untilAborted } from '../../../../internal/base/time-limit.ts'
import type { Journal } from '../../../../internal/store/journal/journal.ts'
import { rng } from '../../../support/rng.ts'

// A task of another test file in this process must not count, so this file has the module for itself.
vi.resetModules()
const { runInProcess } = await import('../../../../internal/study/worker/process-share.ts')

const never = new AbortController().signal
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

/** Returns a lease, and the number of its heartbeats. */
function createLease() {
  const beats = { count: 0 }
  const heartbeat = async () => {
    beats.count++
    return true
  }
  const fence = { task: 't1', epoch: 1, owner: 'me' }
  const journal = { heartbeat } as unknown as Journal
  return { beats, lease: { journal, study: 's', fence, leaseMs: 1000, heartbeatMs: 5 } }
}

test(`no other task runs next to one that takes the process (seed ${seed})`, async () => {
  const random = rng(seed)
  const { lease } = createLease()
  const seen: string[] = []
  let shared = 0
  let alone = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      await sleep(random() * 30)
      await runInProcess(never, async ({ takeAlone }) => {
        const wantsAll = i % 6 === 0
        if (wantsAll) await takeAlone(lease)
        if (wantsAll) alone++
        else shared++
        most = Math.max(most, shared)
        if (alone > 1 || (alone > 0 && shared > 0)) seen.push(`${alone} alone, ${shared} others`)
        await sleep(random() * 10)
        if (wantsAll) alone--
        else shared--
        // a task that fails leaves the process too
        if (i % 7 === 0) throw new Error('failed')
      }).catch(() => undefined)
    }),
  )
  expect(seen).toEqual([])
  expect(most).toBeGreaterThan(1)
  let after = 0
  await runInProcess(never, async () => void after++)
  expect(after).toBe(1)
})

test('a task that waits for the process prolongs its lease, and a stop lets the others in', async () => {
  const { lease, beats } = createLease()
  const stop = new AbortController()
  const end = new AbortController()
  const long = runInProcess(never, () => untilAborted(end.signal))
  let isAlone = false
  const one = runInProcess(never, async ({ takeAlone }) => {
    await takeAlone(lease)
    isAlone = true
  })
  let isIn = false
  const other = runInProcess(stop.signal, async () => {
    isIn = true
  })
  await expect.poll(() => beats.count).toBeGreaterThan(2)
  expect([isAlone, isIn]).toEqual([false, false])
  stop.abort()
  await other
  expect([isAlone, isIn]).toEqual([false, true])
  end.abort()
  await Promise.all([long, one])
  expect(isAlone).toBe(true)
})
