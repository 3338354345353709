// The Chat Completions model, against a scripted server and an independent one.
import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../../internal/model/model.ts'
import { createChatModel } from '../../../internal/model/openai.ts'
import { retryModel } from '../../../internal/model/stream-retry.ts'
import type { EndpointQuirks } from '../../../internal/model/wire/endpoint-quirks.ts'
import type { ModelEndpoint } from '../../../internal/model/wire/model-endpoint.ts'
import { ask, user } from '../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../support/model-server.ts'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const key = 'topsecretkey'
function testEndpoint(
  baseUrl: string,
  quirks: EndpointQuirks = {},
  rest: Partial<ModelEndpoint> = {},
): ModelEndpoint {
  return {
    id: 'test/model-1',
    provider: 'test',
    model: 'model-1',
    endpoint: { baseUrl, key, headers: {}, idleMs: 5000 },
    quirks,
    window: 1000,
    price: { input: 1, output: 2 },
    keys: [key],
    ...rest,
  }
}
async function start(
  replies: ServedReply[] | ServedReply,
  quirks: EndpointQuirks = {},
  rest: Partial<ModelEndpoint> = {},
) {
  server = await serveModel([replies].flat())
  return createChatModel(testEndpoint(server.url, quirks, rest))
}
const tools = [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }]

test('reads text, reasoning, usage and price', async () => {
  const reply = await ask(
    await start({ reasoning: 'hm, well', text: 'Hello there', usage: { in: 1000, out: 500, cached: 200 } }),
  )
  expect(reply).toMatchObject({ reasoning: 'hm, well', text: 'Hello there', end: { reason: 'stop' } })
  expect(reply.usage).toEqual({ input: 1000, output: 500, cached: 200, usd: 0.002 })
})

test('returns calls last and complete, with their arguments', async () => {
  const reply = await ask(
    await start({
      text: 'I look.',
      calls: [
        { id: 'a', name: 'read', args: { path: 'x.ts', start_line: 1 } },
        { id: 'b', name: 'todo_read', raw: '' },
      ],
    }),
    { messages: [user('go')], tools },
  )
  expect(reply.calls).toEqual([
    { id: 'a', name: 'read', args: { path: 'x.ts', start_line: 1 } },
    { id: 'b', name: 'todo_read', args: {} },
  ])
  expect(reply.end?.reason).toBe('calls')
  const types = reply.events.map(({ type }) => type)
  expect(types.slice(types.indexOf('call'))).toEqual(['call', 'call', 'usage', 'end'])
})

test('reports broken arguments as broken', async () => {
  const reply = await ask(await start({ calls: [{ name: 'read', raw: '{"path": "x"' }] }))
  expect(reply.calls).toMatchObject([{ name: 'read', args: undefined, malformed: { position: 12 } }])
})

test('sends the request in the format of the API', async () => {
  const model = await start([{ text: 'a' }, { text: 'b' }], { efforts: [[/model/, ['low', 'high']]] })
  const request: ModelRequest = {
    messages: [{ role: 'system', content: 's' }, user('u')],
    tools,
    effort: 'max',
    maxOutput: 77,
    meta: { purpose: 'work', input: { secret: 'never sent' }, task: 't1' },
  }
  await ask(model, request)
  await ask(model, { ...request, tools: [] })
  expect(server?.requests[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
  expect(server?.requests[0]?.body).toEqual({
    model: 'model-1',
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: 'high',
    max_completion_tokens: 77,
    tools: [
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } },
    ],
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ],
  })
  expect(server?.requests[1]?.body).not.toHaveProperty('tools')
})

test('quirks of a provider decide the fields of a request', async () => {
  await ask(await start({ text: 'a' }, { noStreamOptions: true, maxTokens: true, reportsCost: true }), {
    maxOutput: 5,
  })
  expect(server?.requests[0]?.body).toMatchObject({ max_tokens: 5, usage: { include: true } })
  expect(server?.requests[0]?.body).not.toHaveProperty('stream_options')
})

test('drops fields that an endpoint rejects, permanently', async () => {
  const no = (message: string): ServedReply => ({ status: 400, body: JSON.stringify({ error: { message } }) })
  const model = await start([
    no("Unsupported parameter: 'stream_options'"),
    no("Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead."),
    { text: 'ok' },
    { text: 'again' },
  ])
  expect((await ask(model, { maxOutput: 5 })).text).toBe('ok')
  expect((await ask(model, { maxOutput: 5 })).text).toBe('again')
  expect(server?.requests).toHaveLength(4)
  for (const { body } of server?.requests.slice(2) ?? []) {
    expect(Object.keys(body)).toEqual(['model', 'stream', 'max_tokens', 'messages'])
  }
})

test('any other 400 is final, with the message of the endpoint', async () => {
  const model = await start({ status: 400, body: `{"error":{"message":"messages: bad\\nrole for ${key}"}}` })
  expect((await ask(model)).failure).toEqual({
    kind: 'bad_request',
    message: '400 messages: bad role for [key removed]',
    status: 400,
  })
  expect(server?.requests).toHaveLength(1)
})

