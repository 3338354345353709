// Runs in separate processes: started, joined, ended, killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import {
  cancelRun,
  listRuns,
  openRun,
  type RunPlace,
  readRun,
  startRunProcess,
} from '../../../../internal/service/runs/run-access.ts'
import {
  openRunFolder,
  type RunRecord,
  readRunRecord,
  runSocketPath,
  writeRunRecord,
} from '../../../../internal/service/runs/run-record.ts'
import type { PermissionAnswer } from '../../../../internal/session/commands.ts'
import type { SessionView } from '../../../../internal/session/view/session-view.ts'
import { program } from '../../../support/anode.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { watchClient } from '../../../support/session.ts'

function ground(replies: readonly object[]) {
  const cwd = scratchWith({ 'a.txt': 'one\n' })
  const home = scratchWith({})
  const file = join(home, 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const data = join(home, 'data')
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: data }
  const place: RunPlace = { env, program }
  const order = { cwd, settings: { model: `script:${file}`, mode: 'ask' as const }, addDirs: [] }
  onTestFinished(async () => {
    for (const { thread } of await listRuns(env)) {
      const record = readRunRecord(data, thread)
      if (record && !record.ended) kill(record)
    }
  })
  const recordOf = async (thread: string) => readRunRecord(data, thread) as RunRecord
  return { cwd, data, env, place, order, recordOf }
}

function kill({ pid }: RunRecord): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

const allowOnce: PermissionAnswer = { allow: true, scope: 'once', rules: [] }
const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] }

it('waits for an answer without a client, accepts it from a client that joins, and ends by itself', async () => {
  const { cwd, data, env, place, order } = ground([write, { text: 'It is made.' }])
  const { thread } = await startRunProcess({ ...order, source: { kind: 'new' }, message: 'Make it' }, place)
  await expect
    .poll(() => listRuns(env), { timeout: 10_000 })
    .toMatchObject([{ thread, state: 'waiting', waits: ['create_file'], title: 'Make it' }])
  expect(statSync(join(data, 'runs')).mode & 0o777).toBe(0o700)
  await expect.poll(() => existsSync(join(data, 'runs', `${thread}.state`))).toBe(true)
  const socket = readdirSync(join(data, 'runs')).find((name) => name.endsWith('.sock')) ?? ''
  expect(statSync(join(data, 'runs', socket)).mode & 0o777).toBe(0o600)
  const source = { kind: 'resume', thread } as const
  const client = await openRun({ ...order, source }, place)
  const seen = watchClient(client)
  const { waits } = await seen.until(({ waits }) => waits.length > 0, 'the question')
  await seen.send({ type: 'answer_permission', call: waits[0]?.call ?? '', answer: allowOnce })
  await seen.idle()
  expect(readdirSync(cwd)).toContain('made.txt')
  await client.detach()
  await expect
    .poll(() => listRuns(env), { timeout: 10_000, interval: 200 })
    .toMatchObject([{ state: 'ended', end: 'done' }])
  expect(await listRuns(env, '/elsewhere')).toEqual([])
})

it('denies the call after the configured time without a client, and not while a client is connected', async () => {
  const { cwd, env, place, order } = ground([write, { text: 'I could not.' }])
  mkdirSync(join(env.HOME, '.config', 'anode'), { recursive: true })
  const config = JSON.stringify({ approvals: { unattended: 1 } })
  writeFileSync(join(env.HOME, '.config', 'anode', 'config.json'), config)
  const { thread } = await startRunProcess({ ...order, source: { kind: 'new' }, message: 'Make it' }, place)
  const client = await openRun({ ...order, source: { kind: 'resume', thread } }, place)
  const seen = watchClient(client)
  await seen.until(({ waits }) => waits.length > 0, 'the question')
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  expect(seen.view().waits).toHaveLength(1)
  await client.detach()
  await expect
    .poll(() => listRuns(env), { timeout: 10_000, interval: 200 })
    .toMatchObject([{ state: 'ended', end: 'done' }])
  expect(readdirSync(cwd)).not.toContain('made.txt')
  const again = await openRun({ ...order, source: { kind: 'resume', thread } }, place)
  const isRefused = ({ blocks }: SessionView) => JSON.stringify(blocks).includes('no user answered in time')
  await watchClient(again).until(isRefused, 'the reason')
  await again.detach()
})

