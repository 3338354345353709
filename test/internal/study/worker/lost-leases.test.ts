// Records of leases that end silently: they are written before the next attempt, for any order of deaths,
// in both journals.
import { expect, onTestFinished, test } from 'vitest'
import type { Journal } from '../../../../internal/store/journal/journal.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { redisJournal } from '../../../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import {
  listUnrecordedLosses,
  makeLossEntry,
  maxTaskAttempts,
} from '../../../../internal/study/worker/lost-leases.ts'
import { workOnTask } from '../../../../internal/study/worker/worker.ts'
import { startRedis, whereRedis } from '../../../support/redis.ts'
import { choice, rng } from '../../../support/rng.ts'
import { bench, closing, look, unled } from '../../../support/study-run.ts'

const never = new AbortController().signal
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

/** Moments at which the worker of a lease is killed. */
const deaths = [
  'before it starts',
  'after it has started',
  'seen by the coordinator',
  'another leads',
] as const
type Death = (typeof deaths)[number]

/** Runs a list of deaths on the only task of a study, then one worker that survives. */
async function runDeaths(
  list: readonly Death[],
  journalOf: (own: Journal, study: string) => Promise<Journal>,
) {
  const at = bench()
  const replies = [look, closing('E1.1')].map((reply) => ({ task: 't1', ...reply }))
  const { journal: own, plan, seat, job, study } = await unled(at, replies)
  await plan()
  const journal = await journalOf(own, study)
  await journal.append(study, [makeStudyEntry('status', { status: 'running', pid: 1, host: 'here' })])
  const known = async () => {
    const task = foldStudy(await journal.read(study, 0, 1_000)).tasks.get('t1')
    if (!task) throw new Error('no task')
    return task
  }
  const log = async () => ({ tasks: new Map(), lines: await journal.read(study, 0, 1_000) })
  for (const [i, death] of list.entries()) {
    const owner = `dead-${i}`
    const claimed = await journal.claim(job, owner, 60_000)
    if (claimed.state !== 'ok') throw new Error(claimed.state)
    const fence = { task: 't1', epoch: claimed.epoch, owner }
    if (death !== 'before it starts') {
      const start = { ...fence, attempt: 1, pid: 1, host: 'here' }
      const losses = listUnrecordedLosses(await known(), claimed.epoch, await log())
      await journal.append(study, [...losses, makeStudyEntry('task.started', start)], fence)
    }
    if (death === 'seen by the coordinator')
      await journal.append(study, [makeLossEntry(await known(), claimed.epoch, new Map())])
    if (death === 'another leads')
      await journal.append(study, [makeStudyEntry('status', { status: 'running', pid: i + 2, host: 'here' })])
    await journal.release(study, 't1', owner, false)
  }
  await workOnTask(job, seat('living', { journal }), never)
  return { lines: await journal.read(study, 0, 1_000), task: await known() }
}

async function check(journalOf: Parameters<typeof runDeaths>[1], rounds: number): Promise<void> {
  const random = rng(seed)
  for (let round = 0; round < rounds; round++) {
    const list = Array.from({ length: Math.floor(random() * 4) }, () => choice(random, deaths))
    const { lines, task } = await runDeaths(list, journalOf)
    const lost = lines.filter(({ kind }) => kind === 'task.lost').map(({ data }) => data)
    const name = `seed ${seed}: ${list.join(', ')}`
    expect(
      lost.map(({ epoch }) => epoch),
      name,
    ).toEqual(list.map((_, i) => i + 1))
    const counted = lost.filter(({ free }) => free !== true).length
    const isTooMany = counted >= maxTaskAttempts
    expect(task.result, name).toMatchObject(isTooMany ? { end: 'failed', reason: 'lost' } : { end: 'done' })
    const started = lines.filter(({ kind, data }) => kind === 'task.started' && data['owner'] === 'living')
    expect(
      started.map(({ data }) => data['attempt']),
      name,
    ).toEqual(isTooMany ? [] : [counted + 1])
  }
}

test(`in the local database (seed ${seed})`, () => check(async (own) => own, 12))

whereRedis('on a server', () => {
  test(`in its log (seed ${seed})`, async () => {
    const { url } = await startRedis()
    const journal = redisJournal(await openRedisServer(url))
    onTestFinished(() => journal.close())
    await check(async (own, study) => {
      const [head, ...rest] = await own.read(study, 0, 100)
      if (!head) throw new Error('no head')
      await journal.create(study, head, {})
      await journal.append(study, rest)
      return journal
    }, 6)
  })
})

test('limits the attempts of a task whose workers die, and a new coordinator adds one attempt', async () => {
  const all = async (own: Journal) => own
  const twice = await runDeaths(['after it has started', 'after it has started'], all)
  expect(twice.task.result).toMatchObject({ end: 'failed', reason: 'lost' })
  const silent = (count: number) =>
    runDeaths(
      Array.from({ length: count }, () => 'before it starts' as const),
      all,
    )
  expect((await silent(5)).task).toMatchObject({ attempts: 2, result: { end: 'done' } })
  expect((await silent(6)).task.result).toMatchObject({ end: 'failed', reason: 'lost' })
  const forgiven = await runDeaths(['after it has started', 'another leads'], all)
  expect(forgiven.task).toMatchObject({ attempts: 2, result: { end: 'done' } })
})