test('without figures, estimates usage by characters and reports it', async () => {
  const reply = await ask(await start({ text: 'x'.repeat(40), usage: null }), 'y'.repeat(400))
  expect(reply.usage).toEqual({ input: 100, output: 10, usd: (100 + 20) / 1e6, estimated: true })
})

test('a prompt of 0 tokens in the usage means that the server did not count', async () => {
  const reply = await ask(await start({ text: 'x', usage: { in: 0, out: 0 } }), 'y'.repeat(400))
  expect(reply.usage).toMatchObject({ input: 100, output: 0, estimated: true })
})

test('the price of an unknown model is null', async () => {
  expect((await ask(await start({ text: 'x' }, {}, { price: undefined }))).usage?.usd).toBeNull()
})

test('reads the end reasons length and filter, and a missing one', async () => {
  const model = await start([
    { text: 'cut', calls: [{ name: 'read', raw: '{"pa' }], finish: 'length' },
    { text: 'x', calls: [{ name: 'read', raw: '' }], finish: 'content_filter' },
    { text: 'x', finish: null },
  ])
  const cut = await ask(model)
  expect(cut.end?.reason).toBe('length')
  expect(cut.calls[0]?.malformed?.error).toMatch(/output limit/)
  const filtered = await ask(model)
  expect(filtered.end?.reason).toBe('filter')
  expect(filtered.calls[0]?.malformed?.error).toMatch(/filter/)
  expect((await ask(model)).failure).toMatchObject({
    kind: 'broken',
    message: expect.stringMatching(/without saying why/),
  })
})

