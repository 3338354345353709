// The Messages model, against a scripted server and an independent one.
import { LLMock } from '@copilotkit/aimock'
import { afterEach, expect, test } from 'vitest'
import { createMessagesModel } from '../../../internal/model/messages.ts'
import type { ModelMessage, ModelRequest } from '../../../internal/model/model.ts'
import { pickModel } from '../../../internal/model/model-choice.ts'
import type { ModelEndpoint } from '../../../internal/model/wire/model-endpoint.ts'
import { ask, user } from '../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../support/model-server.ts'
import { scratch } from '../../support/scratch.ts'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const testEndpoint = (baseUrl: string, change: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
  id: 'test/claude-sonnet-5',
  provider: 'test',
  model: 'claude-sonnet-5',
  endpoint: { baseUrl, key: 'topsecretkey', headers: {}, idleMs: 5000 },
  quirks: {},
  window: 200_000,
  price: { input: 1, output: 2, cached: 0.1, cacheWrite: 1.25 },
  keys: ['topsecretkey'],
  ...change,
})
async function start(replies: ServedReply[], change?: Partial<ModelEndpoint>) {
  server = await serveModel(replies)
  return createMessagesModel(testEndpoint(server.url, change))
}
const sent = (n: number) => server?.requests[n]?.body
const tools = [
  { name: 'read', description: 'Reads.', schema: { type: 'object' } },
  { name: 'web.find', description: 'Finds.', schema: { type: 'object' } },
]
const mark = { type: 'ephemeral' }

test('reads text, reasoning, calls, and usage by kind', async () => {
  const model = await start([
    {
      reasoning: 'hm, well',
      text: 'I look.',
      calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
      usage: { in: 1000, out: 500, cached: 100, written: 200 },
    },
  ])
  const reply = await ask(model, { messages: [user('go')], tools })
  expect(reply).toMatchObject({
    reasoning: 'hm, well',
    text: 'I look.',
    calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
    usage: { input: 1000, output: 500, cached: 100, cacheWrite: 200 },
    end: { reason: 'calls' },
  })
  // 700 fresh, 100 read at a tenth, 200 written at 1.25, 500 output at 2
  expect(reply.usage?.usd).toBeCloseTo((700 + 10 + 250 + 1000) / 1e6, 12)
})

test('sends the request body, and returns reasoning at its position', async () => {
  const model = await start([
    { reasoning: 'hm', text: 'I look.', calls: [{ id: 'a', name: 'read' }] },
    { text: 'x' },
  ])
  const request: ModelRequest = {
    messages: [{ role: 'system', content: 'Be brief.' }, user('go')],
    tools,
    effort: 'medium',
    maxOutput: 9,
  }
  const reply = await ask(model, request)
  expect(server?.requests[0]).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': 'topsecretkey', 'anthropic-version': '2023-06-01' },
  })
  expect(sent(0)).toEqual({
    model: 'claude-sonnet-5',
    max_tokens: 9,
    stream: true,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
    cache_control: mark,
    tools: [
      { name: 'read', description: 'Reads.', input_schema: { type: 'object' } },
      { name: 'web_find', description: 'Finds.', input_schema: { type: 'object' }, cache_control: mark },
    ],
    system: [{ type: 'text', text: 'Be brief.', cache_control: mark }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  })
  if (!reply.end?.carry) throw new Error('nothing to carry')
  const picture = { type: 'image', mime: 'image/png', base64: 'AAAA' } as const
  const next: ModelMessage[] = [
    ...request.messages,
    { role: 'assistant', content: reply.text, calls: reply.calls, carry: reply.end.carry },
    {
      role: 'tool',
      callId: 'a',
      name: 'read',
      content: [{ type: 'text', text: 'r' }, picture],
      failed: true,
    },
    user('and now?'),
  ]
  await ask(model, { ...request, messages: next })
  expect(sent(1).messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sealed' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'text', text: 'r' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
          is_error: true,
        },
        { type: 'text', text: 'and now?' },
      ],
    },
  ])
})

test('another model does not get the reasoning of this one', async () => {
  const model = await start([{ reasoning: 'hm', text: 'a' }, { text: 'b' }])
  const { end } = await ask(model)
  const other = createMessagesModel(testEndpoint(server?.url ?? '', { id: 'test/claude-opus-5' }))
  const carry = end?.carry
  if (!carry) throw new Error('nothing to carry')
  await ask(other, { messages: [user('go'), { role: 'assistant', content: 'a', carry }, user('on')] })
  expect(JSON.stringify(sent(1))).not.toContain('sealed')
})

test('restores a tool name that the API does not accept', async () => {
  const model = await start([{ calls: [{ id: 'a', name: 'web_find' }] }])
  expect((await ask(model, { messages: [user('go')], tools })).calls[0]?.name).toBe('web.find')
})

test.each([
  ['max_tokens', 'length'],
  ['refusal', 'filter'],
  ['stop_sequence', 'stop'],
])('%s ends with %s', async (finish, reason) => {
  const reply = await ask(await start([{ text: 'so far', finish }]))
  expect(reply.end?.reason).toBe(reason)
})

test('a call that the output limit cuts does not run', async () => {
  const reply = await ask(await start([{ calls: [{ name: 'read', raw: '{"pa' }], finish: 'length' }]))
  expect(reply.end?.reason).toBe('length')
  expect(reply.calls[0]?.malformed?.error).toMatch(/output limit/)
})

