// A server that is killed repeatedly during runs: no run is lost, and no client misses an event or
// gets one twice.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../internal/store/sqlite.ts'
import { ask, readStream, type ServedData, type StreamedEvent, servedData } from '../support/http-server.ts'
import { rng } from '../support/rng.ts'
import { rounds } from '../support/sample.ts'

interface Serving {
  child: ChildProcess
  port: number
  token: string
}

/** Starts the built program, which can be killed. */
async function serve({ place: { env, program } }: ServedData): Promise<Serving> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json'], {
    env,
    stdio: [...stdio],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await new Promise<string>((resolve) => lines.once('line', resolve))
  const { address, tokenFile } = JSON.parse(line) as { address: string; tokenFile: string }
  return { child, port: Number(new URL(address).port), token: readFileSync(tokenFile, 'utf8').trim() }
}

it('loses no run and no event, and duplicates none', async () => {
  const pause = { calls: [{ name: 'bash', args: { command: 'sleep 0.2' } }] }
  const at = servedData([...Array.from({ length: 6 }, () => pause), { text: 'done' }])
  const random = rng(Number(process.env.ANODE_SEED ?? 7))
  let now = await serve(at)
  const begin = async () => {
    const body = { ...at.wishes('Wait a little'), mode: 'auto' }
    const { json } = await ask(now.port, '/v1/runs', { body, token: now.token })
    return json.thread as string
  }
  const threads = await Promise.all(Array.from({ length: rounds(2, 10) }, begin))
  let isOver = false
  const isEnd = ({ type }: StreamedEvent) => type === 'run.ended'
  const follow = async (thread: string) => {
    const seen: StreamedEvent[] = []
    while (!isOver && !seen.some(isEnd)) {
      const after = seen.findLast(({ pos }) => pos !== undefined)?.pos ?? 0
      seen.push(...(await readStream(now, thread, after, (events) => events.some(isEnd))))
      if (!seen.some(isEnd)) await sleep(20)
    }
    return seen.flatMap(({ pos }) => pos ?? [])
  }
  const following = threads.map(follow)
  for (let kills = 0; kills < rounds(2, 20); kills++) {
    await sleep(50 + random() * 300)
    now.child.kill('SIGKILL')
    now = await serve(at)
  }
  const positions = await Promise.all(following)
  isOver = true
  const { json } = await ask(now.port, '/v1/runs', { token: now.token })
  const runs = json.runs as { thread: string; state: string }[]
  expect(new Set(runs.map(({ thread }) => thread))).toEqual(new Set(threads))
  expect(runs.every(({ state }) => state !== 'broken')).toBe(true)
  const store = await openStore(at.data)
  for (const [index, thread] of threads.entries())
    expect(positions[index]).toEqual(store.threads.events(thread).map(({ pos }) => pos))
  store.close()
}, 120_000)
