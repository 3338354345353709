// Processes of a build whose leader or whose command is killed: none of them is left in /proc.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { program, type World } from '../support/anode.ts'
import { buildWorld, type PlannedTask, planText, readStatus, renameTask } from '../support/build.ts'

function readText(read: () => string): string {
  try {
    return read()
  } catch {
    // the process has ended, or belongs to another user
    return ''
  }
}

/** Returns the processes whose environment, command line or directory names the world of a test. */
function listProcesses(w: World): { pid: number; words: string }[] {
  const base = join(w.dir, '..')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const words = readText(() => readFileSync(`/proc/${name}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      const environment = readText(() => readFileSync(`/proc/${name}/environ`, 'utf8'))
      const cwd = readText(() => readlinkSync(`/proc/${name}/cwd`))
      return [words, environment, cwd].some((text) => text.includes(base))
        ? [{ pid: Number(name), words }]
        : []
    })
}

/** A command that no other process has, and that ends only if it is killed. */
const endless = 'sleep 98765.4321'
const isEndless = ({ words }: { words: string }) => words.trim() === endless

const call = [
  { task: 'a', calls: [{ name: 'bash', args: { command: endless } }] },
  { task: 'a', text: 'Done.' },
]

/** Work that does not end: the task, and the responses of its agent. */
const rows: [title: string, task: PlannedTask, replies: readonly object[]][] = [
  ['the command of a task', renameTask('a', { run: endless }), []],
  ['a check', renameTask('a', { until: [endless] }), []],
  ['a call of an agent', { id: 'a', do: 'Rename.', scope: ['src/a/**'] }, call],
]

function start(w: World, task: PlannedTask, replies: readonly object[]): ChildProcess {
  w.put('../plan.json', planText([task]))
  w.put('../script.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const words = ['build', '--plan', '../plan.json', '--attempts', '1', '--json']
  return spawn(process.execPath, [program, ...words, '--model', 'script:../script.jsonl'], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
    stdio: 'ignore',
  })
}

let survived = 0
let tried = 0
afterAll(() => console.log(`processes of killed builds: none left in ${survived} of ${tried}`))

test.each(rows)(
  'no process is left after a kill of the leader during %s',
  async (_, task, replies) => {
    const w = buildWorld(['a'])
    tried++
    try {
      const child = start(w, task, replies)
      await expect.poll(() => listProcesses(w).some(isEndless), { timeout: 60_000 }).toBe(true)
      child.kill('SIGKILL')
      await expect.poll(() => listProcesses(w), { timeout: 60_000 }).toEqual([])
      survived++
    } finally {
      for (const { pid } of listProcesses(w)) process.kill(pid, 'SIGKILL')
      w.remove()
    }
  },
  180_000,
)

test('a killed command ends its attempt with the signal, and no process is left', async () => {
  const w = buildWorld(['a'])
  tried++
  try {
    const child = start(w, renameTask('a', { run: endless }), [])
    const ended = new Promise((resolve) => child.on('close', resolve))
    await expect.poll(() => listProcesses(w).some(isEndless), { timeout: 60_000 }).toBe(true)
    for (const { pid } of listProcesses(w).filter(isEndless)) process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(1)
    expect((await readStatus(w)).tasks[0]).toMatchObject({ state: 'failed', why: 'work' })
    expect(listProcesses(w)).toEqual([])
    survived++
  } finally {
    for (const { pid } of listProcesses(w)) process.kill(pid, 'SIGKILL')
    w.remove()
  }
}, 180_000)
