// Runs that are cut off and gone on with: kill -9, an interrupt, forks; nothing runs twice, nothing is lost.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { eventsOf, ofType } from '../support/events.ts'
import { live } from '../support/live.ts'
import { type ServedReply, serveModel } from '../support/model-server.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

async function serve(replies: readonly ServedReply[]) {
  const server = await serveModel(replies)
  onTestFinished(() => server.close())
  return { server, env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'test' } }
}
const flags = ['--model', 'openai/scripted', '--approval', 'unrestricted', '--stream-json']
const bash = (command: string, id: string): ServedReply => ({
  calls: [{ id, name: 'bash', args: { command } }],
})
const lines = (path: string) => readFileSync(join(at.dir, path), 'utf8').trim().split('\n')
const threadIn = (out: string) => /"thread":"(sess_\w+)"/.exec(out)?.[1] as string

describe('--resume', () => {
  it('after kill -9 answers the open call, runs nothing twice and goes on', async () => {
    const { server, env } = await serve([
      bash('echo one >> log', 'a'),
      bash('echo two >> log; sleep 60', 'b'),
      bash('echo three >> log', 'c'),
      { text: 'all done' },
    ])
    const run = live(at, ['execute', 'go', ...flags], env)
    run.end()
    await run.until(/"tool.call".*"call":"b"/)
    await expect.poll(() => lines('log'), { timeout: 10_000 }).toEqual(['one', 'two'])
    run.child.kill('SIGKILL')
    const killed = await run.done
    const thread = threadIn(killed.out)
    const { code, out } = await at.anode(['execute', '--resume', thread, ...flags], { env })
    expect(code).toBe(0)
    const events = eventsOf(out)
    expect(ofType(events, 'tool.result')[0]?.payload).toMatchObject({
      call: 'b',
      ok: false,
      code: 'interrupted',
    })
    expect(lines('log')).toEqual(['one', 'two', 'three'])
    const sent = server.requests[2]?.body.messages
    const roles = sent.map(({ role }: { role: string }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(sent.at(-1).content).toMatch(/^error interrupted/)
  })

  it('with a new task says it after what was said', async () => {
    const { server, env } = await serve([{ text: 'first' }, { text: 'second' }])
    await at.anode(['execute', 'one', ...flags], { env })
    const { out } = await at.anode(['execute', 'two', '--resume', 'last', ...flags], { env })
    expect(eventsOf(out).at(-1)?.payload).toEqual({ end: 'done' })
    const said = server.requests[1]?.body.messages.slice(1)
    expect(said.map(({ content }: { content: string }) => content)).toEqual(['one', 'first', 'two'])
  })
})

describe('SIGINT', () => {
  it('ends the run with 130, its processes too, and the thread goes on later', async () => {
    const { env } = await serve([bash('echo $$ > pid; sleep 60', 'a'), { text: 'went on' }])
    const run = live(at, ['execute', 'go', ...flags], env)
    run.end()
    await run.until(/"tool.call"/)
    await expect.poll(() => lines('pid').length, { timeout: 10_000 }).toBe(1)
    await expect.poll(() => Number(lines('pid')[0]), { timeout: 10_000 }).toBeGreaterThan(1)
    run.child.kill('SIGINT')
    const { code, out } = await run.done
    expect(code).toBe(130)
    expect(eventsOf(out).at(-1)?.payload).toMatchObject({ end: 'cancelled', reason: 'SIGINT' })
    expect(() => process.kill(Number(lines('pid')[0]), 0)).toThrow()
    const again = await at.anode(['execute', '--resume', threadIn(out), ...flags], { env })
    expect(again.code).toBe(0)
    expect(ofType(eventsOf(again.out), 'message').at(-1)?.payload.text).toBe('went on')
  })

  it('while the model is silent ends with 130 as well', async () => {
    const { env } = await serve([{ text: 'never', delayMs: 60_000 }])
    const run = live(at, ['execute', 'go', ...flags], env)
    run.end()
    await run.until(/"role":"user"/)
    run.child.kill('SIGINT')
    expect((await run.done).code).toBe(130)
  })
})

describe('--fork', () => {
  it('goes on in a copy up to the event; the original stays as it is', async () => {
    const { server, env } = await serve([
      bash('echo one >> log', 'a'),
      { text: 'first end' },
      { text: 'other end' },
    ])
    const first = await at.anode(['execute', 'go', ...flags], { env })
    const thread = threadIn(first.out)
    const before = (await at.anode(['threads', 'export', thread, '--format', 'jsonl'])).out
    const result = eventsOf(first.out).filter(({ type }) => type !== 'message.delta')
    const n = result.findIndex(({ type }) => type === 'tool.result') + 1
    const { code, out } = await at.anode(['execute', 'another way', '--fork', `${thread}@${n}`, ...flags], {
      env,
    })
    expect(code).toBe(0)
    expect(threadIn(out)).not.toBe(thread)
    const sent = server.requests[2]?.body.messages.slice(1)
    expect(sent.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect((await at.anode(['threads', 'export', thread, '--format', 'jsonl'])).out).toBe(before)
    expect(lines('log')).toEqual(['one'])
    const { out: list } = await at.anode(['threads', 'list', '--json'])
    expect(JSON.parse(list)).toHaveLength(2)
  })
})
