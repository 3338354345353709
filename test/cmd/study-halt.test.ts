// Studies that are stopped by a signal, another process, a second coordinator or a limit, and then resumed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test as inTurn, type TestContext } from 'vitest'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { type World, world } from '../support/anode.ts'
import { type Live, live } from '../support/live.ts'
import { closing, look } from '../support/study-run.ts'

// The steps take seconds and the deadlines have to pass, so these tests run concurrently.
const test = inTurn.concurrent

/** Returns the workspace of one test, which is removed when the test has finished. */
function ground({ onTestFinished }: TestContext): World {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
  return at
}

const report = { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].\n' }

/** Returns the arguments for a study of one task whose second step takes `delay` milliseconds. */
function words(at: World, delay: number, ...more: (string | object[])[]): string[] {
  const script = join(at.data, '..', 'script.jsonl')
  const plan = join(at.data, '..', 'plan.json')
  const own = more.find((one) => typeof one !== 'string')
  const replies = own ?? [
    { task: 't1', ...look },
    { task: 't1', delay_ms: delay, calls: [{ name: 'grep', args: { pattern: 'O_EXCL' } }] },
    { task: 't1', ...closing('E1.1') },
    report,
  ]
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  writeFileSync(plan, JSON.stringify({ tasks: [{ objective: 'locks' }] }))
  const flags = more.filter((one) => typeof one === 'string')
  return ['study', 'what of locks?', '--plan', plan, '--model', `script:${script}`, ...flags]
}

/** Waits until the worker has its first result. */
async function underWay(at: World, delay: number): Promise<Live> {
  const running = live(at, words(at, delay))
  await running.until(/^plan/m, 'err')
  // Checked in this process, because a separate program may start after the step has ended.
  const journal = await openJournal(at.data)
  try {
    for (;;) {
      const [study] = journal.studies.list({ limit: 1 })
      const lines = study ? await journal.read(study.id, 0, 1_000) : []
      if (lines.some(({ kind }) => kind === 'result')) return running
      await setTimeout(20)
    }
  } finally {
    await journal.close()
  }
}

const resumed = async (at: World) => {
  const done = await at.anode(['study', 'resume', 'last', '--json', '--quiet'])
  return { code: done.code, ...(JSON.parse(done.out) as Record<string, unknown>) }
}
const whole = { code: 0, status: 'done', repaid_steps: 0, duplicate_claims: 0, steps: 4 }

test.for([
  ['after the step', 250],
  ['soon, when the step takes long', 600_000],
] as const)('an interrupt ends it %s, and it can be resumed', async ([, delay], context) => {
  const at = ground(context)
  const running = await underWay(at, delay)
  running.child.kill('SIGINT')
  const done = await running.done
  words(at, 0)
  expect(done.code).toBe(130)
  expect(done.err).toMatch(/interrupted; to continue: anode study resume \w{10}/)
  expect((await at.anode(['study', 'status', 'last'])).out).toContain('paused')
  expect(await resumed(at)).toMatchObject(whole)
  expect(await at.anode(['study', 'resume', 'last'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is done: nothing is left to resume'),
  })
})

test('a second interrupt ends it at once, and it can still be resumed', async (context) => {
  const at = ground(context)
  const running = await underWay(at, 20_000)
  running.child.kill('SIGINT')
  await setTimeout(300)
  running.child.kill('SIGINT')
  expect((await running.done).code).toBe(130)
  words(at, 0)
  expect(await resumed(at)).toMatchObject(whole)
})

test('another process cancels it, twice', async (context) => {
  const at = ground(context)
  const running = await underWay(at, 1500)
  expect(await at.anode(['study', 'cancel', 'last'])).toMatchObject({ code: 0 })
  const done = await running.done
  expect(done.code).toBe(130)
  expect(done.err).toContain('cancelled')
  const again = await at.anode(['study', 'cancel', 'last'])
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('is cancelled already') })
  expect(await resumed(at)).toMatchObject(whole)
})

test.for([false, true])(
  'a forced cancellation waits for no step, also after a normal cancellation: %s',
  async (isSecond, context) => {
    const at = ground(context)
    const running = await underWay(at, 600_000)
    if (isSecond) {
      const mild = await at.anode(['study', 'cancel', 'last'])
      expect(mild.out).toContain('workers finish their step')
    }
    expect((await at.anode(['study', 'cancel', 'last', '--force'])).out).toMatch(/^cancelled \w+; /)
    expect((await running.done).code).toBe(130)
    words(at, 0)
    expect(await resumed(at)).toMatchObject(whole)
  },
)

test('only one process leads a study', async (context) => {
  const at = ground(context)
  // the step outlasts the second process, however slowly that process starts
  const running = await underWay(at, 600_000)
  const second = await at.anode(['study', 'resume', 'last'])
  expect(second.code).toBe(1)
  expect(second.err).toContain(`already running as pid ${running.pid}`)
  running.child.kill('SIGINT')
  expect((await running.done).code).toBe(130)
  words(at, 0)
  expect(await resumed(at)).toMatchObject(whole)
})

test('a raised limit lets the task resume at its last step', async (context) => {
  const at = ground(context)
  const grep = { calls: [{ name: 'grep', args: { pattern: 'O_EXCL' } }] }
  const closings = [{ ...closing('E1.1'), gaps: ['for how long'] }, grep, closing('E1.1')]
  const script = [look, ...closings].map((reply) => ({ task: 't1', ...reply }))
  const done = await at.anode(
    words(at, 0, [...script, { ...report, task: 'report2' }], '--budget-tokens', '12000'),
  )
  expect(done.code).toBe(3)
  expect(done.err).toContain('t1   budget    1 claim')
  expect((await at.anode(['study', 'resume', 'last'])).err).toContain('nothing is left to resume')
  const more = await at.anode(['study', 'resume', 'last', '--json', '--quiet', '--budget-tokens', '100000'])
  expect({ code: more.code, ...JSON.parse(more.out) }).toMatchObject({
    ...whole,
    steps: 5,
    claims: [{ id: 'C1.1', verified: true }],
    limits: { tokens: 100_000 },
  })
})

test('resuming after the deadline starts a new deadline', async (context) => {
  const at = ground(context)
  const done = await at.anode(words(at, 30_000, '--deadline', '2s'))
  expect(done.code).toBe(3)
  expect(done.err).toContain('t1   timed out')
  words(at, 0)
  const more = await at.anode(['study', 'resume', 'last', '--json', '--quiet', '--deadline', '1m'])
  expect({ code: more.code, ...JSON.parse(more.out) }).toMatchObject(whole)
})

test('reports a data directory that cannot be written before any request', async (context) => {
  const at = ground(context)
  at.put('file', '')
  const done = await at.anode(words(at, 0), { env: { ANODE_DATA_DIR: join(at.dir, 'file', 'data') } })
  expect(done).toMatchObject({ code: 2, out: '', err: expect.stringContaining('file/data') })
})
