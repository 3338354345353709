// The limit of attempts for a task that kills its workers: every lease is accounted for, whichever worker
// takes the task next, locally and on a server.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import type { StudyEntries } from '../../internal/study/log/entries.ts'
import { attemptLimit, maxTaskAttempts } from '../../internal/study/worker/lost-leases.ts'
import { program, type World, world } from '../support/anode.ts'
import { startRedis, whereRedis } from '../support/redis.ts'
import { choice, type Rng, rng } from '../support/rng.ts'

const tries = Number(process.env['ANODE_FAULTS'] ?? 0)
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
})
afterEach(() => at.remove())

/** Returns one long task, and two whose workers are soon idle and can take the lost task. */
function setUp(): string[] {
  const look = { calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] }
  const claim = (n: number) => ({
    claims: [{ text: `It locks, by worker t${n}.`, evidence: `E${n}.1`, quote: 'locks files with O_EXCL' }],
  })
  const long = Array.from({ length: 5 }, (_, n) => ({
    delay_ms: 60,
    calls: [{ name: 'grep', args: { pattern: `word ${n}` } }],
  }))
  const steps = [[look, ...long, claim(1)], ...[2, 3].map((n) => [look, claim(n)])]
  const replies = steps.flatMap((all, i) => all.map((reply) => ({ task: `t${i + 1}`, ...reply })))
  const report = { task: 'report', text: '## Answer\n\nIt locks [C2.1, C3.1].\n' }
  const beside = (name: string, text: string) => {
    writeFileSync(join(at.data, '..', name), text)
    return join(at.data, '..', name)
  }
  const script = beside(
    'script.jsonl',
    [...replies, report].map((one) => `${JSON.stringify(one)}\n`).join(''),
  )
  const tasks = ['locks', 'crashes', 'journals'].map((objective) => ({ objective }))
  const flags = ['--plan', beside('plan.json', JSON.stringify({ tasks })), '--model', `script:${script}`]
  return ['study', 'what of locks?', ...flags, '--workers', '3', '--json']
}

/** The pool gives up after five workers in a row that died young. */
const maxKills = 4

/** Kills each worker of the first task, and sometimes a worker that may be about to take the task. */
function runAndKillAll(
  words: readonly string[],
  random: Rng,
): Promise<{ code: number | null; kills: number }> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: at.dir, ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const workers = new Set<number>()
  let kills = 0
  let isOver = false
  const strike = (pid: number | undefined) => {
    if (pid === undefined || isOver || kills >= maxKills || !workers.delete(pid)) return
    try {
      process.kill(pid, 'SIGKILL')
      kills++
    } catch {
      // its work is done, and it has ended meanwhile
    }
  }
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { kind, task, pid } = JSON.parse(line) as { kind: string; task?: string; pid?: number }
    if (kind !== 'task.started' || pid === undefined) return
    workers.add(pid)
    if (task !== 't1') return
    setTimeout(() => {
      strike(pid)
      if (random() < 0.5) setTimeout(() => strike(choice(random, [...workers])), random() * 80)
    }, random() * 300)
  })
  return new Promise((resolve) =>
    child.on('close', (code) => {
      isOver = true
      resolve({ code, kills })
    }),
  )
}

type Entry<K extends keyof StudyEntries> = StudyEntries[K]

/**
 * Compares the leases of each task in the log with `leases`, the actual number of leases, after `kills`
 * workers were killed.
 */
async function checkLeases(
  leases: (study: string) => Promise<Record<string, number>>,
  kills: number,
): Promise<void> {
  const journal = await openJournal(at.data)
  try {
    const [{ id } = { id: '' }] = journal.studies.list({ limit: 1 })
    const lines = await journal.read(id, 0, 10_000)
    const of = <K extends keyof StudyEntries>(kind: K, task: string) =>
      lines.flatMap((line) =>
        line.kind === kind && line.data['task'] === task ? [line.data as unknown as Entry<K>] : [],
      )
    for (const [task, count] of Object.entries(await leases(id))) {
      const lost = of('task.lost', task)
      const [end, ...more] = of('task.ended', task)
      expect(more, task).toEqual([])
      // A worker that ends a task as lost, or keeps it ended, holds a lease as well. If that worker is killed,
      // the coordinator ends the task, and its lease follows one without an entry.
      const held = lost.map(({ epoch }) => epoch).sort((a, b) => a - b)
      const silent = count - held.length
      expect(held, task).toEqual(held.map((_, i) => i + 1))
      const killedAfter = Math.max(0, kills - held.length)
      const counts = `${task}: ${count} leases, ${held.length} lost, ${kills} kills`
      expect(silent, counts).toBeGreaterThanOrEqual(0)
      expect(silent, counts).toBeLessThanOrEqual(1 + killedAfter)
      const attempts = lost.filter(({ free }) => !free).length
      const isLost = end?.result.reason === 'lost'
      expect(attempts + (isLost ? 0 : 1), task).toBeLessThanOrEqual(maxTaskAttempts + 1)
      expect(isLost, task).toBe(attempts >= attemptLimit(lost))
      for (const { attempt, epoch } of of('task.started', task)) {
        const before = lost.filter((one) => !one.free && one.epoch < epoch)
        expect(attempt, `${task}, lease ${epoch}`).toBe(before.length + 1)
      }
    }
  } finally {
    await journal.close()
  }
}

/** Returns the number of leases that the local database has given for each task. */
async function localLeases(study: string): Promise<Record<string, number>> {
  const journal = await openJournal(at.data)
  try {
    const rows = journal.db.all<{ task: string; epoch: number }>(
      `SELECT task, epoch FROM study_lease WHERE task LIKE 't%' AND study = (SELECT n FROM study WHERE id = ?)`,
      study,
    )
    return Object.fromEntries(rows.map(({ task, epoch }) => [task, epoch]))
  } finally {
    await journal.close()
  }
}

async function survive(words: readonly string[], leases: typeof localLeases, rounds: number): Promise<void> {
  const random = rng(seed)
  let kills = 0
  for (let i = 0; i < rounds; i++) {
    const run = await runAndKillAll(words, random)
    expect([0, 3], `seed ${seed}, round ${i}`).toContain(run.code)
    await checkLeases(leases, run.kills).catch((cause: unknown) => {
      throw new Error(`seed ${seed}, round ${i}: ${cause}`, { cause })
    })
    kills += run.kills
  }
  expect(kills).toBeGreaterThan(0)
  process.stdout.write(`leases of killed workers: survived/tried ${rounds}/${rounds}, ${kills} kills\n`)
}

test(
  `every lease is accounted for, on this machine (seed ${seed})`,
  { timeout: 60_000 + tries * 10_000 },
  () => survive(setUp(), localLeases, tries || 2),
)

whereRedis('on a server', () => {
  test(`every lease is accounted for (seed ${seed})`, { timeout: 60_000 + tries * 30_000 }, async () => {
    const { url } = await startRedis()
    const client = new Redis(url)
    const leases = async (study: string) => {
      const all = Object.entries(await client.hgetall(`anode:{${study}}:task`))
      const tasks = all.filter(([task]) => /^t\d/.test(task))
      return Object.fromEntries(tasks.map(([task, text]) => [task, JSON.parse(text).epoch as number]))
    }
    try {
      await survive([...setUp(), '--engine', url], leases, tries || 1)
    } finally {
      client.disconnect()
    }
  })
})
