// The frame around a request: one final failure for every error, and usage as far as it is known.
import { expect, test } from 'vitest'
import { StalledConnectionError } from '../../../../internal/model/endpoint/connection-errors.ts'
import type { ModelEvent } from '../../../../internal/model/model.ts'
import {
  describeEndpoint,
  guardReply,
  type ModelEndpoint,
  usageOf,
} from '../../../../internal/model/wire/model-endpoint.ts'

const testEndpoint: ModelEndpoint = {
  id: 'lab/m',
  provider: 'lab',
  model: 'm',
  endpoint: { baseUrl: 'https://user:secret@host.example:8443/v1', key: 'k', headers: {}, idleMs: 1 },
  quirks: {},
  window: 10,
  price: { input: 1_000_000, output: 2_000_000 },
  keys: ['topsecret'],
}
const text: ModelEvent = { type: 'text', text: 'x' }

async function events(
  reply: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
  signal = new AbortController().signal,
) {
  const out: ModelEvent[] = []
  for await (const event of guardReply(testEndpoint, signal, reply)) out.push(event)
  return out
}

test('shows the host to users, without other parts of the URL', () => {
  expect(describeEndpoint(testEndpoint)).toBe('lab (host.example:8443)')
})

test('turns an exception into exactly one failure', async () => {
  const out = await events(async function* () {
    yield text
    throw new StalledConnectionError(90_000)
  })
  expect(out).toEqual([
    text,
    { type: 'failure', failure: { kind: 'stalled', message: 'lab (host.example:8443): no byte for 90 s' } },
  ])
  const [bug] = await events(() => {
    throw new Error('topsecret leaks')
  })
  expect(bug).toMatchObject({
    failure: { kind: 'internal', message: expect.stringContaining('[key removed] leaks') },
  })
})

test('after a cancel, every failure counts as cancelled', async () => {
  const stop = new AbortController()
  const out = await events(async function* (inner) {
    stop.abort()
    expect(inner.aborted).toBe(true)
    yield text
    throw new Error('cut')
  }, stop.signal)
  expect(out.at(-1)).toMatchObject({ failure: { kind: 'cancelled' } })
})

test('a caller that stops reading aborts the request', async () => {
  let inner: AbortSignal | undefined
  const reply = async function* (signal: AbortSignal) {
    inner = signal
    yield text
    yield text
  }
  for await (const _ of guardReply(testEndpoint, new AbortController().signal, reply)) break
  expect(inner?.aborted).toBe(true)
})

test('usage is taken from the endpoint, completed, or counted by Anode', () => {
  const request = { messages: [{ role: 'user' as const, content: 'x'.repeat(40) }], tools: [] }
  expect(usageOf(testEndpoint, request, { input: 3, output: 2, cached: 1 }, '')).toEqual({
    input: 3,
    output: 2,
    cached: 1,
    usd: 7,
  })
  expect(usageOf(testEndpoint, request, { input: 3, output: 2, usd: 0.5 }, '').usd).toBe(0.5)
  expect(usageOf(testEndpoint, request, { input: 3 }, 'abcde')).toEqual({
    input: 3,
    output: 2,
    usd: 7,
    estimated: true,
  })
  expect(usageOf({ ...testEndpoint, price: undefined }, request, {}, '')).toEqual({
    input: 10,
    output: 0,
    usd: null,
    estimated: true,
  })
})
