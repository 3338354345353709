// The slots and rate limit of one model server that several programs share, also when a program is killed.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { type Live, live } from '../support/live.ts'
import { llamaCpp } from '../support/local-servers.ts'
import { type ModelServer, type ServedReply, serveModel } from '../support/model-server.ts'
import { rounds } from '../support/sample.ts'

let at: World
let server: ModelServer | undefined
const started: Live[] = []
beforeEach(() => {
  at = world()
})
afterEach(async () => {
  for (const run of started.splice(0)) run.child.kill('SIGKILL')
  await server?.close()
  server = undefined
  at.remove()
})

function run(address: string, more: Record<string, unknown> = {}): Live {
  at.put('.config/anode/config.json', JSON.stringify({ providers: { lab: { baseUrl: address, ...more } } }))
  const one = live(at, ['execute', 'go', '--model', 'lab/m'])
  one.end()
  started.push(one)
  return one
}

const never = new Promise(() => undefined)
const held: ServedReply = { text: 'never', hold: { at: 0, until: never } }

/** Returns the files of the queue in front of the server. */
function tickets(): string[] {
  const dir = join(at.data, 'endpoints')
  const line = readdirSync(dir).find((name) => name.endsWith('.slots'))
  return line ? readdirSync(join(dir, line)) : []
}

async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; !isSo(); n++) {
    if (n > 1_000) throw new Error('it never came to be')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('programs take turns at a server with one slot, and a killed program releases its slot', async () => {
  let running = 0
  let most = 0
  server = await serveModel(
    (_, n) => {
      if (n === 0) return held
      most = Math.max(most, ++running)
      setTimeout(() => running--, 140)
      return { text: 'ok', delayMs: 150 }
    },
    llamaCpp({ window: 16_384 }),
  )
  const { url, requests } = server
  const first = run(url)
  await until(() => requests.length === 1)
  const others = Array.from({ length: rounds(2, 6) }, () => run(url))
  await until(() => tickets().length === others.length + 1)
  // the user reads why nothing happens
  await others[0]?.until(/serves one request at a time, and other runs came first/, 'err')
  expect(requests).toHaveLength(1)
  first.child.kill('SIGKILL')
  const ends = await Promise.all(others.map(({ done }) => done))
  expect(ends.map(({ code, out }) => [code, out])).toEqual(others.map(() => [0, 'ok\n']))
  expect(most).toBe(1)
  expect(tickets()).toEqual([])
})

test('programs share the limit of one provider, and do not wait for a killed program', async () => {
  const windowMs = 1_500
  const limit = 3
  let began = 0
  let used = 0
  let refused = 0
  server = await serveModel(({ body }, n) => {
    const now = Date.now()
    if (now - began >= windowMs) [began, used] = [now, 0]
    used++
    const headers = {
      'x-ratelimit-limit-requests': String(limit),
      'x-ratelimit-remaining-requests': String(Math.max(0, limit - used)),
      'x-ratelimit-reset-requests': `${began + windowMs - now}ms`,
    }
    if (used > limit) {
      refused++
      return { status: 429, headers, body: '{"error":{"message":"too many requests"}}' }
    }
    if (n === 1) return { ...held, headers }
    const turn = body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
    if (turn === 2) return { text: 'ok', headers }
    return { calls: [{ name: 'read', id: `c${turn}`, args: { path: 'a.txt', end_line: turn + 1 } }], headers }
  })
  at.put('a.txt', 'one\ntwo\nthree\n')
  const { url, requests } = server
  const more = { maxConcurrent: 9, window: 32_000 }
  // The first response contains the limit. The second request is never answered.
  const first = run(url, more)
  await until(() => requests.length === 2)
  first.child.kill('SIGKILL')
  const others = Array.from({ length: rounds(2, 5) }, () => run(url, more))
  const ends = await Promise.all(others.map(({ done }) => done))
  expect(ends.map(({ code, out }) => [code, out])).toEqual(others.map(() => [0, 'ok\n']))
  // a request that is under way when the interval of the server ends counts in the next interval
  expect(refused).toBeLessThan(requests.length / 5)
})
