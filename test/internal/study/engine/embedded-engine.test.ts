// The queue of this machine: each job once, to one worker, and again when its taker is gone.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { StudyJob } from '../../../../internal/store/journal/journal.ts'
import { openDatabase } from '../../../../internal/store/sqlite.ts'
import { embeddedEngine } from '../../../../internal/study/engine/embedded-engine.ts'
import { LeaseHeld } from '../../../../internal/study/engine/study-engine.ts'
import { scratch } from '../../../support/scratch.ts'

async function queue(study = 'S1') {
  const dir = scratch()
  const opened: { close(): void }[] = []
  const engine = async (owner: string, log?: (text: string) => void) => {
    const db = await openDatabase(dir)
    opened.push(db)
    return embeddedEngine(db, { study, owner, ...(log && { log }) })
  }
  return {
    engine,
    close: () => {
      for (const db of opened) db.close()
    },
  }
}
const job = (n: number, epoch = 0, study = 'S1'): StudyJob => ({ study, task: `t${n}`, epoch })

test('every job goes to one worker, in order, and no job of another study', async () => {
  const { engine, close } = await queue()
  const first = await engine('a')
  const second = await engine('b')
  await first.enqueue(job(1, 0, 'S2'))
  for (let n = 1; n <= 20; n++) await first.enqueue(job(n))
  await first.enqueue(job(3))
  const done: string[] = []
  const stop = new AbortController()
  const run = async ({ study, task }: StudyJob) => {
    await setImmediate()
    done.push(`${study} ${task}`)
    if (done.length === 20) stop.abort()
  }
  await Promise.all([first.work(run, 2, stop.signal), second.work(run, 1, stop.signal)])
  expect(done.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `S1 t${i + 1}`).toSorted())
  expect((await first.health()).notes).toEqual(['0 waiting, 0 running'])
  close()
})

test('no more than `concurrency` run at once, and those that run are waited for', async () => {
  const { engine, close } = await queue()
  const one = await engine('a')
  for (let n = 1; n <= 6; n++) await one.enqueue(job(n))
  const stop = new AbortController()
  let now = 0
  let most = 0
  let over = 0
  await one.work(
    async () => {
      most = Math.max(most, ++now)
      if (over === 2) stop.abort()
      await expect.poll(() => most).toBe(2)
      now--
      over++
    },
    2,
    stop.signal,
  )
  expect([most, now]).toEqual([2, 0])
  close()
})

test('a held job comes back, one that throws does not', async () => {
  const lines: string[] = []
  const { engine, close } = await queue()
  const one = await engine('a', (text) => lines.push(text))
  await one.enqueue(job(1))
  await one.enqueue(job(2))
  const seen: string[] = []
  const stop = new AbortController()
  await one.work(
    async ({ task }) => {
      seen.push(task)
      if (task === 't2') throw new Error('broken')
      if (seen.filter((id) => id === 't1').length < 3) throw new LeaseHeld(Date.now() + 10)
      stop.abort()
    },
    1,
    stop.signal,
  )
  expect(seen.toSorted()).toEqual(['t1', 't1', 't1', 't2'])
  expect(lines).toEqual(['t2: broken'])
  close()
})

test('what a worker had taken is free when it is gone; what is cancelled is not handed out', async () => {
  const { engine, close } = await queue()
  const dead = await engine('dead')
  const live = await engine('live')
  await dead.enqueue(job(1))
  await dead.enqueue(job(2))
  const never = new AbortController()
  void dead.work(() => new Promise(() => undefined), 1, never.signal)
  while ((await live.health()).workers === 0) await sleep(5)
  never.abort()
  live.free('dead')
  await live.cancel('S1')
  expect((await live.health()).notes).toEqual(['0 waiting, 0 running'])
  await live.enqueue(job(3))
  const seen: string[] = []
  const stop = new AbortController()
  await live.work(
    async ({ task }) => {
      seen.push(task)
      stop.abort()
    },
    1,
    stop.signal,
  )
  expect(seen).toEqual(['t3'])
  close()
})
