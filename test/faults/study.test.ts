// kill -9 of workers and of the coordinator at any step: the study ends as if nothing had happened, and pays nothing twice.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processExists } from '../../internal/base/process-identity.ts'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { type Done, type World, world } from '../support/anode.ts'
import { choice, type Rng, rng } from '../support/rng.ts'
import { root } from '../support/sources.ts'

const tries = Number(process.env['ANODE_FAULTS'] ?? 0) || 4
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
  at.put('doc/crash.md', 'After a crash the journal is replayed.\n')
})
afterEach(() => at.remove())

/** Three tasks of four steps each; the first writes to the second while all are at work. */
function setUp(): string[] {
  const pause = { delay_ms: 40 }
  const read = (path: string) => ({ ...pause, calls: [{ name: 'read', args: { path } }] })
  const grep = (pattern: string) => ({ ...pause, calls: [{ name: 'grep', args: { pattern } }] })
  const claim = (n: number) => ({
    ...pause,
    claims: [{ text: `It locks, says ${n}.`, evidence: `E${n}.1`, quote: 'locks files with O_EXCL' }],
  })
  const mail = {
    ...pause,
    calls: [{ name: 'send_message', args: { to: 't2', message: 'look at crash.md' } }],
  }
  const steps = (n: number, third: object) => [
    read('doc/lock.md'),
    grep('crash'),
    third,
    grep('locks'),
    claim(n),
  ]
  const replies = [mail, grep('journal'), grep('replayed')].flatMap((third, i) =>
    steps(i + 1, third).map((reply) => ({ task: `t${i + 1}`, ...reply })),
  )
  const report = { task: 'report', delay_ms: 40, text: '## Answer\n\nIt locks [C1.1, C2.1, C3.1].\n' }
  const script = join(at.data, '..', 'script.jsonl')
  const plan = join(at.data, '..', 'plan.json')
  writeFileSync(script, [...replies, report].map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const tasks = ['locks', 'crashes', 'journals'].map((objective) => ({ objective }))
  writeFileSync(plan, JSON.stringify({ tasks }))
  return [
    'study',
    'what of locks?',
    '--plan',
    plan,
    '--model',
    `script:${script}`,
    '--workers',
    '3',
    '--json',
  ]
}

type Victim = 'worker' | 'coordinator'

/** Runs the program and kills the victim a moment after the `after`th line of progress. */
function runAndKill(
  words: readonly string[],
  victim: Victim,
  after: number,
  random: Rng,
): Promise<Done & { hit: boolean }> {
  const child = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), ...words], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: at.dir, ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const workers = new Set<number>()
  let seen = 0
  let hit = false
  const strike = () => {
    const pid = victim === 'worker' ? choice(random, [...workers]) : child.pid
    if (pid === undefined) return
    try {
      process.kill(pid, 'SIGKILL')
      hit = true
    } catch {
      // it has ended meanwhile; the run then tells nothing
    }
  }
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { kind, pid } = JSON.parse(line) as { kind: string; pid?: number }
    if (kind === 'task.started' && pid !== undefined) workers.add(pid)
    if (workers.size > 0 && ++seen === after) setTimeout(strike, random() * 40)
  })
  return new Promise((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err: '', hit }))
  })
}

interface Report {
  id: string
  repaid_steps: number
  duplicate_claims: number
  [key: string]: unknown
}

/** What a report says, without what names the run, its times, and how often a task was tried. */
function said(out: string): unknown {
  const report = JSON.parse(out) as Report
  for (const key of ['id', 'created', 'wall_ms', 'notices', 'limits']) delete report[key]
  for (const task of report['tasks'] as Record<string, unknown>[]) {
    delete task['wall_ms']
    delete task['attempts']
  }
  return report
}

