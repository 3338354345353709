// Cuts, resets, silences and refusals at every byte of a model's responses: no partial text or call is used.
import { afterAll, expect, test, vi } from 'vitest'
import { createMessagesModel } from '../../internal/model/messages.ts'
import type { Model, ModelEvent } from '../../internal/model/model.ts'
import { createChatModel } from '../../internal/model/openai.ts'
import { createResponsesModel } from '../../internal/model/responses.ts'
import { retryModel } from '../../internal/model/stream-retry.ts'
import { wrapTextModel } from '../../internal/model/text/text-model.ts'
import type { ModelEndpoint } from '../../internal/model/wire/model-endpoint.ts'
import { ask, sort, user } from '../support/ask-model.ts'
import { bodyOf, type ServedFormat, type ServedReply, serveModel } from '../support/model-server.ts'

/** Bytes between two cuts. With ANODE_FAULTS every byte is cut at. */
const strideOf = (name: string, framing: string) =>
  process.env.ANODE_FAULTS ? 1 : name === 'chat' && framing === 'chunked' ? 48 : 192
vi.setConfig({ testTimeout: process.env.ANODE_FAULTS ? 900_000 : 60_000 })
const lines: string[] = []
afterAll(() => {
  for (const line of lines) console.log(line)
})

const key = 'sk-topsecretkey0123456789'
function served(baseUrl: string, idleMs = 5000): ModelEndpoint {
  return {
    id: 'test/m',
    provider: 'test',
    model: 'm',
    endpoint: { baseUrl, key, headers: {}, idleMs },
    quirks: {},
    window: 1000,
    price: undefined,
    keys: [key],
  }
}
const quick = { baseMs: 1, random: () => 0.5 }
const tools = [{ name: 'read', description: 'd', schema: {} }]
const request = { messages: [user('go')], tools }

const args = { path: 'src/a.ts', content: 'x'.repeat(180) }
const native: ServedReply = {
  text: 'I change two files, and say so at some length before I do it.',
  calls: [
    { id: 'a', name: 'create_file', args },
    { id: 'b', name: 'create_file', args: { ...args, path: 'src/b.ts' } },
  ],
  piece: 48,
}
const line = (path: string) => `TOOL: ${JSON.stringify({ name: 'create_file', args: { ...args, path } })}\n`
const spoken: ServedReply = {
  text: `I change two files.\n\n${line('src/a.ts')}${line('src/b.ts')}`,
  piece: 12,
}

const forms: [string, ServedReply, ServedFormat, (served: ModelEndpoint) => Model][] = [
  ['chat', native, 'chat', createChatModel],
  ['responses', native, 'responses', createResponsesModel],
  ['messages', native, 'messages', createMessagesModel],
  ['text form', spoken, 'chat', (served) => wrapTextModel(createChatModel(served))],
]
const framings = ['chunked', 'length', 'close'] as const

for (const [name, reply, format, make] of forms) {
  for (const framing of framings) {
    test(`${name}, ${framing}: a stream cut anywhere gives no call, and the next one gives all`, async () => {
      const whole = bodyOf(reply, format)
      expect(whole.length).toBeGreaterThan(2000)
      // the request contains the byte at which its first response is cut
      const cut = new Set<number>()
      const server = await serveModel(({ raw }) => {
        const at = Number(/cut at (\d+)/.exec(raw)?.[1])
        if (cut.has(at)) return { ...reply, framing }
        cut.add(at)
        return { ...reply, framing, fault: { at, how: at % 128 === 0 ? 'reset' : 'close' } }
      })
      const stride = strideOf(name, framing)
      const places = Array.from({ length: Math.ceil(whole.length / stride) }, (_, i) => i * stride)
      let survived = 0
      try {
        const model = retryModel(make(served(server.url)), quick)
        while (places.length > 0) {
          const some = places.splice(0, 8)
          const said = await Promise.all(
            some.map((at) => ask(model, { messages: [user(`cut at ${at}`)], tools })),
          )
          survived += said.filter(({ events }) => isWhole(events)).length
        }
      } finally {
        await server.close()
      }
      const tried = Math.ceil(whole.length / stride)
      lines.push(`model ${name} ${framing} cut: ${survived}/${tried}`)
      expect(survived).toBe(tried)
    })
  }
}

/**
 * Whether the events contain exactly the two calls, once, after all discarded events, and no
 * call before that.
 */
