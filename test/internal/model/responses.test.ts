// The Responses model, against a scripted server and an independent one.
import { LLMock } from '@copilotkit/aimock'
import { afterEach, expect, test } from 'vitest'
import type { ModelRequest } from '../../../internal/model/model.ts'
import { createResponsesModel } from '../../../internal/model/responses.ts'
import type { ModelEndpoint } from '../../../internal/model/wire/model-endpoint.ts'
import { ask, user } from '../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../support/model-server.ts'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const testEndpoint = (baseUrl: string): ModelEndpoint => ({
  id: 'test/gpt-5',
  provider: 'test',
  model: 'gpt-5',
  endpoint: { baseUrl, key: 'topsecretkey', headers: {}, idleMs: 5000 },
  quirks: { efforts: [[/^gpt-5/, ['low', 'high']]] },
  window: 1000,
  price: { input: 1, output: 2 },
  keys: ['topsecretkey'],
})
async function start(...replies: ServedReply[]) {
  server = await serveModel(replies)
  return createResponsesModel(testEndpoint(server.url))
}
const tools = [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }]

test('reads text, reasoning, calls and usage', async () => {
  const model = await start({
    reasoning: 'hm, well',
    text: 'I look.',
    calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
    usage: { in: 1000, out: 500, cached: 100 },
  })
  const reply = await ask(model, { messages: [user('go')], tools })
  expect(reply).toMatchObject({
    reasoning: 'hm, well',
    text: 'I look.',
    calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
    usage: { input: 1000, output: 500, cached: 100, usd: 0.002 },
    end: { reason: 'calls' },
  })
})

test('sends the request, and returns sealed reasoning with the next request', async () => {
  const model = await start({ reasoning: 'hm', calls: [{ id: 'a', name: 'read' }] }, { text: 'x' })
  const request: ModelRequest = { messages: [user('go')], tools, effort: 'medium', maxOutput: 9 }
  const reply = await ask(model, request)
  expect(server?.requests[0]).toMatchObject({ path: '/v1/responses' })
  expect(server?.requests[0]?.body).toEqual({
    model: 'gpt-5',
    stream: true,
    store: false,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    max_output_tokens: 9,
    tools: [
      {
        type: 'function',
        name: 'read',
        description: 'Reads.',
        parameters: { type: 'object' },
        strict: false,
      },
    ],
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }],
  })
  if (!reply.end?.carry) throw new Error('nothing to carry')
  await ask(model, {
    ...request,
    messages: [
      user('go'),
      { role: 'assistant', content: '', calls: reply.calls, carry: reply.end.carry },
      { role: 'tool', callId: 'a', name: 'read', content: 'r' },
    ],
  })
  expect(server?.requests[1]?.body.input.slice(1)).toMatchObject([
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'r' },
  ])
})

test('the last call of a response that is cut by length does not run', async () => {
  const reply = await ask(await start({ calls: [{ name: 'read', raw: '{"pa' }], finish: 'length' }))
  expect(reply.end?.reason).toBe('length')
  expect(reply.calls[0]?.malformed?.error).toMatch(/output limit/)
})

test('a stream that stops without its last event is broken', async () => {
  const reply = await ask(await start({ text: 'x', calls: [{ name: 'read' }], finish: null }))
  expect(reply).toMatchObject({ calls: [], failure: { kind: 'broken' } })
})

test('keeps the kind of failures inside the stream', async () => {
  const stream = (event: unknown): ServedReply => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify(event)}\n\n`,
  })
  const model = await start(
    stream({ type: 'response.failed', response: { error: { code: 'server_error', message: 'oops' } } }),
    stream({ type: 'error', code: 'rate_limit_exceeded', message: 'slow down' }),
  )
  expect((await ask(model)).failure).toMatchObject({ kind: 'server', message: 'oops' })
  expect((await ask(model)).failure).toMatchObject({ kind: 'rate_limit', message: 'slow down' })
})

test('drops fields that an endpoint does not accept', async () => {
  const body = '{"error":{"message":"Encrypted content is not supported with this model."}}'
  const model = await start({ status: 400, body }, { text: 'ok' })
  expect((await ask(model)).text).toBe('ok')
  expect(server?.requests[1]?.body).not.toHaveProperty('include')
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
    const model = createResponsesModel(testEndpoint(`${mock.url}/v1`))
    expect(await ask(model, 'greet')).toMatchObject({ text: 'Good morning.', end: { reason: 'stop' } })
    const reply = await ask(model, { messages: [user('call')], tools })
    expect(reply.calls).toMatchObject([{ name: 'read', args: { path: 'a.ts' } }])
  } finally {
    await mock.stop()
  }
})
