// Topics of a run that are followed while the server or the process of the run is killed: nothing is
// lost or duplicated.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { readRunRecord } from '../../internal/service/runs/run-record.ts'
import type { TopicEvent } from '../../internal/session/client.ts'
import { openStore } from '../../internal/store/sqlite.ts'
import { ask, type ServedData, servedData } from '../support/http-server.ts'
import { lookOverHttp } from '../support/http-session.ts'

/** Starts the built program, which can be killed. */
async function serve({ place: { env, program } }: ServedData) {
  const words = [program, 'serve', '--port', '0', '--json']
  const child: ChildProcess = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await new Promise<string>((resolve) => lines.once('line', resolve))
  const { address, tokenFile } = JSON.parse(line) as { address: string; tokenFile: string }
  return { child, address: address.replace(/\/$/, ''), token: readFileSync(tokenFile, 'utf8').trim() }
}

const title = 'Wait'
const bash = (command: string) => ({
  calls: [{ name: 'bash', args: { command, timeout_ms: 120_000 } }],
})
const waiting = { task: title, ...bash('until [ -e go ]; do sleep 0.1; done; rm go') }

/** Returns a run whose subagent waits, and all events of that subagent. */
async function followedChild(at: ServedData) {
  const server = { now: await serve(at) }
  const port = () => Number(new URL(server.now.address).port)
  const body = { ...at.wishes('Begin'), mode: 'unrestricted' }
  const { json } = await ask(port(), '/v1/runs', { body, token: server.now.token })
  const thread = String(json.thread)
  const store = await openStore(at.data)
  onTestFinished(() => store.close())
  const started = () => store.threads.events(thread, 0, 1, ['child.started'])[0]
  await expect
    .poll(started, { timeout: 60_000 })
    .toMatchObject({ payload: { thread: expect.stringMatching(/./) } })
  const event = started()
  const child = event?.type === 'child.started' ? event.payload.thread : ''
  const { token } = server.now
  const client = lookOverHttp({ address: () => server.now.address, token }, thread)
  const seen: TopicEvent[] = []
  const read = async () => {
    const topic = { kind: 'child', thread: child } as const
    for await (const one of client.readTopic(topic, 0, new AbortController().signal)) seen.push(one)
  }
  const calls = () => seen.filter(({ type }) => type === 'tool.call').length
  return { server, thread, child, store, seen, calls, over: read() }
}

const positionsOf = (events: readonly TopicEvent[]) =>
  events.map((one) => ('pos' in one ? one.pos : undefined))

it('continues after a killed server, to the end of the subagent', async () => {
  const at = servedData([
    { calls: [{ name: 'task', args: { title, goal: 'wait' } }] },
    ...[waiting, waiting, waiting],
    { task: title, text: 'Waited.' },
    { text: 'over' },
  ])
  const { server, child, store, seen, calls, over } = await followedChild(at)
  for (const call of [1, 2, 3]) {
    await expect.poll(calls, { timeout: 60_000 }).toBe(call)
    server.now.child.kill('SIGKILL')
    writeFileSync(join(at.cwd, 'go'), '')
    server.now = await serve(at)
  }
  await over
  expect(positionsOf(seen)).toEqual(store.threads.events(child).map(({ pos }) => pos))
  expect(seen.at(-1)?.type).toBe('run.ended')
}, 240_000)

it('ends with all stored events when the process of the run is gone', async () => {
  const at = servedData([
    { calls: [{ name: 'task', args: { title, goal: 'wait' } }] },
    waiting,
    { text: 'over' },
  ])
  const { thread, child, store, seen, calls, over } = await followedChild(at)
  await expect.poll(calls, { timeout: 60_000 }).toBe(1)
  process.kill((await readRunRecord(at.data, thread))?.pid ?? 0, 'SIGKILL')
  await over
  expect(positionsOf(seen)).toEqual(store.threads.events(child).map(({ pos }) => pos))
}, 240_000)