test('reads the response of an endpoint that does not stream', async () => {
  const message = {
    role: 'assistant',
    content: 'whole',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
  }
  const body = {
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  }
  const reply = await ask(
    await start({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  )
  expect(reply).toMatchObject({
    text: 'whole',
    calls: [{ id: 'a', args: { path: 'x' } }],
    usage: { input: 3, output: 4 },
  })
})

test('sends reasoning back if the provider wants it', async () => {
  const model = await start([{ reasoning: 'why', calls: [{ name: 'read' }] }, { text: 'x' }], {
    returnReasoning: true,
  })
  const first = await ask(model)
  if (!first.end?.carry) throw new Error('nothing to carry')
  await ask(model, {
    messages: [
      user('u'),
      { role: 'assistant', content: '', calls: first.calls, carry: first.end.carry },
      { role: 'tool', callId: first.calls[0]?.id ?? '', name: 'read', content: 'r' },
    ],
  })
  expect(server?.requests[1]?.body.messages[1]).toMatchObject({ reasoning_content: 'why' })
})

test('cancelling ends the stream and the connection', async () => {
  const stop = new AbortController()
  const model = await start({ text: 'never whole', fault: { at: 200, how: 'silence' } })
  const cancelled = ask(model, 'x', stop.signal)
  await expect.poll(() => server?.requests.length).toBe(1)
  stop.abort()
  expect((await cancelled).failure?.kind).toBe('cancelled')
  expect((await ask(model, 'x', stop.signal)).failure?.kind).toBe('cancelled')
  expect(server?.requests).toHaveLength(1)
})

test('many requests leave no listeners on the abort signal of the run', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const model = await start(Array.from({ length: 40 }, () => ({ text: 'x' })))
  const run = new AbortController()
  for (let i = 0; i < 40; i++) await ask(model, 'x', run.signal)
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('leaving the loop early closes the connection', async () => {
  const model = await start({ text: 'never whole', fault: { at: 400, how: 'silence' } })
  const request = { messages: [user('x')], tools: [] }
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (event.type === 'text') break
  }
  // close() waits for connections that are still open from the client's side
  await server?.close()
  server = undefined
})

describe('with an independent server', () => {
  const mock = new LLMock({ port: 0 })
  beforeAll(async () => {
    mock.on({ userMessage: 'greet' }, { content: 'Good morning.' })
    mock.on(
      { userMessage: 'call' },
      { toolCalls: [{ name: 'read', arguments: '{"path":"a.ts"}', id: 'call_a' }] },
    )
    mock.on(
      { userMessage: 'malformed' },
      { toolCalls: [{ name: 'read', arguments: '{"path":', id: 'call_b' }] },
    )
    mock.on(
      { userMessage: 'refuse' },
      { error: { message: 'No such thing.', type: 'invalid_request_error' }, status: 400 },
    )
    mock.on({ userMessage: 'cut' }, { content: 'x'.repeat(400) }, { truncateAfterChunks: 3 })
    mock.on({ userMessage: 'chaos' }, { content: 'x' }, { chaos: { malformedRate: 1 } })
    await mock.start()
    return async () => await mock.stop()
  })
  const model = () => createChatModel(testEndpoint(`${mock.url}/v1`))

  test('streams text', async () => {
    expect(await ask(model(), 'greet')).toMatchObject({ text: 'Good morning.', end: { reason: 'stop' } })
  })

  test('streams calls', async () => {
    const reply = await ask(model(), { messages: [user('call')], tools })
    expect(reply.calls).toEqual([{ id: 'call_a', name: 'read', args: { path: 'a.ts' } }])
    expect(reply.end?.reason).toBe('calls')
  })

  test('calls with broken arguments cannot run', async () => {
    const reply = await ask(model(), { messages: [user('malformed')], tools })
    expect(reply.failure).toBeUndefined()
    const malformed = { raw: '{"path":', position: 8, error: 'expected a value, found end' }
    expect(reply.calls).toEqual([{ id: 'call_b', name: 'read', args: undefined, malformed }])
  })

  test('reports the message of the endpoint', async () => {
    expect((await ask(model(), 'refuse')).failure).toMatchObject({
      kind: 'bad_request',
      message: '400 No such thing.',
    })
  })

  test('reports an interrupted stream', async () => {
    expect((await ask(model(), 'cut')).failure?.kind).toMatch(/broken|unreachable/)
  })

  test('reports broken JSON', async () => {
    expect((await ask(model(), 'chaos')).failure?.kind).toMatch(/^(?:broken|server)$/)
  })

  test('waits if the server requests it, then reads the answer', async () => {
    mock.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error' })
    const reply = await ask(retryModel(model(), { baseMs: 1 }), 'greet')
    expect(reply.text).toBe('Good morning.')
    const [first] = reply.events
    expect(first).toMatchObject({
      type: 'discarded',
      failure: { kind: 'rate_limit', message: '429 Slow down.' },
    })
  })

  test('retries after a 503', async () => {
    mock.nextRequestError(503, { message: 'Busy.' })
    const reply = await ask(retryModel(model(), { baseMs: 1 }), 'greet')
    expect(reply).toMatchObject({ text: 'Good morning.', failure: undefined })
  })
})

describe('a provider that caches only marked prompts', () => {
  const rest = { model: 'anthropic/claude-sonnet-5' }
  const quirks = { cacheControl: /^anthropic\// }
  const messages: ModelRequest['messages'] = [{ role: 'system', content: 'You test.' }, user('x')]
  const mark = { type: 'ephemeral' }

  test('gets marks on the system text and the end of the prompt, and its cache writes are counted', async () => {
    const model = await start({ text: 'a' }, quirks, rest)
    await ask(model, { messages })
    expect(server?.requests[0]?.body).toMatchObject({
      cache_control: mark,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'You test.', cache_control: mark }] },
        { role: 'user', content: 'x' },
      ],
    })
  })

  test.each([
    ['another model', { model: 'openai/gpt-5' }],
    ['a configuration without', { ...rest, cache: false as const }],
  ])('%s gets none', async (_, more) => {
    await ask(await start({ text: 'a' }, quirks, more), { messages })
    expect(server?.requests[0]?.raw).not.toContain('cache_control')
  })

  test('gets no marks after it has rejected them', async () => {
    const no = { status: 400, body: '{"error":{"message":"unknown field cache_control"}}' }
    const model = await start([no, { text: 'a' }], quirks, { ...rest, id: 'refusing/m' })
    expect((await ask(model, { messages })).text).toBe('a')
    expect(server?.requests[1]?.raw).not.toContain('cache_control')
  })
})

test('gets signatures of reasoning back unchanged with their calls', async () => {
  // as Gemini's compatible endpoint sends them: on the call, opaque, with characters that JSON may write in two ways
  const signature = 'CtcBAVSoXO4+/=\u00e9\\"\u2028<'
  const extra = { google: { thought_signature: signature, order: { b: 1, a: [null, 0.5] } } }
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`
  const calls = ['a', 'b'].map((id, index) => ({
    index,
    id,
    function: { name: 'read', arguments: '{}' },
    // of calls made at once only the first carries one
    ...(index === 0 && { extra_content: extra }),
  }))
  const body = `${chunk({ delta: { tool_calls: calls } })}${chunk({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`
  const model = await start([
    { status: 200, headers: { 'content-type': 'text/event-stream' }, body },
    { text: 'done' },
  ])
  const { calls: made, end } = await ask(model, { tools })
  const reply = {
    role: 'assistant' as const,
    content: '',
    calls: made,
    ...(end?.carry && { carry: end.carry }),
  }
  // a thread stores the response as JSON
  const kept = JSON.parse(JSON.stringify(reply))
  const result = (callId: string) => ({ role: 'tool' as const, callId, name: 'read', content: 'x' })
  await ask(model, { messages: [user('x'), kept, result('a'), result('b')], tools })
  const sent = server?.requests[1]
  expect(sent?.body.messages[1].tool_calls[0].extra_content).toEqual(extra)
  expect(sent?.body.messages[1].tool_calls[1]).not.toHaveProperty('extra_content')
  expect(sent?.raw).toContain(JSON.stringify(extra))
})
