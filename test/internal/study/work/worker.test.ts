// One worker on one task: whose writes count, what is tried again, and what is handed on.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import { LeaseHeld } from '../../../../internal/study/engine.ts'
import { fold } from '../../../../internal/study/state.ts'
import { work } from '../../../../internal/study/work/worker.ts'
import { bench, closing, look, unled } from '../../../support/study-run.ts'

const never = new AbortController().signal
const t1 = (...replies: object[]) => replies.map((reply) => ({ task: 't1', ...reply }))

test('who has lost the lease drops its work, and the task ends once', async () => {
  const slow = { delay_ms: 700 }
  const { journal, plan, seat, job, study } = await unled(
    bench(),
    t1({ ...look, ...slow }, { ...closing('E1.1'), ...slow }),
  )
  await plan()
  // the first one shows no sign of life while its model thinks
  const first = work(job, seat('first', { leaseMs: 200, beatMs: 60_000 }), never)
  await sleep(300)
  await work(job, seat('second'), never)
  await first
  const lines = await journal.read(study, 0, 100)
  const ended = lines.filter(({ kind }) => kind === 'task.ended')
  expect(ended).toHaveLength(1)
  expect(ended[0]?.data).toMatchObject({ result: { end: 'done', claims: ['C1.1'] } })
  expect(lines.filter(({ kind }) => kind === 'step')).toHaveLength(2)
  expect(lines.filter(({ kind }) => kind === 'claim')).toHaveLength(1)
  expect(await journal.claim(job, 'third', 1000)).toEqual({ state: 'ended' })
})

test('a task that somebody works on comes back later', async () => {
  const { journal, plan, seat, job } = await unled(bench(), t1(look))
  await plan()
  await journal.claim(job, 'somebody', 60_000)
  await expect(work(job, seat('other'), never)).rejects.toBeInstanceOf(LeaseHeld)
})

test('an outage is tried again once, by another claim', async () => {
  const down = { error: { status: 400, message: 'no such model' } }
  const outage = Array.from({ length: 5 }, () => ({ error: { status: 503, retry_after_ms: 1 } }))
  const at = bench()
  const { journal, plan, seat, job, study } = await unled(at, t1(...outage, ...outage, down))
  await plan()
  const one = seat('one')
  await work(job, one, never)
  const between = fold(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(between).toMatchObject({ status: 'open', attempts: 1 })
  await work({ ...job, epoch: 1 }, one, never)
  const task = fold(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(task?.result).toMatchObject({ end: 'failed', reason: 'server' })
  expect(task?.attempts).toBe(2)
})

test('workers without the model pass the task on; after five of them it fails', async () => {
  const { journal, plan, seat, job, study } = await unled(bench(), [])
  await plan()
  const lacking = seat('poor', {
    model: async () => {
      throw new UserError('there is no key for this model')
    },
  })
  for (let i = 0; i < 5; i++) {
    expect(fold(await journal.read(study, 0, 100)).tasks.get('t1')?.status).toBe('open')
    await work({ ...job, epoch: i }, lacking, never)
  }
  const task = fold(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(task?.result).toMatchObject({
    end: 'failed',
    reason: 'model_unavailable',
    detail: 'there is no key for this model',
  })
})

test('what breaks in the worker counts as an attempt and is told', async () => {
  const { journal, plan, seat, job, study } = await unled(bench(), t1(look))
  await plan()
  const broken = seat('broken', {
    desk: async () => {
      throw new Error('a bug')
    },
  })
  for (const epoch of [0, 1]) await expect(work({ ...job, epoch }, broken, never)).rejects.toThrow('a bug')
  await work({ ...job, epoch: 2 }, seat('whole'), never)
  const lines = await journal.read(study, 0, 100)
  expect(lines.filter(({ kind }) => kind === 'task.lost').map(({ data }) => data['why'])).toEqual([
    'a bug',
    'a bug',
  ])
  expect(fold(lines).tasks.get('t1')?.result).toMatchObject({ end: 'failed', reason: 'lost' })
})
