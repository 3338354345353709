// Checks what is tried again, how long it waits, and that nothing of a broken stream counts.
import { describe, expect, test } from 'vitest'
import type { FailureKind, ModelEvent, ModelFailure } from '../../../internal/model/model.ts'
import { isTransient, retryModel, waitOf } from '../../../internal/model/stream-retry.ts'
import { ask, canned, sort } from '../../support/ask-model.ts'

const text = (value: string): ModelEvent => ({ type: 'text', text: value })
const call: ModelEvent = { type: 'call', id: 'c', name: 'read', args: {} }
const usage: ModelEvent = { type: 'usage', input: 1, output: 1, usd: null }
const end: ModelEvent = { type: 'end', reason: 'stop' }
const fail = (kind: FailureKind, rest: Partial<ModelFailure> = {}): ModelEvent => ({
  type: 'failure',
  failure: { kind, message: 'words', ...rest },
})
const quick = { baseMs: 1, random: () => 0.5 }

const tried: FailureKind[] = ['rate_limit', 'server', 'unreachable', 'broken', 'stalled']
const final: FailureKind[] = [
  'auth',
  'payment',
  'forbidden',
  'not_found',
  'context_too_long',
  'filter',
  'tools_unsupported',
  'bad_request',
  'cancelled',
  'script_exhausted',
  'replay_miss',
  'internal',
]

test.each(tried)('retries after %s', async (kind) => {
  expect(isTransient({ kind, message: '' })).toBe(true)
  const model = canned([fail(kind)], [text('ok'), end])
  expect(await ask(retryModel(model, quick))).toMatchObject({ text: 'ok', failure: undefined })
  expect(model.asked).toHaveLength(2)
})

test.each(final)('does not retry after %s', async (kind) => {
  const model = canned([fail(kind)], [text('ok'), end])
  expect(await ask(retryModel(model, quick))).toMatchObject({ failure: { kind, message: 'words' } })
  expect(model.asked).toHaveLength(1)
})

test('makes five attempts, and the last failure reports it', async () => {
  const model = canned(...Array.from({ length: 9 }, () => [fail('server')]))
  const reply = await ask(retryModel(model, quick))
  expect(model.asked).toHaveLength(5)
  expect(reply.failure?.message).toBe('words (after 5 tries)')
  expect(reply.events.filter(({ type }) => type === 'discarded')).toHaveLength(4)
})

test('discards the text of a failed attempt, and never returns its calls and usage', async () => {
  const model = canned([text('half'), call, usage, fail('broken')], [text('whole'), call, usage, end])
  const reply = await ask(retryModel(model, quick))
  expect(reply.events.map(({ type }) => type)).toEqual(['text', 'discarded', 'text', 'call', 'usage', 'end'])
  expect(reply.events[1]).toMatchObject({ attempt: 2, waitMs: 1, failure: { kind: 'broken' } })
  expect(sort(reply.events).text).toBe('whole')
})

test('does not return text that the model itself discards', async () => {
  const discarded: ModelEvent = {
    type: 'discarded',
    failure: { kind: 'broken', message: 'x' },
    attempt: 2,
    waitMs: 0,
  }
  const reply = await ask(retryModel(canned([call, usage, discarded, text('whole'), end])))
  expect(reply.events).toEqual([discarded, text('whole'), end])
})

test('returns no calls of an attempt that ends in a final failure', async () => {
  const reply = await ask(retryModel(canned([call, fail('auth')]), quick))
  expect(reply.events.map(({ type }) => type)).toEqual(['failure'])
})

test('passes text on before the response is complete', async () => {
  const seen: string[] = []
  for await (const event of retryModel(canned([text('a'), end])).stream(
    { messages: [], tools: [] },
    new AbortController().signal,
  )) {
    seen.push(event.type)
    if (event.type === 'text') break
  }
  expect(seen).toEqual(['text'])
})

test('a stream without an end is broken, a thrown error a failure', async () => {
  const model = canned([text('a')], [text('b'), end])
  expect(await ask(retryModel(model, quick))).toMatchObject({ text: 'b' })
  const throwing = { ...canned(), stream: () => thrower() }
  expect(await ask(retryModel(throwing, quick))).toMatchObject({
    failure: { kind: 'internal', message: 'a bug' },
  })
})

