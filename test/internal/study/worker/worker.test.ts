// One worker on one task: the writes that count, the retries, and the tasks that are passed on.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import type { RunCommand } from '../../../../internal/process/process-command.ts'
import { LeaseHeld } from '../../../../internal/study/engine/study-engine.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { type StudyWorkerContext, workOnTask } from '../../../../internal/study/worker/worker.ts'
import { bench, closing, look, unled } from '../../../support/study-run.ts'

const never = new AbortController().signal
const t1 = (...replies: object[]) => replies.map((reply) => ({ task: 't1', ...reply }))

test('a worker without its lease drops its work, and the task ends once', async () => {
  const slow = { delay_ms: 700 }
  const { journal, plan, seat, job, study } = await unled(
    bench(),
    t1({ ...look, ...slow }, { ...closing('E1.1'), ...slow }),
  )
  await plan()
  // the first worker sends no heartbeat while its model thinks
  const first = workOnTask(job, seat('first', { leaseMs: 200, heartbeatMs: 60_000 }), never)
  while (!(await journal.read(study, 0, 100)).some(({ kind }) => kind === 'task.started')) await sleep(5)
  await sleep(300)
  await workOnTask(job, seat('second'), never)
  await first
  const lines = await journal.read(study, 0, 100)
  const ended = lines.filter(({ kind }) => kind === 'task.ended')
  expect(ended).toHaveLength(1)
  expect(ended[0]?.data).toMatchObject({ result: { end: 'done', claims: ['C1.1'] } })
  expect(lines.filter(({ kind }) => kind === 'step')).toHaveLength(2)
  expect(lines.filter(({ kind }) => kind === 'claim')).toHaveLength(1)
  expect(await journal.claim(job, 'third', 1000)).toEqual({ state: 'ended' })
})

test('a task with an active worker comes back later', async () => {
  const { journal, plan, seat, job } = await unled(bench(), t1(look))
  await plan()
  await journal.claim(job, 'somebody', 60_000)
  await expect(workOnTask(job, seat('other'), never)).rejects.toBeInstanceOf(LeaseHeld)
})

