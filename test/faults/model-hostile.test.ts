// An endpoint that floods, contradicts itself, sends nonsense or rejects long requests, in all wire formats.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createBudget } from '../../internal/agent/budget.ts'
import { createCompactor } from '../../internal/agent/compaction.ts'
import { agentLoop } from '../../internal/agent/loop.ts'
import type { EventDraft } from '../../internal/event/event.ts'
import { createMessagesModel } from '../../internal/model/messages.ts'
import type { Model, ModelMessage } from '../../internal/model/model.ts'
import { createChatModel } from '../../internal/model/openai.ts'
import { createResponsesModel } from '../../internal/model/responses.ts'
import { retryModel } from '../../internal/model/stream-retry.ts'
import { estimateTokens } from '../../internal/model/tokens.ts'
import type { ModelEndpoint } from '../../internal/model/wire/model-endpoint.ts'
import { createCatalog } from '../../internal/tool/catalog.ts'
import { ask, user } from '../support/ask-model.ts'
import { ctxWith } from '../support/ctx.ts'
import { type Rng, rng } from '../support/rng.ts'
import { rounds, shareRows } from '../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

type Answer = (response: ServerResponse, body: string, n: number) => void

/** Serves `answer` on loopback. `count` returns the number of requests. */
async function serve(answer: Answer): Promise<{ url: string; count(): number }> {
  const sockets = new Set<Socket>()
  let n = 0
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(response, Buffer.concat(chunks).toString(), ++n))
    response.on('error', () => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, count: () => n }
}

function served(baseUrl: string, idleMs = 20_000): ModelEndpoint {
  return {
    id: 'test/m',
    provider: 'test',
    model: 'm',
    endpoint: { baseUrl, key: 'sk-topsecretkey0123456789', headers: {}, idleMs },
    quirks: {},
    window: 128_000,
    price: undefined,
    keys: [],
  }
}

interface SentCall {
  id: string
  name: string
  raw: string
}