function isWhole(events: ModelEvent[]): boolean {
  const cut = events.findLastIndex(({ type }) => type === 'discarded')
  const early = events
    .slice(0, cut + 1)
    .some(({ type }) => type === 'call' || type === 'usage' || type === 'end')
  const said = sort(events)
  const paths = said.calls.map((call) => (call.args as { path?: string } | undefined)?.path)
  return !early && paths.join() === 'src/a.ts,src/b.ts' && said.end?.reason === 'calls' && !said.failure
}

test('without a retry, a stream that is cut before its end is one failure and no call', async () => {
  const whole = bodyOf(native)
  // The response is complete with this event. Missing token counts are estimated.
  const complete = whole.indexOf('\n\n', whole.indexOf('"finish_reason":"tool_calls"')) + 2
  let at = 0
  const server = await serveModel(() => ({ ...native, fault: { at, how: 'close' } }))
  let tried = 0
  let survived = 0
  try {
    const model = createChatModel(served(server.url))
    for (at = 0; at < whole.length; at += strideOf('chat', 'chunked')) {
      const said = await ask(model, request)
      tried++
      const isFailed = said.calls.length === 0 && /broken|unreachable/.test(said.failure?.kind ?? '')
      if (at < complete ? isFailed : isWhole(said.events)) survived++
    }
  } finally {
    await server.close()
  }
  lines.push(`model cut without retry: ${survived}/${tried}`)
  expect(survived).toBe(tried)
})

test('a silent response is cancelled and retried', async () => {
  const places = [0, 1, 300, 900]
  let n = 0
  const server = await serveModel(() => {
    const at = places[Math.floor(n / 2)] ?? 0
    return n++ % 2 === 0 ? { ...native, fault: { at, how: 'silence' } } : native
  })
  let survived = 0
  try {
    const model = retryModel(createChatModel(served(server.url, 80)), quick)
    for (const _ of places) if (isWhole((await ask(model, request)).events)) survived++
  } finally {
    await server.close()
  }
  lines.push(`model silence: ${survived}/${places.length}`)
  expect(survived).toBe(places.length)
})

const refusals = [429, 408, 500, 502, 503, 504, 529]
for (const times of [1, 3, Number.POSITIVE_INFINITY]) {
  test(`refused ${times === Number.POSITIVE_INFINITY ? 'for ever' : `${times} times`}`, async () => {
    let survived = 0
    for (const status of refusals) {
      const body = `{"error":{"message":"not now, ${key}"}}`
      const server = await serveModel((_received, n) =>
        n < times ? { status, body, headers: { 'retry-after': '0' } } : native,
      )
      try {
        const said = await ask(retryModel(createChatModel(served(server.url)), quick), request)
        const ok =
          times === Number.POSITIVE_INFINITY
            ? said.failure?.message === `${status} not now, [key removed] (after 5 tries)` &&
              server.requests.length === 5
            : isWhole(said.events) && server.requests.length === times + 1
        if (ok && !JSON.stringify(said.events).includes(key)) survived++
      } finally {
        await server.close()
      }
    }
    lines.push(`model refused ${times} times: ${survived}/${refusals.length}`)
    expect(survived).toBe(refusals.length)
  })
}

test('a closed port makes the request fail as unreachable', async () => {
  const server = await serveModel([])
  await server.close()
  const said = await ask(retryModel(createChatModel(served(server.url)), quick), request)
  expect(said.failure).toMatchObject({
    kind: 'unreachable',
    // the client does not wait for a server on this machine
    message: expect.stringMatching(/ECONNREFUSED\); is it running\?$/),
  })
})

test('a response that is not a stream makes the request fail', async () => {
  const garbage = [
    '',
    '<html><body>hi</body></html>',
    'data: {"choices":[{"delta"\n\n',
    'data: 7\n\n',
    '\u0000\u0001\u0002',
    'data: [DONE]\n\n',
  ]
  let survived = 0
  const server = await serveModel((_received, n) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: garbage[n] ?? '',
  }))
  try {
    for (const _ of garbage) {
      const said = await ask(createChatModel(served(server.url)), request)
      if (said.failure && said.calls.length === 0) survived++
    }
  } finally {
    await server.close()
  }
  lines.push(`model garbage: ${survived}/${garbage.length}`)
  expect(survived).toBe(garbage.length)
})
