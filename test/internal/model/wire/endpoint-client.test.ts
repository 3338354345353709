// Checks the client of an endpoint: what goes out, and what comes back event by event.
import { afterEach, expect, test } from 'vitest'
import { BrokenConnectionError } from '../../../../internal/model/endpoint/connection-errors.ts'
import { getJson, type HttpEndpoint, streamEvents } from '../../../../internal/model/wire/endpoint-client.ts'
import { HttpStatusError, StreamErrorEvent } from '../../../../internal/model/wire/endpoint-failure.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../../support/model-server.ts'

let started: ModelServer | undefined
afterEach(() => started?.close())

const never = new AbortController().signal
async function endpoint(reply: ServedReply, rest: Partial<HttpEndpoint> = {}): Promise<HttpEndpoint> {
  started = await serveModel([reply])
  return { baseUrl: started.url, key: 'topsecret', headers: {}, idleMs: 5000, ...rest }
}
async function all(to: HttpEndpoint): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of streamEvents(to, '/chat/completions', ['{"a":1}'], never)) events.push(event)
  return events
}
const stream = (body: string): ServedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
})

test('sends only the headers of Anode', async () => {
  await all(await endpoint({ text: 'x' }, { headers: { 'x-team': 'blue' } }))
  const headers = started?.requests[0]?.headers ?? {}
  expect(headers).toMatchObject({
    authorization: 'Bearer topsecret',
    'x-team': 'blue',
    'user-agent': 'anode',
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('x-stainless'))).toEqual([])
})

test('a header of the configuration replaces the key', async () => {
  await all(await endpoint({ text: 'x' }, { headers: { authorization: 'Token own' } }))
  expect(started?.requests[0]?.headers.authorization).toBe('Token own')
})

test('comments and blank lines of the stream are not events', async () => {
  const body = ': waiting\n\n: still\n\ndata: {"n":1}\n\nevent: x\ndata: {"n":\ndata: 2}\n\ndata: [DONE]\n\n'
  expect(await all(await endpoint(stream(body)))).toEqual([{ n: 1 }, { n: 2 }])
})

test('a last event without a blank line is incomplete', async () => {
  expect(await all(await endpoint(stream('data: {"n":1}\n\ndata: {"n":2}\n')))).toEqual([{ n: 1 }])
})

test('reads a JSON response as one event', async () => {
  const reply = {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: '{"n":1}',
  }
  expect(await all(await endpoint(reply))).toEqual([{ n: 1 }])
})

test('rejects a web page, and an error with status 200', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }
  await expect(all(await endpoint(page))).rejects.toMatchObject({
    body: expect.stringMatching(/is the address right/),
  })
  await started?.close()
  const error = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"error":{"message":"m"}}',
  }
  await expect(all(await endpoint(error))).rejects.toBeInstanceOf(StreamErrorEvent)
})

test('rejects errors by status, errors in the stream, and invalid events', async () => {
  await expect(all(await endpoint({ status: 418, body: 'no' }))).rejects.toBeInstanceOf(HttpStatusError)
  await started?.close()
  await expect(all(await endpoint(stream('data: {"error":{"message":"m"}}\n\n')))).rejects.toBeInstanceOf(
    StreamErrorEvent,
  )
  await started?.close()
  await expect(all(await endpoint(stream('data: {"n":\n\n')))).rejects.toBeInstanceOf(SyntaxError)
})

test('a rejection whose text is interrupted remains that rejection', async () => {
  const to = await endpoint({
    status: 429,
    headers: { 'retry-after': '1' },
    body: '{"error":{"message":"slow down"}}',
    framing: 'length',
    fault: { at: 5, how: 'reset' },
  })
  await expect(all(to)).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
})

/** Starts an endpoint with this list of models. */
async function listed(list: ServedReply) {
  started = await serveModel([], { '/v1/models': list })
  return { baseUrl: started.url, key: undefined, headers: {}, idleMs: 5000 }
}

test('reads a list in full', async () => {
  const body = '{"data":[{"id":"a"}]}'
  expect(await getJson(await listed({ status: 200, body }), '/models', never)).toEqual({
    data: [{ id: 'a' }],
  })
  await started?.close()
  const half = await listed({ status: 200, body, framing: 'length', fault: { at: 9, how: 'reset' } })
  await expect(getJson(half, '/models', never)).rejects.toBeInstanceOf(BrokenConnectionError)
})
