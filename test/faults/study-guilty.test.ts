// A task that ends its process each time, next to other tasks in the same process: it fails, and they finish.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { foldStudy } from '../../internal/study/log/state.ts'
import { program, type World, world } from '../support/anode.ts'
import { startRedis, whereRedis } from '../support/redis.ts'
import { scriptedStudy } from '../support/study-words.ts'

vi.setConfig({ testTimeout: 240_000 })

const guilty = 't2'
const tasks = 4

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
})
afterEach(() => at.remove())

/** Returns the words of a study whose tasks run in one process and take about two seconds each. */
function words(): string[] {
  const replies = Array.from({ length: tasks }, (_, i) => [
    { task: `t${i + 1}`, calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] },
    { task: `t${i + 1}`, delay_ms: 2_000, calls: [{ name: 'grep', args: { pattern: `word ${i}` } }] },
    {
      task: `t${i + 1}`,
      claims: [
        { text: `It locks, by task ${i + 1}.`, evidence: `E${i + 1}.1`, quote: 'locks files with O_EXCL' },
      ],
    },
  ]).flat()
  const report = { task: 'report', text: '## Answer\n\nIt locks [C1.1].\n' }
  const objectives = ['locks', 'crashes', 'journals', 'leases']
  const flags = ['--workers', `${tasks}`, '--min-support', '0']
  return scriptedStudy(join(at.data, '..'), objectives, [...replies, report], ...flags)
}

/** Kills the process of the guilty task once all tasks that are not over have started in it. */
function killProcessOf(stderr: NodeJS.ReadableStream): { shared: number[] } {
  const shared: number[] = []
  const open = new Map<string, number>()
  let left = tasks
  createInterface({ input: stderr }).on('line', (line) => {
    const { kind, task = '', pid = 0 } = JSON.parse(line) as { kind: string; task?: string; pid?: number }
    if (kind === 'task.ended') left -= 1
    if (kind === 'task.started') open.set(task, pid)
    if (kind === 'task.lost' || kind === 'task.ended') open.delete(task)
    const target = open.get(guilty)
    if (kind !== 'task.started' || target === undefined) return
    const mates = [...open.values()].filter((one) => one === target).length
    // the third attempt runs alone
    if (mates < left && shared.length < 2) return
    shared.push(mates)
    process.kill(target, 'SIGKILL')
  })
  return { shared }
}

async function run(more: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words(), '--json', ...more], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: at.dir, ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { shared } = killProcessOf(child.stderr)
  const [code] = await once(child, 'close')
  const journal = await openJournal(at.data)
  try {
    const [{ id } = { id: '' }] = journal.studies.list({ limit: 1 })
    const state = foldStudy(await journal.read(id, 0, 10_000))
    const ends = [...state.tasks.values()].map(({ task, result }) => [task.id, result?.end, result?.reason])
    return { code, shared, ends }
  } finally {
    await journal.close()
  }
}

const expected = {
  code: 3,
  shared: [tasks, tasks, 1],
  ends: Array.from({ length: tasks }, (_, i) =>
    `t${i + 1}` === guilty ? [guilty, 'failed', 'lost'] : [`t${i + 1}`, 'done', undefined],
  ),
}

test('on this machine', async () => {
  expect(await run([])).toEqual(expected)
})

whereRedis('on a server', () => {
  test('whose queue has the tasks', async () => {
    const { url } = await startRedis()
    expect(await run(['--engine', url])).toEqual(expected)
  })
})
