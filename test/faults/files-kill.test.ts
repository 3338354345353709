// kill -9 at every step of an edit and of a multi-file patch, and again at every step of the recovery.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverJournals } from '../../internal/base/files/file-transaction.ts'
import { bundled, node } from '../support/program.ts'
import { choice, rng } from '../support/rng.ts'
import { rounds, sampleRows } from '../support/sample.ts'
import { harvest, plant, scratch } from '../support/scratch.ts'
import { work } from './fixtures/file-jobs.ts'

const preload = join(import.meta.dirname, 'fixtures', 'kill-at.cjs')
const entry = join(import.meta.dirname, 'fixtures', 'file-tool.ts')
const long = Number(process.env.ANODE_FAULTS ?? 0)

interface Job {
  tool: string
  args: unknown
  /** Whether the job must fail, so that its changes are restored. */
  fails?: true
  before: Record<string, string>
  after: Record<string, string>
}

const filler = 'a line that stays\n'.repeat(2000)

const jobs: Job[] = [
  {
    tool: 'edit_file',
    args: { path: 'f', old_str: 'first', new_str: 'second' },
    before: { f: `first\n${filler}` },
    after: { f: `second\n${filler}` },
  },
  {
    tool: 'create_file',
    args: { path: 'new/deep/f', content: filler },
    before: { other: 'x' },
    after: { other: 'x', 'new/deep/f': filler },
  },
  {
    tool: 'apply_patch',
    args: {
      patch:
        '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-first\n+second\n--- a/sub/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n--- /dev/null\n+++ b/new/c\n@@ -0,0 +1 @@\n+made\n',
    },
    before: { a: `first\n${filler}`, 'sub/b': 'gone\n' },
    after: { a: `second\n${filler}`, 'new/c': 'made\n' },
  },
  {
    // x contains more than the transaction removes, which shows only after the others are written
    tool: 'commit',
    args: [
      { path: 'x/y', text: null },
      { path: 'a', text: 'second' },
      { path: 'new/c', text: 'made' },
      { path: 'x', text: 'a file' },
    ],
    fails: true,
    before: { a: 'first', 'x/y': 'gone', 'x/stays': '' },
    after: { a: 'second', 'x/stays': '', 'new/c': 'made', x: 'a file' },
  },
]

/** Approximate number of steps of each job, for a random choice. */
const length: Readonly<Record<string, number>> = {
  edit_file: 11,
  create_file: 15,
  apply_patch: 31,
  commit: 40,
}

/** Creates the world of one run: the workspace in its original state, and an empty data directory. */
function world(root: string, name: string, job: Job) {
  const workspace = join(root, name, 'workspace')
  const data = join(root, name, 'data')
  mkdirSync(data, { recursive: true })
  plant(workspace, job.before)
  return { workspace, data }
}

const temporary = /(^|\/)\.anode-/
const visible = (dir: string) =>
  Object.fromEntries(Object.entries(harvest(dir)).filter(([name]) => !temporary.test(name)))
const journal = (data: string) =>
  existsSync(join(data, 'journal')) ? readdirSync(join(data, 'journal')) : []

/** Checks I1: at any moment, each file has its old or its new content. */
function checkWhole(workspace: string, job: Job, where: string): void {
  for (const [name, content] of Object.entries(visible(workspace))) {
    expect([job.before[name], job.after[name]], `${where}: ${name}`).toContain(content)
  }
  for (const name of Object.keys(job.before)) {
    if (name in job.after) expect(Object.keys(visible(workspace)), where).toContain(name)
  }
}

/**
 * Checks I1 for all files together, I4 and I5: after the next start all files are old or all are new, and
 * nothing is left over.
 */
function checkSettled(workspace: string, data: string, job: Job, where: string): 'old' | 'new' {
  const now = harvest(workspace)
  expect([job.before, job.after], where).toContainEqual(now)
  expect(journal(data), where).toEqual([])
  const made = readdirSync(workspace, { recursive: true }).filter((name) => name === 'new')
  const isNew = JSON.stringify(now) === JSON.stringify(harvestOf(job.after))
  if (!isNew) expect(made, where).toEqual([])
  return isNew ? 'new' : 'old'
}

const harvestOf = (files: Record<string, string>) => Object.fromEntries(Object.entries(files).sort())

async function run(
  program: string,
  job: Job,
  at: { workspace: string; data: string },
  killAt: string,
  countTo = '',
) {
  return await node(
    ['--require', preload, program, job.tool, at.workspace, at.data, JSON.stringify(job.args)],
    {
      env: { KILL_AT: killAt, COUNT_TO: countTo },
    },
  )
}

