// The scheduler over a real store: each slot once over several schedulers, missed, skipped and dead runs.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runScheduler } from '../../../internal/cron/scheduler.ts'
import type { CronJob, CronRun } from '../../../internal/store/cron/cron-store.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()
const minute = 60_000

function add(name: string, over: Partial<CronJob> = {}): CronJob {
  return place.store.cron.add({
    ...{ workspace: place.dir, name, schedule: '* * * * *', timezone: 'UTC', kind: 'execute' as const },
    ...{ prompt: 'x', flags: {}, next: place.clock.now - (place.clock.now % minute) },
    ...over,
  })
}

/** Runs one pass of a scheduler whose runs begin and end as real ones do. */
async function pass(store = place.store, work: (run: CronRun) => Promise<void> = async () => undefined) {
  const seen: string[] = []
  await runScheduler({
    ...{ store: store.cron, once: true, signal: new AbortController().signal },
    now: () => place.clock.now,
    report: (run, job) => seen.push(`${job.name} ${run.state}`),
    start: async (run) => {
      if (!store.cron.begin(run.id, run.claim, 'me')) return
      await work(run)
      store.cron.end(run.id, { state: 'done', thread: 't', exit: 0, note: '' })
    },
  })
  return seen
}

test('runs due jobs once, and no others', async () => {
  const job = add('a')
  add('later', { next: place.clock.now + minute })
  add('off', { next: null })
  expect(await pass()).toEqual(['a claimed'])
  expect(await pass()).toEqual([])
  expect(place.store.cron.history(job.id, 5)).toMatchObject([{ state: 'done', late: false, missed: 0 }])
  expect(place.store.cron.get(job.id)?.next).toBe((job.next as number) + minute)
})

test('runs once for several missed slots, for the last of them, and marks the run as late', async () => {
  const job = add('a')
  place.clock.now += 10 * minute
  expect(await pass()).toEqual(['a claimed'])
  const [run, ...more] = place.store.cron.history(job.id, 5)
  expect(more).toEqual([])
  expect(run).toMatchObject({ late: true, missed: 10, slot: (job.next as number) + 10 * minute })
})

test('settles a month of missed minutes in one step', async () => {
  const job = add('a')
  place.clock.now += 30 * 1440 * minute
  await pass()
  expect(place.store.cron.history(job.id, 5)).toMatchObject([{ late: true, missed: 1000 }])
})

test('skips a slot while its job still runs, records the skip, and runs the next slot', async () => {
  const job = add('a')
  const work = async () => {
    place.clock.now += minute
    expect(await pass(await other())).toEqual(['a skipped'])
  }
  await pass(place.store, work)
  place.clock.now += minute
  await pass()
  const states = place.store.cron.history(job.id, 5).map(({ state }) => state)
  expect(states).toEqual(['done', 'skipped', 'done'])
})

const opened: { close(): void }[] = []
async function other() {
  const store = await openStore(place.dir, { now: () => place.clock.now })
  opened.push(store)
  return store
}

test('two schedulers on one store run each slot once', async () => {
  const jobs = ['a', 'b', 'c'].map((name) => add(name))
  const second = await other()
  const counts = new Map<string, number>()
  const count = async (run: CronRun) => {
    counts.set(`${run.job} ${run.slot}`, (counts.get(`${run.job} ${run.slot}`) ?? 0) + 1)
    await setImmediate()
  }
  for (let i = 0; i < 6; i++) {
    await Promise.all([pass(place.store, count), pass(second, count)])
    place.clock.now += minute
  }
  expect([...counts.values()].every((n) => n === 1)).toBe(true)
  for (const { id } of jobs) {
    const runs = place.store.cron.history(id, 100)
    const settled = runs.reduce((sum, { missed }) => sum + missed + 1, 0)
    expect(settled).toBe(6)
    expect(new Set(runs.map(({ slot }) => slot)).size).toBe(runs.length)
  }
})

test('runs two jobs at a time, and the others when one ends', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) add(name)
  let open = 0
  let most = 0
  const seen = await pass(place.store, async () => {
    most = Math.max(most, ++open)
    await expect.poll(() => most).toBe(2)
    open--
  })
  expect([seen.length, most]).toEqual([5, 2])
})

test('restarts a claim whose process died before the start, and rejects the old claim', async () => {
  const job = add('a')
  const { cron } = place.store
  const slot = { job: job.id, expected: job.next as number, slot: job.next as number, next: null }
  const dead = '999999999-1-00000000-0-00000000'
  const claimed = cron.take({ ...slot, late: false, missed: 0, owner: dead, maxOpen: 2 }) as CronRun
  place.clock.now += 11 * minute
  expect(await pass()).toEqual(['a claimed'])
  expect(cron.begin(claimed.id, claimed.claim, 'old child')).toBeUndefined()
  expect(cron.history(job.id, 5)).toMatchObject([{ id: claimed.id, state: 'done' }])
})

test('marks a run whose process died as interrupted, does not repeat it, and runs the next slot', async () => {
  const job = add('a')
  const { cron } = place.store
  const run = cron.claim(job.id, 'x')
  cron.begin(run.id, run.claim, '999999999-1-00000000-0-00000000')
  place.clock.now += 11 * minute
  expect(await pass()).toEqual(['a claimed'])
  expect(cron.history(job.id, 5).map(({ state }) => state)).toEqual(['done', 'interrupted'])
  for (const store of opened.splice(0)) store.close()
})

test('an abort ends the wait, and the scheduler waits for the running job', async () => {
  add('later', { next: place.clock.now + 60 * minute })
  const stop = new AbortController()
  const running = runScheduler({
    ...{ store: place.store.cron, once: false, signal: stop.signal, now: () => place.clock.now },
    report: () => undefined,
    start: async () => undefined,
  })
  stop.abort()
  await running
})
