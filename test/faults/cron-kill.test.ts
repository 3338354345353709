// kill -9 of schedulers and of runs at any moment: every slot is settled once, and no run begins twice.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CronRun } from '../../internal/store/cron/cron-store.ts'
import { openStore } from '../../internal/store/sqlite.ts'
import { type World, world } from '../support/anode.ts'
import { rng } from '../support/rng.ts'
import { root } from '../support/sources.ts'

const rounds = Number(process.env['ANODE_FAULTS'] ?? 0) || 2
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

let w: World
const children: ChildProcess[] = []
beforeEach(() => {
  w = world()
  w.put('script.jsonl', '{"delay_ms":150,"text":"ok"}\n')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  w.remove()
})

function startScheduler(): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'dist/anode.cjs'), 'cron', 'run'], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: w.dir, ANODE_DATA_DIR: w.data },
    stdio: 'ignore',
  })
  children.push(child)
  return child
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when `ready` returns true. Otherwise the last value is in the error. */
async function until<T>(read: () => T, ready: (value: T) => boolean, forMs = 20_000): Promise<T> {
  for (const end = Date.now() + forMs; ; await pause(20)) {
    const value = read()
    if (ready(value)) return value
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`)
  }
}

const isOpen = ({ state }: CronRun) => state === 'claimed' || state === 'running'

test(`schedulers are killed at any moment (seed ${seed})`, async () => {
  const random = rng(seed)
  const store = await openStore(w.data)
  const slot = Date.UTC(2026, 0, 1)
  const base = {
    workspace: w.dir,
    schedule: '@yearly',
    timezone: 'UTC',
    kind: 'execute',
    prompt: 'x',
  } as const
  for (let round = 0; round < rounds; round++) {
    const victims = [startScheduler(), startScheduler()]
    const flags = { model: 'script:script.jsonl' }
    const { id } = store.cron.add({ ...base, name: `job ${round}`, flags, next: slot })
    await pause(random() * 700)
    for (const victim of victims) victim.kill('SIGKILL')
    const rescuer = startScheduler()
    await until(
      () => store.cron.history(id, 5),
      (runs) => runs.length > 0 && !runs.some(isOpen),
    )
    rescuer.kill('SIGTERM')
  }
  const runs = store.cron.list(w.dir).flatMap(({ id }) => store.cron.history(id, 5))
  const threads = store.threads.list({ workspace: w.dir })
  store.close()
  // a run outlives its scheduler: nothing is interrupted, nothing is lost, nothing happens twice
  expect(runs.map(({ state, slot: at, note }) => [state, at, note])).toEqual(
    Array.from({ length: rounds }, () => ['done', slot, 'ok']),
  )
  expect(threads.map((thread) => thread.id).sort()).toEqual(runs.map((run) => run.thread).sort())
}, 60_000)

test('a run that is killed is on record as interrupted, and the next slot runs', async () => {
  w.put('script.jsonl', '{"delay_ms":20000,"text":"ok"}\n')
  await w.anode(['cron', 'add', '@yearly', '--execute', 'x', '--name', 'a', '--model', 'script:script.jsonl'])
  const store = await openStore(w.data)
  const { id } = store.cron.find(w.dir, 'a')
  store.cron.setNext(id, Date.UTC(2026, 0, 1))
  startScheduler()
  const [run] = await until(
    () => store.cron.history(id, 5),
    ([one]) => one?.state === 'running',
  )
  process.kill(Number(run?.owner.split('-')[0]), 'SIGKILL')
  const [ended] = await until(
    () => store.cron.history(id, 5),
    ([one]) => one !== undefined && !isOpen(one),
  )
  store.close()
  expect(ended).toMatchObject({ state: 'failed', note: 'its process ended without a result' })
}, 60_000)