test('a full window gives the failure context_too_long', async () => {
  const reply = await ask(await start([{ text: 'so', finish: 'model_context_window_exceeded' }]))
  expect(reply.failure?.kind).toBe('context_too_long')
})

test('continues a paused response, and counts its tokens once each', async () => {
  const model = await start([
    { text: 'One. ', finish: 'pause_turn', usage: { in: 100, out: 10 } },
    { text: 'Two.', usage: { in: 120, out: 5 } },
  ])
  const reply = await ask(model)
  expect(reply).toMatchObject({
    text: 'One. Two.',
    usage: { input: 220, output: 15 },
    end: { reason: 'stop' },
  })
  expect(sent(1).messages.at(-1)).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'One. ' }],
  })
})

test('a stream that stops without saying why it ended is broken', async () => {
  const reply = await ask(await start([{ text: 'x', calls: [{ name: 'read' }], finish: null }]))
  expect(reply).toMatchObject({ calls: [], failure: { kind: 'broken' } })
})

test('failures inside the stream keep their kind', async () => {
  const stream = (type: string, message: string): ServedReply => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`,
  })
  const model = await start([
    stream('overloaded_error', 'Overloaded'),
    stream('rate_limit_error', 'slow down'),
    stream('invalid_request_error', 'prompt is too long: 300000 tokens > 200000 maximum'),
  ])
  expect((await ask(model)).failure).toMatchObject({ kind: 'server', message: 'Overloaded' })
  expect((await ask(model)).failure?.kind).toBe('rate_limit')
  expect((await ask(model)).failure?.kind).toBe('context_too_long')
})

const refusal = (message: string): ServedReply => ({
  status: 400,
  body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
})

test('drops fields and markers that a gateway does not accept, and does not send them again', async () => {
  const model = await start([
    refusal('cache_control: Extra inputs are not permitted'),
    { text: 'ok' },
    { text: 'ok' },
  ])
  const request = { messages: [{ role: 'system', content: 's' } as const, user('go')], tools }
  expect((await ask(model, request)).text).toBe('ok')
  await ask(model, request)
  for (const n of [1, 2]) expect(server?.requests[n]?.raw).not.toContain('cache_control')
  expect(server?.requests).toHaveLength(3)
})

test('learns the output limit of a model from its rejection', async () => {
  const words = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for x'
  const model = await start([refusal(words), { text: 'ok' }, { text: 'ok' }])
  expect((await ask(model)).text).toBe('ok')
  await ask(model)
  expect([sent(0).max_tokens, sent(1).max_tokens, sent(2).max_tokens]).toEqual([32_000, 8192, 8192])
})

test('reads the response of an endpoint that does not stream', async () => {
  const content = [
    { type: 'text', text: 'whole' },
    { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
  ]
  const message = {
    type: 'message',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 4 },
  }
  const model = await start([{ status: 200, body: JSON.stringify(message) }])
  expect(await ask(model, { messages: [user('go')], tools })).toMatchObject({
    text: 'whole',
    calls: [{ id: 'a', args: { path: 'x' } }],
    usage: { input: 3, output: 4 },
    end: { reason: 'calls' },
  })
})

test('requests caching for an hour, or no caching', async () => {
  await ask(await start([{ text: 'x' }], { cache: '1h' }), { messages: [user('go')], tools })
  expect(sent(0)).toMatchObject({ cache_control: { type: 'ephemeral', ttl: '1h' } })
  await server?.close()
  await ask(await start([{ text: 'x' }], { cache: false }), { messages: [user('go')], tools })
  expect(server?.requests[0]?.raw).not.toContain('cache_control')
})

test('works with an independent server', async () => {
  const mock = new LLMock({ port: 0 })
  mock.on({ userMessage: 'greet' }, { content: 'Good morning.' })
  mock.on(
    { userMessage: 'call' },
    { toolCalls: [{ name: 'read', arguments: '{"path":"a.ts"}', id: 'call_a' }] },
  )
  await mock.start()
  try {
    // without /v1, as its clients write the address
    const model = createMessagesModel(testEndpoint(mock.url))
    expect(await ask(model, 'greet')).toMatchObject({ text: 'Good morning.', end: { reason: 'stop' } })
    const reply = await ask(model, { messages: [user('call')], tools })
    expect(reply.calls).toMatchObject([{ name: 'read', args: { path: 'a.ts' } }])
    expect(reply.end?.reason).toBe('calls')
  } finally {
    await mock.stop()
  }
})

test.each([
  [true, undefined, { type: 'ephemeral', ttl: '1h' }],
  [false, undefined, mark],
  [true, '5m' as const, mark],
])('a user may answer: %s, configured: %s', async (isUserExpected, cache, wanted) => {
  server = await serveModel([{ text: 'a' }])
  const dir = scratch()
  const lab = { baseUrl: server.url, apiFormat: 'messages' as const, window: 9000, maxConcurrent: 2, cache }
  const config = { providers: { lab } }
  const { model } = await pickModel('lab/m', {
    env: { ANODE_DATA_DIR: dir },
    cwd: dir,
    config,
    isUserExpected,
  })
  await ask(model)
  expect(sent(0).cache_control).toEqual(wanted)
})
