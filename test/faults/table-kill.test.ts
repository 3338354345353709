// kill -9 of workers and of the coordinator while a table is filled, on both engines: each row is there once,
// and no recorded response is paid again.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { divideSlots } from '../../internal/study/engine/worker-pool.ts'
import { type Machine, type Machines, machines } from '../support/many-machines.ts'
import { type Received, serveModel } from '../support/model-server.ts'
import { durable, startRedis, whereRedis } from '../support/redis.ts'
import { full, rounds } from '../support/sample.ts'

vi.setConfig({ testTimeout: full ? 1_200_000 : 240_000 })

/** Rows and slots of a table, and the milliseconds after which the model answers a row. */
interface Size {
  count: number
  slots: number
  delayMs: number
}
const few: Size = { count: rounds(24, 1000), slots: 3, delayMs: 60 }
/** So many slots that there are several processes, each with several slots. */
const many: Size = { count: rounds(72, 1000), slots: rounds(36, 256), delayMs: 500 }
const processes = 2 * availableParallelism()

let park: Machines
beforeEach(() => {
  park = machines()
})
afterEach(() => park.clear())

const textOf = (n: number) => `Report ${n}\n\nIn total ${n + 20} patients were enrolled.\n`
const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`papers/${i + 1}.txt`, textOf(i + 1)]))

const documentOf = ({ body }: Received): number | undefined => {
  const found = /^Document papers\/(\d+)\.txt/m.exec(String(body.messages[1]?.content))?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Starts a model that answers each row after a moment, and calls `seen` with the number of rows so far. */
async function serveRows(delayMs: number, seen: (rows: number) => void) {
  const rows: number[] = []
  const served = await serveModel((request) => {
    const n = documentOf(request)
    if (n === undefined) return { text: '- All of them enrolled patients.' }
    rows.push(n)
    seen(rows.length)
    const quote = `In total ${n + 20} patients were enrolled.`
    return { text: JSON.stringify({ row: { patients: { value: `${n + 20}`, quote } } }), delayMs }
  })
  return { served, rows }
}

function configure({ dir }: Machine, url: string): void {
  const home = join(dir, '..', '.config', 'anode')
  mkdirSync(home, { recursive: true })
  const providers = { me: { baseUrl: url, model: 'me', window: 200_000, price: { input: 1, output: 2 } } }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers, model: 'me/me' }))
}

const wordsFor = (slots: number) =>
  ['--each', 'papers/*.txt', '--columns', 'patients: number', '--workers', `${slots}`] as const

interface Entry {
  kind: string
  pid?: number
  data: { task: string }
}

/**
 * Fills the table. Kills the worker that began last when a third of the rows are requested, and the
 * coordinator at two thirds, which a resume follows.
 */
async function fillAndKill(more: readonly string[], { count, slots, delayMs }: Size) {
  const machine = park.machine(files(count))
  const pids: number[] = []
  const killed: string[] = []
  let lead: number | undefined
  const strike = (pid: number | undefined, who: string) => {
    if (pid === undefined || killed.includes(who)) return
    process.kill(pid, 'SIGKILL')
    killed.push(who)
  }
  const words = wordsFor(slots)
  const { served, rows } = await serveRows(delayMs, (seen) => {
    if (seen >= Math.ceil(count / 3)) strike(pids.at(-1), 'worker')
    if (seen >= Math.ceil((count * 2) / 3)) strike(lead, 'coordinator')
  })
  try {
    configure(machine, served.url)
    const study = machine.start(['study', 'How many were enrolled?', ...words, ...more, '--yes', '--json'])
    lead = study.process.pid
    createInterface({ input: study.process.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const { kind, pid } = JSON.parse(line) as Entry
      if (kind === 'task.started' && pid !== undefined) pids.push(pid)
    })
    expect(await study.ended).toBe('SIGKILL')
    expect(killed).toEqual(['worker', 'coordinator'])
    const resumed = await machine.run(['study', 'resume', 'last', '--json', '--quiet'])
    expect(resumed.code, resumed.err).toBe(0)
    const trace = (await machine.run(['study', 'trace', 'last', '--json'])).out.trim().split('\n')
    const entries = trace.map((line) => JSON.parse(line) as Entry)
    const verified = await machine.run(['study', 'verify', 'last', '--json'])
    return { rows, entries, table: JSON.parse(resumed.out), verified }
  } finally {
    await served.close()
  }
}