// biome-ignore lint/correctness/useYield: a stream that breaks the rules
async function* thrower(): AsyncGenerator<ModelEvent> {
  throw new Error('a bug')
}

describe('waiting', () => {
  const failure: ModelFailure = { kind: 'server', message: '' }
  test('doubles from half a second to thirty seconds, times 0.5 to 1.5', () => {
    const waits = [0, 1, 2, 3, 10].map((k) => waitOf(failure, k, () => 0.5))
    expect(waits).toEqual([500, 1000, 2000, 4000, 30_000])
    expect(waitOf(failure, 0, () => 0)).toBe(250)
    expect(waitOf(failure, 10, () => 1)).toBe(45_000)
  })

  test('prefers the wait that the endpoint requests', async () => {
    expect(waitOf({ ...failure, retryAfterMs: 7 }, 4, Math.random)).toBe(7)
    const reply = await ask(retryModel(canned([fail('rate_limit', { retryAfterMs: 3 })], [end])))
    expect(reply.events[0]).toMatchObject({ type: 'discarded', waitMs: 3 })
  })

  test('does not wait beyond the deadline, or for an hour', async () => {
    const late = canned([fail('server')], [end])
    expect(await ask(retryModel(late), { deadline: Date.now() + 10 })).toMatchObject({
      failure: { kind: 'server' },
    })
    expect(late.asked).toHaveLength(1)
    const hour = canned([fail('rate_limit', { retryAfterMs: 3_600_000 })], [end])
    expect(await ask(retryModel(hour))).toMatchObject({ failure: { retryAfterMs: 3_600_000 } })
    expect(hour.asked).toHaveLength(1)
  })

  test('ends when the request is cancelled', async () => {
    const stop = new AbortController()
    const model = canned([fail('rate_limit', { retryAfterMs: 60_000 })], [end])
    setTimeout(() => stop.abort(), 20)
    expect(await ask(retryModel(model), 'x', stop.signal)).toMatchObject({ failure: { kind: 'cancelled' } })
    expect(model.asked).toHaveLength(1)
  })
})

test('waits for a server that loads its model, and a later failure has all its attempts', async () => {
  const loading: ModelEvent = {
    type: 'failure',
    failure: { kind: 'server', status: 503, message: '503 Loading model' },
  }
  const broken: ModelEvent = {
    type: 'failure',
    failure: { kind: 'server', status: 500, message: '500 oops' },
  }
  const ready: ModelEvent[] = [
    { type: 'text', text: 'ready' },
    { type: 'end', reason: 'stop' },
  ]
  const eight = Array.from({ length: 8 }, () => [loading])
  expect((await ask(retryModel(canned(...eight, ready), { baseMs: 1 }))).text).toBe('ready')
  const failing = canned(...eight, [broken], [broken], [broken])
  const reply = await ask(retryModel(failing, { baseMs: 1, tries: 3 }))
  expect(failing.asked).toHaveLength(11)
  expect(reply.failure?.message).toContain('500 oops')
})

test('does not retry after a final failure', async () => {
  const failure = { kind: 'unreachable', message: 'refused', final: true } as const
  const model = canned([{ type: 'failure', failure }])
  expect(await ask(retryModel(model, { baseMs: 1 }))).toMatchObject({ failure })
  expect(model.asked).toHaveLength(1)
})

const kinds = [
  ['unreachable', true],
  ['rate_limit', true],
  ['broken', undefined],
  ['stalled', undefined],
] as const
test.each(kinds)('cancelled in the wait after %s: nothing was paid is %s', async (kind, unsent) => {
  const model = canned([{ type: 'failure', failure: { kind, message: 'm' } }])
  const stop = new AbortController()
  const events = []
  for await (const event of retryModel(model, { baseMs: 60_000 }).stream(
    { messages: [], tools: [] },
    stop.signal,
  )) {
    events.push(event)
    if (event.type === 'discarded') setTimeout(() => stop.abort(), 5)
  }
  expect(events.at(-1)).toMatchObject({ failure: { kind: 'cancelled', ...(unsent && { unsent }) } })
  expect('unsent' in (events.at(-1) as { failure: object }).failure).toBe(unsent === true)
})