/** One of the wire formats: the notation of its events. */
interface Wire {
  name: string
  make(served: ModelEndpoint): Model
  text(text: string): object[]
  call(index: number, call: SentCall): object[]
  /** Returns a piece of arguments that never end. */
  piece(text: string): object
  end(finish: string): object[]
  error(error: object): object
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const chat: Wire = {
  name: 'chat',
  make: createChatModel,
  text: (content) => [chunk({ content })],
  call: (index, { id, name, raw }) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: raw } }] }),
  ],
  piece: (text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
  end: (finish) => [chunk({}, finish)],
  error: (error) => ({ error }),
}
const responsesWire: Wire = {
  name: 'responses',
  make: createResponsesModel,
  text: (delta) => [
    { type: 'response.output_text.delta', delta },
    {
      type: 'response.output_item.done',
      item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: delta }] },
    },
  ],
  call: (output_index, { id, name, raw }) => [
    {
      type: 'response.output_item.done',
      output_index,
      item: { type: 'function_call', call_id: id, name, arguments: raw },
    },
  ],
  piece: (delta) => ({ type: 'response.function_call_arguments.delta', delta }),
  end: (finish) => [
    finish === 'stop' || finish === 'tool_calls'
      ? { type: 'response.completed', response: { status: 'completed' } }
      : finish === 'length'
        ? { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } }
        : {
            type: 'response.completed',
            response: { status: 'incomplete', incomplete_details: { reason: finish } },
          },
  ],
  error: (error) => ({ type: 'response.failed', response: { error } }),
}
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const stops: Record<string, string> = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' }
const messagesWire: Wire = {
  name: 'messages',
  make: createMessagesModel,
  // the whole text in its first event, as some endpoints send it
  text: (text) => block(99, { type: 'text', text }),
  call: (index, { id, name, raw }) =>
    block(index, { type: 'tool_use', id, name, input: {} }, { type: 'input_json_delta', partial_json: raw }),
  piece: (partial_json) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  }),
  end: (finish) => [
    { type: 'message_delta', delta: { stop_reason: stops[finish] ?? finish }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  error: (error) => ({ type: 'error', error }),
}
const wires = [chat, responsesWire, messagesWire]

const sse = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const head = { 'content-type': 'text/event-stream' }
const reply = (response: ServerResponse, events: readonly object[]) =>
  response.writeHead(200, head).end(`${sse(events)}data: [DONE]\n\n`)
const good = (wire: Wire) => [...wire.text('all is well'), ...wire.end('stop')]
const tools = [{ name: 'read', description: 'd', schema: {} }]
const below = (next: Rng, count: number) => Math.floor(next() * count)
const quick = { baseMs: 1, random: () => 0.5 }

describe.each(wires)('$name: the end of a response', (wire) => {
  const calls = [
    ...wire.text('I delete it.'),
    ...wire.call(0, { id: 'a', name: 'read', raw: '{"path":"x"}' }),
    ...wire.call(1, { id: 'b', name: 'read', raw: '{"path":"y"}' }),
  ]

  test.each([
    'content_filter',
    'safety',
    'SAFETY',
    'refusal',
    'refused_by_policy',
    'recitation',
    'PROHIBITED_CONTENT',
    'sensitive',
    'guardrail_intervened',
    'something_new',
    'function_call_filter: MALFORMED_FUNCTION_CALL',
  ])('%s: runs none of its calls', async (finish) => {
    const { url } = await serve((response) => reply(response, [...calls, ...wire.end(finish)]))
    expect((await ask(wire.make(served(url)), { tools })).end?.reason).toBe('filter')
  })

  test('of two contradictory end reasons the worse one counts', async () => {
    const { url } = await serve((response) =>
      reply(response, [...calls, ...wire.end('content_filter'), ...wire.end('tool_calls')]),
    )
    expect((await ask(wire.make(served(url)), { tools })).end?.reason).toBe('filter')
  })

  test('a call after the end does not run', async () => {
    const late = wire.call(2, { id: 'c', name: 'read', raw: '{"path":"z"}' })
    const { url } = await serve((response) => reply(response, [...calls, ...wire.end('tool_calls'), ...late]))
    const said = await ask(wire.make(served(url)), { tools })
    expect(said.calls.filter((call) => call.malformed === undefined).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test.each(['stop', 'tool_calls'])('%s: runs its calls', async (finish) => {
    const { url } = await serve((response) => reply(response, [...calls, ...wire.end(finish)]))
    const said = await ask(wire.make(served(url)), { tools })
    expect(said.end?.reason).toBe('calls')
    expect(said.calls.map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

test('a refusal with calls counts as a filter', async () => {
  const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } }
  const asked = async (wire: Wire, events: object[]) => {
    const { url } = await serve((response) => reply(response, events))
    return (await ask(wire.make(served(url)), { tools })).end?.reason
  }
  const declined = chunk({ refusal: 'I will not.', tool_calls: [call] })
  expect(await asked(chat, [declined, ...chat.end('stop')])).toBe('filter')
  const item = { type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }
  const events = [
    ...responsesWire.call(0, { id: 'a', name: 'read', raw: '{}' }),
    { type: 'response.output_item.done', item },
    ...responsesWire.end('stop'),
  ]
  expect(await asked(responsesWire, events)).toBe('filter')
})

describe.each(wires)('$name: calls', (wire) => {
  /** Every way to repeat and to clash: pairs of calls, and the expected number of calls. */
  const first: SentCall = { id: 'call_0', name: 'read', raw: '{"path":"a"}' }
  const pairs: [string, SentCall, number][] = [
    ['the same once more', first, 1],
    ['the same, spaced otherwise', { ...first, raw: '{ "path" : "a" }' }, 1],
    ['another argument', { ...first, raw: '{"path":"b"}' }, 2],
    ['another tool', { ...first, name: 'grep' }, 2],
    ['another id', { ...first, id: 'call_1' }, 2],
    ['another of all', { id: 'call_1', name: 'grep', raw: '{}' }, 2],
  ]
  const places: [string, number, number][] = [
    ['one index', 0, 0],
    ['two indices', 0, 1],
    ['a jump', 0, 900],
    ['backwards', 5, 2],
  ]
  test.each(pairs.flatMap((pair) => places.map((place) => [...place, ...pair] as const)))(
    '%s (%i, %i), %s',
    async (_where, at, then, _what, second, count) => {
      const events = [...wire.call(at, first), ...wire.call(then, second), ...wire.end('tool_calls')]
      const { url } = await serve((response) => reply(response, events))
      const { calls } = await ask(wire.make(served(url)), { tools })
      expect(calls.filter(({ malformed }) => malformed)).toEqual([])
      expect(calls).toHaveLength(count)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(count)
      expect(calls[0]).toMatchObject({ name: 'read', args: { path: 'a' } })
      if (count === 2) expect(calls[1]).toMatchObject({ name: second.name, args: JSON.parse(second.raw) })
    },
  )
})

test('pieces of calls may be interleaved in any order', async () => {
  const next = rng(7)
  const raws = Array.from({ length: 6 }, (_, i) => JSON.stringify({ path: `${i}`.repeat(30) }))
  for (let round = 0; round < 30; round++) {
    const rest = raws.map((raw) => [...raw])
    const started = new Set<number>()
    const events: object[] = []
    while (rest.some((chars) => chars.length > 0)) {
      const index = below(next, rest.length)
      const part = rest[index]?.splice(0, 1 + below(next, 9)).join('') ?? ''
      if (part === '') continue
      const name = started.has(index) ? {} : { id: `c${index}`, function: { name: 'read', arguments: part } }
      started.add(index)
      events.push(chunk({ tool_calls: [{ index, function: { arguments: part }, ...name }] }))
    }
    const { url } = await serve((response) => reply(response, [...events, ...chat.end('tool_calls')]))
    const { calls } = await ask(createChatModel(served(url)), { tools })
    expect(calls.map(({ args }) => JSON.stringify(args)).sort()).toEqual(raws)
  }
})

/** Writes `piece` repeatedly until the client closes the connection. */
function flood(response: ServerResponse, piece: string | Buffer, everyMs = 0) {
  let sent = 0
  const more = () => {
    while (!response.destroyed && sent < 1024 * 1024 * 1024) {
      sent += piece.length
      if (everyMs > 0) {
        response.write(piece)
        setTimeout(more, everyMs)
        return
      }
      if (!response.write(piece)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

describe.each(wires)('$name: a response without end', (wire) => {
  const tiny = sse([{}]).repeat(500)
  const text = sse(wire.text('x'.repeat(20_000)))
  const endless: [string, string, string, number?][] = [
    ['a line', 'data: {"a":"', 'x'.repeat(65_536)],
    ['a line without a field', '', 'x'.repeat(65_536)],
    ['an event of many lines', '', `data: "${'x'.repeat(1000)}"\n`.repeat(64)],
    ['an event of many lines that end in CR', '', `data: "${'x'.repeat(1000)}"\r`.repeat(64)],
    ['a name of an event', 'event: ', 'x'.repeat(65_536)],
    ['tiny events', '', tiny],
    ['text', '', text],
    [
      'arguments',
      sse(wire.call(0, { id: 'a', name: 'read', raw: '' })),
      sse([wire.piece('x'.repeat(20_000))]),
    ],
    ['calls', '', sse(wire.call(0, { id: '', name: 'read', raw: '{"a":1}' })).repeat(100)],
    ['comments', '', ': still here\n\n', 20],
    ['one comment', ':', 'x'.repeat(65_536)],
    ['blank lines', '', '\n', 20],
    ['blanks', '', ' '.repeat(65_536)],
    ['an event that drips', 'data: {"a":"', 'x', 20],
  ]
  test.each(shareRows(endless, wires.indexOf(wire), wires.length))(
    '%s is cut, and retried only if it is slow',
    async (_name, begin, piece, everyMs) => {
      const before = process.memoryUsage().rss
      let most = 0
      const { url, count } = await serve((response, _body, n) => {
        if (n > 1) return reply(response, good(wire))
        response.writeHead(200, head)
        response.write(begin)
        flood(response, piece, everyMs)
      })
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss - before)
      }, 20)
      const said = await ask(retryModel(wire.make(served(url, everyMs ? 200 : 20_000)), quick), { tools })
      clearInterval(watch)
      // a second response without end would cost the same again
      if (everyMs) expect(said).toMatchObject({ text: 'all is well', calls: [], end: { reason: 'stop' } })
      else expect(said.failure).toMatchObject({ kind: 'broken', final: true })
      expect(said.calls).toEqual([])
      expect(count()).toBe(everyMs ? 2 : 1)
      expect(most).toBeLessThan(400 * 1024 * 1024)
    },
  )

  test('a JSON body without an end is cut at the limit', async () => {
    const { url, count } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":"')
      flood(response, 'x'.repeat(65_536))
    })
    const { failure } = await ask(retryModel(wire.make(served(url)), quick), { tools })
    expect(failure).toMatchObject({ kind: 'broken', message: expect.stringMatching(/longer than 4 MiB/) })
    expect(count()).toBe(1)
  })

  test('an error message without an end is cut at the limit', async () => {
    const { url } = await serve((response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      flood(response, 'x'.repeat(65_536))
    })
    const { failure } = await ask(wire.make(served(url)), { tools })
    expect(failure?.kind).toBe('bad_request')
    expect(failure?.message.length).toBeLessThan(500)
  })

  test('headers, informational responses and trailers are cut or time out', async () => {
    const lines = [
      ['HTTP/1.1 200 OK\r\n', 'x-more: yes\r\n'],
      ['HTTP/1.1 200 OK\r\nx: ', 'y'.repeat(1000)],
      ['', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
      ['', 'HTTP/1.1 100 Continue\r\n\r\n'],
      [
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
        'x-more: yes\r\n',
      ],
      [
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n1;',
        'ext=1;',
      ],
    ] as const
    const cut = async ([begin, more]: (typeof lines)[number]) => {
      const sockets = new Set<Socket>()
      const tcp = createTcp((socket) => {
        sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.once('data', () => {
          socket.write(begin)
          const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write(more)), 5)
          socket.on('close', () => clearInterval(drip))
        })
      })
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/v1`
      const { failure } = await ask(wire.make(served(url, 300)), { tools })
      expect(['broken', 'stalled', 'unreachable'], begin + more).toContain(failure?.kind)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => tcp.close(resolve))
    }
    await Promise.all(lines.map(cut))
  })
})

describe.each(wires)('$name: nonsense', (wire) => {
  const junk = [null, true, 0, -1, 1e300, '', 'x', '\u0000', '\ud800', [], {}, [null], [[]], { a: null }]
  /** Returns `value` with one of its inner values replaced. */
  function spoil(value: unknown, next: Rng): unknown {
    if (below(next, 6) === 0 || typeof value !== 'object' || value === null)
      return junk[below(next, junk.length)]
    const keys = Object.keys(value)
    if (keys.length === 0) return value
    const key = keys[below(next, keys.length)] as string
    const copy = structuredClone(value) as Record<string, unknown>
    copy[key] = spoil(copy[key], next)
    return copy
  }

  test('an event of any other shape is not reported as a bug and gives no guessed call', async () => {
    const next = rng(wire.name.length)
    const whole = [
      ...wire.text('hi'),
      ...wire.call(0, { id: 'a', name: 'read', raw: '{"path":"x"}' }),
      ...wire.end('tool_calls'),
    ]
    let events: unknown[] = []
    const { url } = await serve((response) =>
      response.writeHead(200, head).end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
    )
    const model = wire.make(served(url))
    for (let round = 0; round < rounds(200, 600); round++) {
      events = whole.map((event) => (below(next, 2) === 0 ? spoil(event, next) : event))
      const said = await ask(model, { tools })
      expect(said.failure?.kind, JSON.stringify(events)).not.toBe('internal')
      for (const call of said.calls) {
        expect(typeof call.name).toBe('string')
        expect(call.id).not.toBe('')
        if (!call.malformed) expect(typeof call.args, JSON.stringify(events)).toBe('object')
      }
      const { input = 0, output = 0, usd } = said.usage ?? { usd: null }
      expect(Number.isFinite(input + output) && (usd === null || Number.isFinite(usd))).toBe(true)
    }
  })

  test('accepts invalid UTF-8, split characters and NUL', async () => {
    const torn = ['\ud83d', '\ude00', 'a\ud800', 'b', '\u0000c']
    const parts = torn.flatMap((text) => wire.text(text).slice(0, 1))
    const bytes = Buffer.concat([
      Buffer.from(sse(parts)),
      Buffer.from(sse(wire.text('%').slice(0, 1)).replace('%', '\u00e9'), 'latin1'),
      Buffer.from(sse(wire.end('stop'))),
    ])
    const { url } = await serve((response) => {
      response.writeHead(200, head)
      let at = 0
      const more = () => {
        response.write(bytes.subarray(at, ++at))
        if (at < bytes.length) setImmediate(more)
        else response.end()
      }
      more()
    })
    const said = await ask(wire.make(served(url)), { tools })
    expect(said.text).toBe('😀a\ufffdb\u0000c\ufffd')
    expect(said.text.isWellFormed()).toBe(true)
  })
})

describe.each(wires)('$name: a request that is too long', (wire) => {
  /** The size in characters above which the server rejects a request. */
  const most = 24_000
  const words = 'request (30000 tokens) exceeds the available context size (6000 tokens)'
  const ways: [string, Answer][] = [
    ['400', (response) => response.writeHead(400).end(JSON.stringify({ error: { message: words } }))],
    [
      '400 without figures',
      (response) => response.writeHead(400).end('{"error":{"message":"prompt is too long"}}'),
    ],
    ['413', (response) => response.writeHead(413).end('<html><title>413 Entity Too Large</title></html>')],
    ['an error in the stream', (response) => reply(response, [wire.error({ message: words })])],
    [
      'an error behind text',
      (response) => reply(response, [...wire.text('I be'), wire.error({ code: 'context_length_exceeded' })]),
    ],
  ]
  const shapes: [string, ModelMessage[]][] = [
    ['one giant task', [user('y'.repeat(100_000))]],
    [
      'one giant result',
      [
        user('task'),
        { role: 'assistant', content: '', calls: [{ id: 'a', name: 'read', args: {} }] },
        { role: 'tool', callId: 'a', name: 'read', content: 'z'.repeat(100_000) },
      ],
    ],
    [
      'a giant task that an assistant has answered',
      [user('y'.repeat(100_000)), { role: 'assistant', content: 'so' }, user('go on')],
    ],
  ]
  const table = ways.flatMap((way) => shapes.map((shape) => [way[0], shape[0], way[1], shape[1]] as const))
  test.each(shareRows(table, wires.indexOf(wire), wires.length))(
    '%s, %s: compacted and sent once more',
    async (_way, _shape, refuse, conversation) => {
      const { url, count } = await serve((response, body, n) =>
        body.length > most ? refuse(response, body, n) : reply(response, good(wire)),
      )
      const { end, drafts, messages } = await runLoop(wire.make(served(url)), conversation)
      expect(end).toMatchObject({ end: 'done', text: 'all is well' })
      expect(count()).toBe(2)
      expect(drafts.filter(({ status }) => status === 'discarded')).toHaveLength(1)
      expect(estimateTokens(messages) * 4).toBeLessThan(most * 2)
    },
  )

  test('a second rejection ends the run', async () => {
    const { url, count } = await serve((response) => response.writeHead(413).end())
    const { end } = await runLoop(wire.make(served(url)), [user('y'.repeat(100_000))])
    expect(end).toMatchObject({ end: 'failed', reason: 'context_too_long' })
    expect(count()).toBe(2)
  })
})

async function runLoop(model: Model, conversation: readonly ModelMessage[]) {
  const messages = structuredClone(conversation) as ModelMessage[]
  const ctx = ctxWith({}, { log: { append: async () => undefined, keep: async () => '' } })
  const spending = createBudget({})
  const setup = { model, signal: ctx.signal, overhead: 100, thread: 'sess_1', budget: spending }
  const agent = {
    model: retryModel(model, quick),
    catalog: createCatalog([]),
    ctx,
    system: 'You test.',
    tools: [],
    maxTurns: 5,
    effort: 'medium' as const,
    budget: spending,
    inbox: async () => [],
    compact: createCompactor(setup),
    commit: () => undefined,
    commitOverdue: () => undefined,
  }
  const drafts: EventDraft[] = []
  const steps = agentLoop(agent, messages)
  for (;;) {
    const step = await steps.next()
    if (step.done) return { end: step.value, drafts, messages }
    drafts.push(step.value)
  }
}

describe.each(wires)('$name: waiting before a retry', (wire) => {
  const asked: [string, Answer, number][] = [
    [
      'a sentence in the stream',
      (r) =>
        reply(r, [
          wire.error({
            code: 'rate_limit_exceeded',
            message: 'Rate limit reached. Please try again in 0.15s.',
          }),
        ]),
      150,
    ],
    [
      'a field in the stream',
      (r) => reply(r, [wire.error({ code: 429, message: 'slow down', retry_after: 0.125 })]),
      125,
    ],
    ['a sentence of a 429', (r) => r.writeHead(429).end('{"error":{"message":"try again in 130ms"}}'), 130],
    [
      'a sentence of a 503',
      (r) => r.writeHead(503).end('{"error":{"message":"overloaded, retry after 1 second"}}'),
      1000,
    ],
    ['a detail of a 429', (r) => r.writeHead(429).end('{"error":{"details":[{"retryDelay":"0.11s"}]}}'), 110],
  ]
  test.each(asked)('%s', async (_how, refuse, ms) => {
    const { url } = await serve((response, body, n) =>
      n === 1 ? refuse(response, body, n) : reply(response, good(wire)),
    )
    const said = { waits: [] as number[], text: '' }
    const started = Date.now()
    const request = { messages: [user('hi')], tools }
    for await (const event of retryModel(wire.make(served(url)), quick).stream(
      request,
      new AbortController().signal,
    )) {
      if (event.type === 'discarded') said.waits.push(event.waitMs)
      if (event.type === 'text') said.text += event.text
    }
    expect(said).toEqual({ waits: [ms], text: 'all is well' })
    expect(Date.now() - started).toBeGreaterThanOrEqual(ms - 20)
  })

  test('does not wait for hours, but fails with the wait', async () => {
    const { url, count } = await serve((response) =>
      reply(response, [wire.error({ message: 'Rate limit reached. Try again in 2 hours.' })]),
    )
    const { failure } = await ask(retryModel(wire.make(served(url)), quick), { tools })
    expect(failure).toMatchObject({ kind: 'rate_limit', retryAfterMs: 7_200_000 })
    expect(count()).toBe(1)
  })
})