/** Every message was read, and stood in one prompt alone. */
async function mailIsRead(study: string): Promise<void> {
  const journal = await openJournal(at.data)
  try {
    const states = (await journal.mail.list({ scope: `study:${study}` })).map(({ state }) => state)
    const lines = await journal.read(study, 0, 10_000)
    const read = lines.flatMap(({ kind, data }) =>
      kind === 'step' ? (data['mail'] as { id: string }[]).map(({ id }) => id) : [],
    )
    expect(states.filter((state) => state === 'queued' || state === 'leased')).toEqual([])
    expect(new Set(read).size).toBe(read.length)
  } finally {
    await journal.close()
  }
}

test(`a study survives kill -9 (${tries} kills, seed ${seed})`, {
  timeout: 60_000 + tries * 30_000,
}, async () => {
  const random = rng(seed)
  const words = setUp()
  const undisturbed = await at.anode(words)
  expect(undisturbed.code).toBe(0)
  const wanted = said(undisturbed.out)
  let survived = 0
  let tried = 0
  for (let i = 0; tried < tries && i < tries * 3; i++) {
    const victim: Victim = i % 2 === 0 ? 'worker' : 'coordinator'
    const run = await runAndKill(words, victim, 1 + Math.floor(random() * 45), random)
    if (!run.hit) continue
    tried++
    const ended = run.code === null ? await at.anode(['study', 'resume', 'last', '--json', '--quiet']) : run
    expect({ code: ended.code, err: ended.err }, `seed ${seed}, kill ${i}`).toEqual({ code: 0, err: '' })
    const report = JSON.parse(ended.out) as Report
    expect(report, `seed ${seed}, kill ${i}`).toMatchObject({ repaid_steps: 0, duplicate_claims: 0 })
    // whether a message reaches its reader before or after a kill is chance, and with it the size of a prompt
    const compare = (value: unknown) =>
      JSON.stringify(value, (key, inner) => (/^(tokens|usage|messages|steps)$/.test(key) ? undefined : inner))
    expect(compare(said(ended.out)), `seed ${seed}, kill ${i}`).toBe(compare(wanted))
    await mailIsRead(report.id)
    survived++
  }
  process.stdout.write(`study kill -9: survived/tried ${survived}/${tried}\n`)
  expect(tried).toBeGreaterThan(0)
  expect(survived).toBe(tried)
})

test('nothing of a killed study is left running', async () => {
  const run = await runAndKill(setUp(), 'coordinator', 8, rng(seed))
  const journal = await openJournal(at.data)
  const [study] = journal.studies.list({ limit: 1 })
  const lines = await journal.read(study?.id ?? '', 0, 10_000)
  await journal.close()
  const pids = lines.flatMap(({ kind, data }) => (kind === 'task.started' ? [Number(data['pid'])] : []))
  expect(run.hit && pids.length > 0).toBe(true)
  const until = Date.now() + 60_000
  while (pids.some(processExists) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100))
  expect(pids.filter(processExists)).toEqual([])
})

test('a full disk is named, and the study goes on once there is room', async (context) => {
  const small = join(at.data, '..', 'small')
  mkdirSync(small)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', small], { stdio: 'ignore' })
  } catch {
    context.skip('no right to mount a small file system')
  }
  try {
    for (let i = 0; i < 30; i++) at.put(`doc/more-${i}.md`, `locks and crashes ${'and more '.repeat(400)}\n`)
    const env = { ANODE_DATA_DIR: join(small, 'data') }
    const words = ['study', 'How are locks kept, and what do crashes leave?', '--model', 'builtin/extract']
    const full = await at.anode(words, { env })
    expect(full.code).toBe(1)
    expect(full.err).toMatch(/^anode: the disk is full: .*anode\.db$/m)
    execFileSync('mount', ['-o', 'remount,size=64m', small])
    const more = await at.anode(['study', 'resume', 'last', '--json', '--quiet'], { env })
    expect({ err: more.err, ...JSON.parse(more.out) }).toMatchObject({
      err: '',
      repaid_steps: 0,
      duplicate_claims: 0,
    })
    expect([0, 3]).toContain(more.code)
  } finally {
    execFileSync('umount', ['-l', small])
  }
})