it.each(jobs)('$tool survives kill -9 at its steps', { timeout: 600_000 }, async (job) => {
  const root = scratch()
  const program = await bundled(entry)
  const whole = world(root, 'whole', job)
  const ended = await run(program, job, whole, '0', join(root, 'count'))
  expect(ended, ended.stderr).toMatchObject({ code: 0, signal: null })
  expect(checkSettled(whole.workspace, whole.data, job, 'undisturbed')).toBe(job.fails ? 'old' : 'new')
  const { count: steps, writes } = JSON.parse(readFileSync(join(root, 'count'), 'utf8')) as {
    count: number
    writes: number[]
  }
  expect(steps).toBeGreaterThan(5)
  const outcomes = { old: 0, new: 0 }
  const points = [...Array.from({ length: steps }, (_, i) => `${i + 1}`), ...writes.map((i) => `${i}torn`)]
  for (const point of sampleRows(points, 4)) {
    const at = world(root, `at-${point}`, job)
    const where = `${job.tool} killed at ${point} of ${steps}`
    const killed = await run(program, job, at, point)
    expect(killed.signal, `${where}: ${killed.stderr}`).toBe('SIGKILL')
    expect(killed.stdout, where).toBe('')
    checkWhole(at.workspace, job, where)
    await recoverJournals(at.data)
    const outcome = checkSettled(at.workspace, at.data, job, where)
    expect(await recoverJournals(at.data), where).toEqual([])
    // I4: the next call works in either state
    const again = await work(job.tool, at.workspace, at.data, job.args)
    expect(again === 'ok', where).toBe(outcome === 'old' && !job.fails)
    outcomes[outcome]++
  }
  console.log(
    `faults: ${job.tool} killed at its steps: ${outcomes.old + outcomes.new}/${points.length} survived (${outcomes.old} old, ${outcomes.new} new)`,
  )
})

it('survives kill -9 in the middle of the recovery', { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env.ANODE_SEED ?? Date.now() % 1_000_000)
  const random = rng(seed)
  const root = scratch()
  const program = await bundled(entry)
  const tries = Math.max(rounds(6, 12), long)
  const outcomes = { old: 0, new: 0 }
  for (let i = 0; i < tries; i++) {
    const job = choice(random, jobs)
    const at = world(root, `try-${i}`, job)
    const points = [
      1 + Math.floor(random() * (length[job.tool] ?? 1)),
      1 + Math.floor(random() * 12),
      1 + Math.floor(random() * 12),
    ]
    const where = `seed ${seed}, try ${i}: ${job.tool} killed at ${points.join(', then recovery at ')}`
    await run(program, job, at, `${points[0]}`)
    for (const point of points.slice(1)) {
      await node(['--require', preload, program, 'recover', at.workspace, at.data], {
        env: { KILL_AT: `${point}` },
      })
      checkWhole(at.workspace, job, where)
    }
    await recoverJournals(at.data)
    outcomes[checkSettled(at.workspace, at.data, job, where)]++
  }
  console.log(
    `faults: recovery killed in turn (seed ${seed}): ${outcomes.old + outcomes.new}/${tries} survived (${outcomes.old} old, ${outcomes.new} new)`,
  )
})

it('survives kill -9 at any moment', { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env.ANODE_SEED ?? Date.now() % 1_000_000)
  const random = rng(seed)
  const root = scratch()
  const program = await bundled(entry)
  const tries = Math.max(rounds(5, 10), long)
  const first = world(root, 'first', jobs[2] as Job)
  const started = performance.now()
  await run(program, jobs[2] as Job, first, '0')
  const usual = performance.now() - started
  const outcomes = { old: 0, new: 0 }
  for (let i = 0; i < tries; i++) {
    const job = choice(random, jobs)
    const at = world(root, `try-${i}`, job)
    const killAfterMs = usual * (0.5 + random() * 0.6)
    const ended = await node([program, job.tool, at.workspace, at.data, JSON.stringify(job.args)], {
      killAfterMs,
    })
    const where = `seed ${seed}, try ${i}: ${job.tool} killed after ${killAfterMs} ms`
    checkWhole(at.workspace, job, where)
    await recoverJournals(at.data)
    const outcome = checkSettled(at.workspace, at.data, job, where)
    // I2: an acknowledged change is present
    if (ended.stdout !== '') expect(outcome, where).toBe(job.fails ? 'old' : 'new')
    outcomes[outcome]++
  }
  console.log(
    `faults: killed at any moment (seed ${seed}): ${outcomes.old + outcomes.new}/${tries} survived (${outcomes.old} old, ${outcomes.new} new)`,
  )
})
