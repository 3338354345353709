// Runs against model servers on loopback: events, images, refusals, approvals and steering.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
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

async function serve(replies: Parameters<typeof serveModel>[0]) {
  const server = await serveModel(replies)
  onTestFinished(() => server.close())
  return { server, env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-0123456789abcdef' } }
}
const call = (name: string, args: object, id = 'c1'): ServedReply => ({ calls: [{ id, name, args }] })
const words = (...more: string[]) => ['execute', 'go', '--model', 'openai/scripted', ...more]

describe('a served model', () => {
  it('emits events that match the schema, numbered without gaps, with one end event', async () => {
    at.put('a.txt', 'alpha\n')
    const { server, env } = await serve([
      { text: 'I read.', ...call('read', { path: 'a.txt' }), usage: { in: 50, out: 9, cached: 20 } },
      { text: 'It says alpha.' },
    ])
    const { code, out, err } = await at.anode(words('--stream-json'), { env })
    expect(err).toBe('')
    expect(code).toBe(0)
    const events = eventsOf(out)
    expect(events[0]?.type).toBe('system.init')
    expect(ofType(events, 'tool.result')[0]?.payload).toMatchObject({
      call: 'call_1',
      model_call: 'c1',
      tool: 'read',
      ok: true,
    })
    expect(ofType(events, 'usage')[0]?.payload).toMatchObject({ input: 50, output: 9, cached: 20 })
    const said = ofType(events, 'message.delta').map(({ payload }) => payload.text ?? '')
    expect(said.join('')).toBe('I read.It says alpha.')
    expect(events.at(-1)?.payload).toEqual({
      end: 'done',
      answer: 'It says alpha.',
      model: 'openai/scripted',
      totals: { input: 60, output: 14, cached: 20, cacheWrite: 0, estimated: false, requests: 2, calls: 1 },
      usd: null,
      ms: expect.any(Number),
    })
    const [first, second] = server.requests.map(({ body }) => body)
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
    expect(second.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' })
    expect(second.tools).toEqual(first.tools)
  })

  it('gets the images of --image', async () => {
    const dot = Buffer.from('\x89PNG\r\n\x1a\n\x01\x02\x03', 'latin1')
    writeFileSync(join(at.dir, 'dot.png'), dot)
    const { server, env } = await serve([{ text: 'a dot' }])
    expect((await at.anode(words('--image', 'dot.png'), { env })).out).toBe('a dot\n')
    const url = `data:image/png;base64,${dot.toString('base64')}`
    expect(server.requests[0]?.body.messages.at(-1).content).toEqual([
      { type: 'text', text: 'go' },
      expect.objectContaining({ type: 'image_url', image_url: expect.objectContaining({ url }) }),
    ])
  })

  it('a rejected key ends the run once with the message of the server, and the thread is stored', async () => {
    const { server, env } = await serve(() => ({
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided: sk-test-0123456789abcdef."}}',
    }))
    const { code, err } = await at.anode(words(), { env })
    expect(err).toMatch(/Incorrect API key provided/)
    expect(err).not.toContain('0123456789abcdef')
    expect(code).toBe(1)
    expect(server.requests).toHaveLength(1)
    const thread = /--resume (sess_\w+)/.exec(err)?.[1] as string
    const { env: fixed } = await serve([{ text: 'now it works' }])
    const again = await at.anode(['execute', '--model', 'openai/scripted', '--resume', thread], {
      env: fixed,
    })
    expect(again.out).toBe('now it works\n')
  })

  it('works with the aimock server', async () => {
    at.put('a.txt', 'alpha\n')
    const mock = new LLMock({ port: 0 })
    mock.on(
      { userMessage: 'go', hasToolResult: false },
      { toolCalls: [{ id: 'c1', name: 'read', arguments: '{"path":"a.txt"}' }] },
    )
    mock.on({ userMessage: 'go', hasToolResult: true }, { content: 'alpha it is' })
    await mock.start()
    onTestFinished(() => mock.stop())
    const env = { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: 'mock' }
    const { code, out } = await at.anode(words('--stream-json'), { env })
    expect(code).toBe(0)
    const events = eventsOf(out)
    expect(ofType(events, 'tool.result').map(({ payload }) => payload.ok)).toEqual([true])
    expect(ofType(events, 'message').at(-1)?.payload.text).toBe('alpha it is')
  })
})

describe('--stream-json-input', () => {
  const flags = ['execute', '--model', 'openai/scripted', '--stream-json', '--stream-json-input']

  it('accepts the task, steering during the run, and approvals by call', async () => {
    const { server, env } = await serve([
      call('bash', { command: 'touch allowed', timeout_ms: 60_000 }, 'yes'),
      call('bash', { command: 'touch denied' }, 'no'),
      { text: 'one made, one not' },
    ])
    const run = live(at, flags, env)
    run.send('no message')
    run.send({ type: 'user', text: 'make two files' })
    await run.until(/"permission.asked".*"call":"call_1"/)
    run.send({ type: 'user', text: 'hurry' })
    run.send({ type: 'approval', call: 'call_1', allow: true })
    await run.until(/"permission.asked".*"call":"call_2"/)
    run.send({ type: 'approval', call: 'call_2', allow: false, why: 'not that one' })
    await run.until(/one made, one not/)
    run.end()
    const { code, out } = await run.done
    expect(code).toBe(0)
    const events = eventsOf(out)
    expect(ofType(events, 'permission.decided').map(({ payload }) => payload.action)).toEqual([
      'allow',
      'deny',
    ])
    expect(ofType(events, 'permission.asked')[0]?.payload).toMatchObject({
      args: { command: 'touch allowed', timeout_ms: 60_000 },
      cwd: at.dir,
      origin: 'native',
      always: [{ rule: { tool: 'bash', action: 'allow', command: '=touch allowed' } }],
      model_call: 'yes',
    })
    expect(existsSync(join(at.dir, 'allowed'))).toBe(true)
    expect(existsSync(join(at.dir, 'denied'))).toBe(false)
    expect(server.requests[0]?.body.messages.at(-1).content).toBe('make two files')
    expect(server.requests[1]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'hurry' })
    expect(server.requests[2]?.raw).toContain('not that one')
  })

  it('applies each verdict to one call, for any ids of the endpoint and any order of verdicts', async () => {
    const { env } = await serve([
      call('bash', { command: 'touch one' }, 'call_0'),
      call('bash', { command: 'touch two' }, 'call_0'),
      call('bash', { command: 'touch three' }, 'call_0'),
      { text: 'the end' },
    ])
    const run = live(at, flags, env)
    // before any question, by the id of the endpoint and by the id of Anode
    for (const id of ['call_0', 'call_1', 'call_2', 'call_3'])
      run.send({ type: 'approval', call: id, allow: true })
    run.send({ type: 'user', text: 'go' })
    await run.until(/"permission.asked".*"call":"call_1"/)
    run.send({ type: 'approval', call: 'call_0', allow: true })
    run.send({ type: 'approval', call: 'call_3', allow: true })
    run.send({ type: 'approval', call: 'call_1', allow: true })
    run.send({ type: 'approval', call: 'call_1', allow: true })
    await run.until(/"permission.asked".*"call":"call_2"/)
    run.send({ type: 'approval', call: 'call_1', allow: true })
    run.send({ type: 'approval', call: 'call_2', allow: false })
    run.send({ type: 'approval', call: 'call_2', allow: true })
    await run.until(/"permission.asked".*"call":"call_3"/)
    run.send({ type: 'approval', allow: true })
    run.send({ type: 'approval', call: 'call_2', allow: true })
    run.end()
    const { out, err } = await run.done
    const decided = ofType(eventsOf(out), 'permission.decided').map(({ payload }) => payload.action)
    expect(decided).toEqual(['allow', 'deny', 'deny'])
    expect(['one', 'two', 'three'].map((name) => existsSync(join(at.dir, name)))).toEqual([
      true,
      false,
      false,
    ])
    expect(err.match(/approval for .* was ignored/g)?.length).toBe(11)
  })

  it('denies the call when the input has ended', async () => {
    const { env } = await serve([call('bash', { command: 'touch made' }), { text: 'denied' }])
    const run = live(at, flags, env)
    run.send({ type: 'user', text: 'make a file' })
    run.end()
    const { code, out } = await run.done
    expect(ofType(eventsOf(out), 'permission.decided')[0]?.payload.why).toMatch(/no answer came/)
    expect(existsSync(join(at.dir, 'made'))).toBe(false)
    expect(code).toBe(4)
    expect(eventsOf(out).at(-1)).toMatchObject({
      type: 'run.ended',
      status: 'partial',
      payload: {
        end: 'partial',
        reason: 'denied',
        answer: 'denied',
        unanswered: [{ tool: 'bash', count: 1 }],
      },
    })
  })

  it('stays open until the input ends, and answers a message after the first answer', async () => {
    const texts = ['one', 'two', 'three', 'four']
    const { server, env } = await serve(texts.map((text) => ({ text })))
    const run = live(at, [...flags, '--max-turns', '2'], env)
    for (const [i, text] of texts.entries()) {
      run.send({ type: 'user', text: `message ${i}` })
      await run.until(new RegExp(`"role":"assistant","text":"${text}"`))
    }
    run.end()
    const { code, out } = await run.done
    expect(code).toBe(0)
    expect(ofType(eventsOf(out), 'run.ended').map(({ payload }) => payload.answer)).toEqual(['four'])
    expect(server.requests).toHaveLength(4)
    const said = server.requests[3]?.body.messages.slice(1).map(({ content }: { content: string }) => content)
    expect(said).toEqual(['message 0', 'one', 'message 1', 'two', 'message 2', 'three', 'message 3'])
  })

  it('answers all messages that came before the input ended', async () => {
    const { server, env } = await serve([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
    const run = live(at, flags, env)
    for (const text of ['a', 'b', 'c']) run.send({ type: 'user', text })
    run.end()
    const { code } = await run.done
    expect(code).toBe(0)
    const last = server.requests.at(-1)?.raw ?? ''
    expect(JSON.parse(last).messages.at(-1)).toEqual({ role: 'user', content: 'a\n\nb\n\nc' })
  })

  it('runs nothing without a first message', async () => {
    const { server, env } = await serve([{ text: 'never' }])
    const run = live(at, flags, env)
    run.end()
    const { code, err } = await run.done
    expect(err).toMatch(/no task was given/)
    expect(code).toBe(2)
    expect(server.requests).toEqual([])
  })
})
