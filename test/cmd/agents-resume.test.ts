// Interrupted and resumed runs: kill -9, an interrupt, forks. Nothing runs twice and nothing is lost.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import type { EventDraft } from '../../internal/event/event.ts'
import { openStore } from '../../internal/store/sqlite.ts'
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
  it.each([
    ['of their own', 'a', 'b', 'c'],
    ['that each reply uses again', 'call_0', 'call_0', 'call_0'],
  ])('after kill -9 answers the open call, runs nothing twice and continues: ids %s', async (_, a, b, c) => {
    const { server, env } = await serve([
      bash('echo one >> log', a),
      bash('echo two >> log; sleep 60', b),
      bash('echo three >> log', c),
      { text: 'all done' },
    ])
    const run = live(at, ['execute', 'go', ...flags], env)
    run.end()
    await run.until(/"tool.call".*"call":"call_2"/)
    await expect.poll(() => lines('log'), { timeout: 10_000 }).toEqual(['one', 'two'])
    run.child.kill('SIGKILL')
    const killed = await run.done
    const thread = threadIn(killed.out)
    const { code, out } = await at.anode(['execute', '--resume', thread, ...flags], { env })
    expect(code).toBe(0)
    const events = eventsOf(out)
    expect(ofType(events, 'tool.result')[0]?.payload).toMatchObject({
      call: 'call_2',
      // a repeated id gets a number as suffix
      model_call: b === a ? `${b}_2` : b,
      ok: false,
      code: 'interrupted',
    })
    expect(lines('log')).toEqual(['one', 'two', 'three'])
    const sent = server.requests[2]?.body.messages
    const roles = sent.map(({ role }: { role: string }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(sent.at(-1).content).toMatch(/^error interrupted/)
    const numbers = [...killed.out.trim().split('\n'), ...out.trim().split('\n')]
      .map((line) => JSON.parse(line))
      .flatMap(({ type, payload }) => (type === 'tool.call' ? [payload.call] : []))
    expect(numbers).toEqual(['call_1', 'call_2', 'call_3'])
  })

  it.each([
    ['resumed', '--resume'],
    ['forked', '--fork'],
  ])('a thread from before calls were numbered is %s', async (_, flag) => {
    const store = await openStore(at.data)
    const { id } = store.threads.create({ workspace: at.dir, title: 'old', profile: 'craft' })
    const call = (id: string) => ({ id, name: 'bash', args: { command: 'true' } })
    const said = (calls: object[]) => ({ role: 'assistant', text: 'on it', calls })
    const old = [
      { type: 'message', payload: { role: 'user', text: 'go' } },
      { type: 'message', payload: said([call('call_7')]) },
      { type: 'tool.call', payload: { call: 'call_7', tool: 'bash', args: {}, effect: 'exec', scope: [] } },
      { type: 'tool.result', payload: { call: 'call_7', tool: 'bash', ok: true, text: 'fine' } },
      { type: 'message', payload: said([call('call_7')]) },
      { type: 'tool.call', payload: { call: 'call_7', tool: 'bash', args: {}, effect: 'exec', scope: [] } },
    ] as EventDraft[]
    const events = old.map((draft, i) => ({ ...draft, id: createUlid(), run_id: 'run_1', seq: i + 1, ts: 1 }))
    store.threads.append(id, 'run_1', events)
    await store.close()
    const { server, env } = await serve([bash('echo new >> log', 'call_7'), { text: 'done' }])
    const { code, out } = await at.anode(['execute', flag, id, ...flags], { env })
    expect(code).toBe(0)
    const sent = server.requests[1]?.body.messages.filter(({ role }: { role: string }) => role === 'tool')
    expect(sent.map((one: { content: string }) => one.content.slice(0, 5))).toEqual([
      'fine',
      'error',
      '[exit',
    ])
    const numbers = ofType(eventsOf(out), 'tool.call').map(({ payload }) => payload.call)
    expect(numbers).toEqual(['call_8'])
  })

  it('is rejected while another process works on the thread; a copy of the thread is not rejected', async () => {
    const { server, env } = await serve([bash('echo one >> log; sleep 60', 'a'), { text: 'a copy' }])
    const run = live(at, ['execute', 'go', '--sandbox', 'off', ...flags], env)
    run.end()
    await run.until(/"tool.call".*"call":"call_1"/)
    await expect.poll(() => lines('log'), { timeout: 10_000 }).toEqual(['one'])
    const second = await at.anode(['execute', 'more', '--resume', 'last', ...flags], { env })
    expect(second).toMatchObject({
      code: 2,
      err: expect.stringContaining(`a run of process ${run.pid} is at work`),
    })
    expect(server.requests).toHaveLength(1)
    const copy = await at.anode(['execute', 'more', '--fork', 'last', ...flags], { env })
    expect(copy.code).toBe(0)
    run.child.kill('SIGINT')
    await run.done
    expect((await at.anode(['threads', 'list', '--json'])).out).not.toContain('more')
  })

  it('adds a new task after the earlier messages', async () => {
    const { server, env } = await serve([{ text: 'first' }, { text: 'second' }])
    await at.anode(['execute', 'one', ...flags], { env })
    const { out } = await at.anode(['execute', 'two', '--resume', 'last', ...flags], { env })
    expect(eventsOf(out).at(-1)?.payload).toMatchObject({ end: 'done', answer: 'second' })
    const said = server.requests[1]?.body.messages.slice(1)
    expect(said.map(({ content }: { content: string }) => content)).toEqual(['one', 'first', 'two'])
  })
})

describe('SIGINT', () => {
  it('ends the run and its processes with exit code 130, and the thread can be resumed', async () => {
    const { env } = await serve([bash('echo $$ > pid; sleep 60', 'a'), { text: 'went on' }])
    // In the sandbox a process sees another process id than the host does.
    const run = live(at, ['execute', 'go', '--sandbox', 'off', ...flags], env)
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

  it('also ends with exit code 130 while the model is silent', async () => {
    const { env } = await serve([{ text: 'never', delayMs: 60_000 }])
    const run = live(at, ['execute', 'go', ...flags], env)
    run.end()
    await run.until(/"role":"user"/)
    run.child.kill('SIGINT')
    expect((await run.done).code).toBe(130)
  })
})

describe('--fork', () => {
  it('continues in a copy up to the event; the original is unchanged', async () => {
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
