// Dependencies of the session that hang, flood or send too much: the screen echoes keys, and Escape
// ends the call.
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { medianOf } from '../../../internal/research/stats/statistics.ts'
import { forbiddenBytes } from '../../support/emulator.ts'
import { listenNear, serveNear } from '../../support/near-provider.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld } from '../../support/screen-program.ts'

/** Whether nothing runs and the text typed meanwhile is in the editor. */
const isIdle = ({ screen }: ScreenProgram) =>
  screen().trimEnd().split('\n').slice(-3).join('\n').includes('Enter sends')
const bash = (command: string, i = 0) => ({ id: `c${i}`, name: 'bash', args: { command } })

/** Sends the same events as fast as possible, until the client closes the connection. */
async function serveForever(world: Pick<ScreenWorld, 'put'>, event: string): Promise<readonly string[]> {
  const server = createServer((request, reply) => {
    request.resume()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = () => {
      while (!reply.destroyed && reply.write(event.repeat(20)));
      if (!reply.destroyed) reply.once('drain', () => setImmediate(send))
    }
    send()
  })
  return listenNear(world, server)
}

const delta = (part: object) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: part, finish_reason: null }] })}\n\n`

interface HungPart {
  begin(world: ScreenWorld): Promise<readonly string[]>
  /** Text on the screen while the part hangs. */
  goes: RegExp
}

const rows: Readonly<Record<string, HungPart>> = {
  'reasoning without an end': {
    begin: (world) => serveForever(world, delta({ reasoning_content: 'and then \x1b[2J\u202e once more. ' })),
    goes: /^ thinks {2}\d/m,
  },
  'arguments without an end': {
    begin: (world) =>
      serveForever(
        world,
        delta({
          tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: 'x'.repeat(999) } }],
        }),
      ),
    goes: /works/,
  },
  '1,000 calls in one reply': {
    begin: (world) => serveCalls(world, 1_000),
    goes: /1 of 1,?000|sleep 66/,
  },
}

async function serveCalls(world: ScreenWorld, count: number): Promise<readonly string[]> {
  const calls = Array.from({ length: count }, (_, i) => bash(`sleep 66.${i}`, i))
  return (await serveNear(world, () => ({ calls, piece: 10_000 }))).model
}

/** Returns the milliseconds until the word is on the screen. */
async function echo(screen: ScreenProgram, word: string): Promise<number> {
  const since = performance.now()
  screen.type(word)
  await screen.until(() => screen.screen().includes(word))
  return performance.now() - since
}

it.each(Object.entries(rows))(
  '%s: echoes keys, and Escape ends it',
  async (_, { begin, goes }) => {
    const world = openScreenWorld([])
    const words = await begin(world)
    const screen = world.start([...words, '--approval', 'unrestricted', 'go'])
    await screen.until(goes, 60_000)
    const times: number[] = []
    for (const word of ['kq', 'wv', 'zj']) times.push(await echo(screen, word))
    const since = performance.now()
    screen.type('\x1b')
    // a response without an end may have reached its limit before the key
    await screen.until(/cancelled: interrupted|failed: connection lost/)
    await screen.until(() => isIdle(screen))
    const idle = performance.now() - since
    // on an idle machine: 100 ms and 2.5 s
    expect(medianOf(times)).toBeLessThan(5_000)
    expect(idle).toBeLessThan(30_000)
    expect(forbiddenBytes(screen.bytes())).toEqual([])
    screen.program.kill('SIGTERM')
    expect(await screen.exit).toBe(143)
  },
  120_000,
)

it('rejects 10,000 calls in one response, and echoes keys', async () => {
  const world = openScreenWorld([])
  const words = await serveCalls(world, 10_000)
  const screen = world.start([...words, '--approval', 'unrestricted', 'go'])
  await screen.until(/the reply has more than 1024 calls/, 60_000)
  expect(await echo(screen, 'kq')).toBeLessThan(10_000)
  await screen.until(() => isIdle(screen))
  expect(forbiddenBytes(screen.bytes())).toEqual([])
  screen.program.kill('SIGTERM')
  expect(await screen.exit).toBe(143)
}, 120_000)