it('is listed as interrupted after kill -9, and resumes with all messages', async () => {
  const { env, place, order, recordOf } = ground([write, { text: 'It is made.' }])
  const { thread } = await startRunProcess({ ...order, source: { kind: 'new' }, message: 'Make it' }, place)
  await expect.poll(() => listRuns(env), { timeout: 10_000 }).toMatchObject([{ state: 'waiting' }])
  const first = await recordOf(thread)
  kill(first)
  await expect.poll(() => listRuns(env)).toMatchObject([{ thread, state: 'broken' }])
  const source = { kind: 'resume', thread } as const
  // simultaneous callers get the same process
  const [one, two] = await Promise.all([
    openRun({ ...order, source }, place),
    openRun({ ...order, source }, place),
  ])
  const [left, right] = [watchClient(one), watchClient(two)]
  await left.until(
    ({ blocks }) => blocks.some((block) => block.kind === 'user' && block.text === 'Make it'),
    'it',
  )
  await left.send({ type: 'rename', title: 'Another name' })
  await right.until(({ title }) => title === 'Another name', 'the name that the other has given')
  expect((await recordOf(thread)).pid).not.toBe(first.pid)
})

it('ends when it is cancelled, and reports it once', async () => {
  const { env, place, order } = ground([write, { text: 'It is made.' }])
  const { thread } = await startRunProcess({ ...order, source: { kind: 'new' }, message: 'Make it' }, place)
  await expect.poll(() => listRuns(env), { timeout: 10_000 }).toMatchObject([{ state: 'waiting' }])
  expect(await cancelRun(env, thread)).toBe('cancelled')
  await expect
    .poll(() => listRuns(env), { timeout: 10_000, interval: 200 })
    .toMatchObject([{ state: 'ended', end: 'cancelled' }])
  expect(await cancelRun(env, thread)).toBe('ended')
  await expect(cancelRun(env, '../../etc/passwd')).rejects.toThrow('unknown run')
})

it('rejects a run that cannot start, and leaves nothing of it', async () => {
  const { env, place, order } = ground([])
  const settings = { ...order.settings, profile: 'nobody' }
  const bad = { ...order, settings, source: { kind: 'new' } as const, message: 'x' }
  await expect(startRunProcess(bad, place)).rejects.toThrow('nobody')
  expect(await listRuns(env)).toEqual([])
})

/** What a process does with a client while it ends: it greets it and leaves, leaves, or listens no longer. */
const partings = ['greets', 'leaves', 'is deaf'] as const

/** A program that ends like a run: it serves clients as `parting` says, and prints its identity. */
const endingProgram = (socket: string, parting: string) => `
const { readFileSync } = require('node:fs')
const { createServer } = require('node:net')
const start = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')[19]
const ready = () => console.log(start)
const greeting = JSON.stringify({ thread: 'sess_ending00000', openedAt: 1 }) + '\\n'
const serve = (socket) => (${parting === 'greets'} ? socket.end(greeting) : socket.destroy())
if (${parting !== 'is deaf'}) createServer(serve).listen(${JSON.stringify(socket)}, ready)
else ready()
setInterval(() => undefined, 1000)`

it.runIf(process.platform === 'linux').each(partings)(
  'does not call a run active or cancelled whose process is ending: it %s',
  async (parting) => {
    const { cwd, data, env } = ground([])
    const thread = 'sess_ending00000'
    await openRunFolder(data)
    const code = endingProgram(runSocketPath(data, thread), parting)
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [start] = await once(child.stdout, 'data')
    const [, , ...machine] = processIdentity().split('-')
    const mark = [child.pid, String(start).trim(), ...machine].join('-')
    const about = { title: 'It ends', profile: 'craft', model: 'script', started: Date.now() }
    await writeRunRecord(data, { ...about, thread, workspace: cwd, pid: child.pid ?? 0, mark })
    expect(await readRun(env, thread)).toMatchObject({ thread, state: 'idle', end: null })
    expect(await cancelRun(env, thread)).toBe('ended')
  },
)

it('reports the end that a process records while it is asked', async () => {
  const { cwd, data, env } = ground([])
  const thread = 'sess_ending00000'
  const about = { title: 'It ends', profile: 'craft', model: 'script', started: Date.now() }
  const record = { ...about, thread, workspace: cwd, pid: process.pid, mark: processIdentity() }
  await writeRunRecord(data, record)
  const asked = readRun(env, thread)
  await writeRunRecord(data, { ...record, ended: { at: 1, end: 'done' } })
  expect(await asked).toMatchObject({ state: 'ended', end: 'done', ended: 1 })
})
