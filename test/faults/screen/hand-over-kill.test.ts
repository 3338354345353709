// A session that is killed during the handoff of its run to another process: one process continues the
// thread, or it can be resumed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { processesWith } from '../../internal/process/scratch.ts'
import { rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'

const tries = rounds(6, 20 * Number(process.env.ANODE_FAULTS ?? 1))
const width = 3

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const steps = ['a', 'b', 'c', 'd']
const replies = [
  ...steps.map((step) => bash(`echo ${step} >> marks; sleep 0.${step === 'b' ? 6 : 1}`)),
  { text: 'All is done.' },
]

const marksOf = ({ dir }: ScreenWorld) =>
  existsSync(join(dir, 'marks')) ? readFileSync(join(dir, 'marks'), 'utf8').trim().split('\n') : []

/** Returns a session that has just got the command to leave its run running. */
async function leave() {
  const at = openScreenWorld(replies)
  const screen = at.startInShell([...at.model, '--approval', 'unrestricted', 'Do it'])
  await expect.poll(() => marksOf(at).length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(1)
  screen.type('\x04')
  await screen.until(/d leave it running/, 60_000)
  screen.type('d')
  return { at, screen }
}

/**
 * Returns the runs of the thread in the order of their events. Throws if two of them write at the same time.
 */
async function readRuns({ data }: ScreenWorld): Promise<{ thread: string; ends: string[] }> {
  return withDataStore({ ANODE_DATA_DIR: data }, (store) => {
    const [thread] = store.threads.list({ limit: 1 })
    if (!thread) throw new Error('there is no thread')
    const events = store.threads.events(thread.id, 0, 500)
    const begun: string[] = []
    for (const { type, run_id: run } of events) {
      if (type === 'system.init') begun.push(run)
      else if (begun.includes(run))
        expect(run, `${type} of a run that another one follows`).toBe(begun.at(-1))
    }
    const ends = events.flatMap((event) => (event.type === 'run.ended' ? [event.payload.end] : []))
    return { thread: thread.id, ends }
  })
}

/** Kills the program below its shell, if the handoff has not ended it yet. */
function killBelow(shell: number): void {
  const path = `/proc/${shell}/task/${shell}/children`
  try {
    for (const pid of readFileSync(path, 'utf8').split(' ').filter(Boolean))
      process.kill(Number(pid), 'SIGKILL')
  } catch {
    // it has ended
  }
}

async function killDuring(ms: number): Promise<'went on' | 'resumed'> {
  const { at, screen } = await leave()
  await sleep(ms)
  killBelow(screen.program.pid)
  await screen.exit
  const list = async () =>
    JSON.parse((await at.anode(['runs', 'list', '--json'])).out || '[]') as { state: string }[]
  // The run is listed once another process has it. Otherwise nothing of the session is left.
  await expect
    .poll(async () => (await list()).length > 0 || processesWith(at.data).length === 0, { timeout: 60_000 })
    .toBe(true)
  const [run] = await list()
  if (run) await expect.poll(async () => (await list())[0]?.state, { timeout: 60_000 }).toBe('ended')
  const marks = marksOf(at)
  expect(marks).toEqual(steps.slice(0, marks.length))
  const { thread, ends } = await readRuns(at)
  if (ends.at(-1) === 'done') {
    expect(marks).toEqual(steps)
    return 'went on'
  }
  at.put('../last.jsonl', `${JSON.stringify({ text: 'It goes on.' })}\n`)
  const script = `script:${join(at.dir, '..', 'last.jsonl')}`
  const again = await at.anode(['execute', '--resume', thread, '--model', script, 'Go on'])
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('It goes on.') })
  await readRuns(at)
  expect(marksOf(at)).toEqual(marks)
  return 'resumed'
}

it(`kill -9 at ${tries} moments of handing over loses no run and doubles nothing`, {
  timeout: 3_600_000,
}, async () => {
  const began = performance.now()
  const whole = await leave().then(async ({ screen }) => {
    const since = performance.now()
    expect(await screen.exit).toBe(0)
    return performance.now() - since
  })
  const random = rng(Number(process.env.ANODE_SEED ?? 11))
  const moments = Array.from({ length: tries }, () => random() * whole * 1.1)
  const count = { 'went on': 0, resumed: 0 }
  for (let at = 0; at < tries; at += width)
    for (const how of await Promise.all(moments.slice(at, at + width).map(killDuring))) count[how]++
  const took = Math.round((performance.now() - began) / 1000)
  console.log(
    `handing over takes ${Math.round(whole)} ms; killed ${tries}: ${JSON.stringify(count)}; ${took} s`,
  )
  expect(count['went on'] + count.resumed).toBe(tries)
})
