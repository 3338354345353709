// kill -9 of workers and of the coordinator at any step: the study ends with the normal result, and
// pays nothing twice.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processExists } from '../../internal/base/process-identity.ts'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { type World, world } from '../support/anode.ts'
import { rng } from '../support/rng.ts'
import { comparable, type KilledReport, runAndKill, type Victim } from '../support/study-kill.ts'
import { scriptedStudy } from '../support/study-words.ts'

const tries = Number(process.env['ANODE_FAULTS'] ?? 0) || 2
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
  at.put('doc/crash.md', 'After a crash the journal is replayed.\n')
})
afterEach(() => at.remove())

/** Returns three tasks of four steps each. The first task writes to the second while all are active. */
function setUp(): string[] {
  const pause = { delay_ms: 40 }
  const read = (path: string) => ({ ...pause, calls: [{ name: 'read', args: { path } }] })
  const grep = (pattern: string) => ({ ...pause, calls: [{ name: 'grep', args: { pattern } }] })
  const claim = (n: number) => ({
    ...pause,
    claims: [{ text: `It locks, by worker t${n}.`, evidence: `E${n}.1`, quote: 'locks files with O_EXCL' }],
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
  // If the mail arrives with the last response of the second task, the task reads the mail
  // and responds again.
  const again = { task: 't2', ...claim(2) }
  const report = { task: 'report', delay_ms: 40, text: '## Answer\n\nIt locks [C1.1, C2.1, C3.1].\n' }
  const objectives = ['locks', 'crashes', 'journals']
  const flags = ['--workers', '3', '--json']
  return scriptedStudy(join(at.data, '..'), objectives, [...replies, again, report], ...flags)
}

/** Expects that every message was read and appeared in exactly one prompt. */
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
  const wanted = comparable(undisturbed.out)
  let survived = 0
  let tried = 0
  for (let i = 0; tried < tries && i < tries * 3; i++) {
    const victim: Victim = i % 2 === 0 ? 'worker' : 'coordinator'
    const run = await runAndKill(at, words, victim, 1 + Math.floor(random() * 45), random)
    if (!run.hit) continue
    tried++
    const ended = run.code === null ? await at.anode(['study', 'resume', 'last', '--json', '--quiet']) : run
    expect({ code: ended.code, err: ended.err }, `seed ${seed}, kill ${i}`).toEqual({ code: 0, err: '' })
    const report = JSON.parse(ended.out) as KilledReport
    expect(report, `seed ${seed}, kill ${i}`).toMatchObject({ repaid_steps: 0, duplicate_claims: 0 })
    expect(comparable(ended.out), `seed ${seed}, kill ${i}`).toBe(wanted)
    await mailIsRead(report.id)
    survived++
  }
  process.stdout.write(`study kill -9: survived/tried ${survived}/${tried}\n`)
  expect(tried).toBeGreaterThan(0)
  expect(survived).toBe(tried)
})

test('nothing of a killed study is left running', async () => {
  const run = await runAndKill(at, setUp(), 'coordinator', 8, rng(seed))
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

test('reports a full disk, and continues the study once there is space', async (context) => {
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