test('another claim retries once after an outage', async () => {
  const down = { error: { status: 400, message: 'no such model' } }
  const outage = Array.from({ length: 5 }, () => ({ error: { status: 503, retry_after_ms: 1 } }))
  const at = bench()
  const { journal, plan, seat, job, study } = await unled(at, t1(...outage, ...outage, down))
  await plan()
  const one = seat('one')
  await workOnTask(job, one, never)
  const between = foldStudy(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(between).toMatchObject({ status: 'open', attempts: 1 })
  await workOnTask({ ...job, epoch: 1 }, one, never)
  const task = foldStudy(await journal.read(study, 0, 100)).tasks.get('t1')
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
    expect(foldStudy(await journal.read(study, 0, 100)).tasks.get('t1')?.status).toBe('open')
    await workOnTask({ ...job, epoch: i }, lacking, never)
  }
  const task = foldStudy(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(task?.result).toMatchObject({
    end: 'failed',
    reason: 'model_unavailable',
    detail: 'there is no key for this model',
  })
})

test('a failure of the worker counts as an attempt and is reported', async () => {
  const { journal, plan, seat, job, study } = await unled(bench(), t1(look))
  await plan()
  const broken = seat('broken', {
    setUpTask: async () => {
      throw new Error('a bug')
    },
  })
  for (const epoch of [0, 1])
    await expect(workOnTask({ ...job, epoch }, broken, never)).rejects.toThrow('a bug')
  await workOnTask({ ...job, epoch: 2 }, seat('whole'), never)
  const lines = await journal.read(study, 0, 100)
  expect(lines.filter(({ kind }) => kind === 'task.lost').map(({ data }) => data['why'])).toEqual([
    'a bug',
    'a bug',
  ])
  expect(foldStudy(lines).tasks.get('t1')?.result).toMatchObject({ end: 'failed', reason: 'lost' })
})

/** Returns a seat whose searches die by `signal` instead of ending. */
function dying(whole: StudyWorkerContext, signal: string): StudyWorkerContext {
  return {
    ...whole,
    async setUpTask(...args) {
      const { ctx, ...desk } = await whole.setUpTask(...args)
      const {
        processes: { run },
      } = ctx.can
      const killed: RunCommand = (command) =>
        (run as RunCommand)({ ...command, file: '/bin/sh', args: ['-c', `kill -s ${signal} $$`] })
      return {
        ...desk,
        ctx: { ...ctx, can: { ...ctx.can, processes: { ...ctx.can.processes, run: killed } } },
      }
    },
  }
}

const searching = {
  calls: [
    { name: 'grep', args: { pattern: 'O_EXCL' } },
    { name: 'finder', args: { query: 'locks' } },
  ],
}

test.each([
  ['KILL', 0],
  ['KILL', 120],
  ['KILL', 350],
  ['TERM', 0],
  ['TERM', 120],
  ['TERM', 350],
])(
  'a search that dies by %s, %i ms before its worker is stopped, leaves nothing behind',
  async (signal, ms) => {
    const { journal, plan, seat, job, study } = await unled(bench(), t1(searching, closing('E1.1')))
    await plan()
    const stop = new AbortController()
    const watching = (async () => {
      // the response with the searches is recorded before they run
      for (;;) {
        const lines = await journal.read(study, 0, 100)
        if (lines.some(({ kind }) => kind === 'step')) break
        await sleep(5)
      }
      await sleep(ms)
      stop.abort()
    })()
    await workOnTask(job, dying(seat('first'), signal), stop.signal)
    await watching
    const between = await journal.read(study, 0, 100)
    expect(between.filter(({ kind }) => kind === 'result' || kind === 'evidence')).toEqual([])
    expect(foldStudy(between).tasks.get('t1')?.status).toBe('open')
    await workOnTask({ ...job, epoch: 1 }, seat('second'), never)
    const state = foldStudy(await journal.read(study, 0, 100))
    expect(state.tasks.get('t1')?.result).toMatchObject({ end: 'done', claims: ['C1.1'] })
    expect(state.repaid).toBe(0)
  },
)

test('records a search that dies without a stop as failed', async () => {
  const { journal, plan, seat, job, study } = await unled(
    bench(),
    t1(searching, { claims: [], gaps: ['all'] }),
  )
  await plan()
  await workOnTask(job, dying(seat('first'), 'KILL'), never)
  const results = (await journal.read(study, 0, 100)).filter(({ kind }) => kind === 'result')
  expect(results.map(({ data }) => data['ok'])).toEqual([false, false])
})

/**
 * Returns a seat whose model rejects requests with more than `most` characters, and the sizes
 * of its requests.
 */
function narrow(whole: StudyWorkerContext, most: number): { seat: StudyWorkerContext; sizes: number[] } {
  const sizes: number[] = []
  const model: StudyWorkerContext['model'] = async (...args) => {
    const inner = await whole.model(...args)
    return {
      ...inner,
      async *stream(asked, signal) {
        const size = JSON.stringify(asked.messages).length
        sizes.push(size)
        if (size <= most) return yield* inner.stream(asked, signal)
        yield { type: 'failure', failure: { kind: 'context_too_long', message: 'does not fit' } }
      },
    }
  }
  return { seat: { ...whole, model }, sizes }
}

test('compacts a short conversation further if it is rejected as too long', async () => {
  const at = bench({ 'doc/lock.md': `The store locks with O_EXCL.\n${`${'word '.repeat(7)}\n`.repeat(900)}` })
  const { journal, plan, seat, job, study } = await unled(at, t1(look, closing('E1.1')))
  await plan()
  const { seat: small, sizes } = narrow(seat('small'), 25_000)
  await workOnTask(job, small, never)
  const task = foldStudy(await journal.read(study, 0, 100)).tasks.get('t1')
  expect(task?.result).toMatchObject({ end: 'done' })
  const refused = sizes.filter((size) => size > 25_000)
  expect(refused, 'refused once, then sent again').toHaveLength(1)
  expect(sizes.at(-1)).toBeLessThan(25_000)
})

/** Returns a worker that hangs at its `nth` message to the mailbox, as if it were killed there. */
function deadAt(whole: StudyWorkerContext, nth: number): StudyWorkerContext {
  let acknowledged = 0
  const { journal } = whole
  const mail: typeof journal.mail = {
    ...journal.mail,
    acknowledge: async (...args) => {
      if (args[2].length > 0 && ++acknowledged >= nth) await new Promise(() => undefined)
      return journal.mail.acknowledge(...args)
    },
  }
  return { ...whole, leaseMs: 300, heartbeatMs: 60_000, journal: { ...journal, mail } }
}

test.each([
  ['before the step that holds it', 5_000, [{ ...look }, closing('E1.1')], 1],
  ['after the step that holds it', 0, [{ ...look }, closing('E1.1')], 1],
  ['after the last step', 0, [closing('E1.1')], 1],
] as const)(
  'mail of a worker that died %s is read once and never stays leased',
  async (_name, delay, replies, nth) => {
    const at = bench()
    const slow = replies.map((reply) => ({ ...reply, delay_ms: delay }))
    const { journal, plan, seat, job, study } = await unled(at, t1(...slow))
    await plan()
    const scope = `study:${study}`
    const post = (to: string) =>
      journal.mail.send({ scope, from: 't2', to, type: 'status', body: 'look there' })
    await journal.mail.join(scope, 't1')
    await post('t1')
    void workOnTask(job, deadAt(seat('first'), nth), never).catch(() => undefined)
    const leased = async () => (await journal.mail.list({ scope, states: ['leased'] })).length
    while ((await leased()) === 0) await sleep(20)
    await sleep(delay === 0 ? 600 : 350)
    const second = seat('second', { model: async () => quick })
    const quick = await (await unled(at, t1(look, closing('E1.1'), closing('E1.1'))))
      .seat('x')
      .model(foldStudy(await journal.read(study, 0, 1)).head)
    await workOnTask({ ...job, epoch: 1 }, second, never)
    const deliveries = await journal.mail.list({ scope })
    expect(deliveries.map(({ state }) => state)).toEqual(['acked'])
    const steps = (await journal.read(study, 0, 100)).filter(({ kind }) => kind === 'step')
    expect(steps.flatMap(({ data }) => data['mail'])).toHaveLength(1)
  },
)