async function expectWholeTable(more: readonly string[], size: Size): Promise<void> {
  const { rows, entries, table, verified } = await fillAndKill(more, size)
  const { count, slots } = size
  expect(table.counts).toMatchObject({ documents: count, filled: count, verified: count })
  for (const kind of ['row', 'step']) {
    const tasks = entries.flatMap(({ kind: own, data }) => (own === kind ? [data.task] : []))
    const ofRows = tasks.filter((task) => task.startsWith('t'))
    expect(new Set(ofRows).size).toBe(ofRows.length)
    expect(ofRows).toHaveLength(count)
  }
  const started = entries.filter(({ kind }) => kind === 'task.started')
  const pids = new Set(started.map(({ data }) => (data as unknown as { pid: number }).pid))
  // The processes of the first run, one that replaces the killed one, and those of the resumed run.
  expect(pids.size).toBeGreaterThan(1)
  expect(pids.size).toBeLessThanOrEqual(2 * Math.min(processes, Math.ceil(slots / 8)) + 1)
  // The killed process had several tasks at once, if it had so many slots.
  const lost = new Set(entries.flatMap(({ kind, data }) => (kind === 'task.lost' ? [data.task] : [])))
  if (slots > processes) expect(lost.size).toBeGreaterThan(1)
  // A response that was on its way to a killed process was not recorded: one for each slot and kill.
  const share = Math.max(...divideSlots(slots))
  expect(rows.length).toBeLessThanOrEqual(count + share + slots)
  expect(verified.code, verified.err).toBe(0)
  expect(JSON.parse(verified.out)).toMatchObject({ citation_accuracy: 1, support: 1 })
}

test.each([few, many])('$slots slots on this machine fill $count rows', (size) => expectWholeTable([], size))

whereRedis('a table on the Redis engine', () => {
  test.each([few, many])('$slots slots of a server fill $count rows', async (size) => {
    const redis = await startRedis(durable)
    try {
      await expectWholeTable(['--engine', redis.url], size)
    } finally {
      await redis.remove()
    }
  })

  test('a worker of another machine fills rows, of documents below the root only', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis(durable)
    const { served } = await serveRows(60, () => undefined)
    onTestFinished(async () => {
      await served.close()
      await redis.remove()
    })
    const two = { 'papers/1.txt': textOf(1), 'papers/2.txt': textOf(2) }
    const lead = park.machine(two)
    const same = park.machine(two)
    configure(lead, served.url)
    configure(same, served.url)
    const worker = same.start(['worker', '--label', 'far', '--engine', redis.url])
    await worker.says('serves corpus')
    const remote = ['--engine', redis.url, '--local', '0', '--json', '--quiet']
    const done = await lead.run(['study', 'How many were enrolled?', ...wordsFor(3), ...remote])
    expect(done.code, done.err).toBe(0)
    expect(JSON.parse(done.out).counts).toMatchObject({ documents: 2, filled: 2 })
    const trace = await lead.run(['study', 'trace', 'last', '--json'])
    expect(trace.out).toMatch(/"kind":"task.started".*"owner":"far"/)
    writeFileSync(join(lead.dir, 'other.txt'), textOf(3))
    const away = ['--each', '../other.txt', '--root', 'papers', '--columns', 'patients: number']
    const outside = await lead.run(['study', 'How many were enrolled?', ...away, ...remote])
    expect(outside.code).toBe(2)
    expect(outside.err).toContain('with --engine all documents must be below the root')
  })
})
