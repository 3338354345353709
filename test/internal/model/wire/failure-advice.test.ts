// The advice for a user when an endpoint does not know the model, the key or the URL.
import { afterEach, expect, test } from 'vitest'
import { createChatModel } from '../../../../internal/model/openai.ts'
import type { ModelEndpoint } from '../../../../internal/model/wire/model-endpoint.ts'
import { ask } from '../../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../../support/model-server.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

const missing: ServedReply = { status: 404, body: '{"error":{"message":"no model gpt-54"}}' }
async function messageOf(
  list: ServedReply,
  refusal = missing,
  over: Partial<ModelEndpoint> = {},
): Promise<string | undefined> {
  server = await serveModel(() => refusal, { '/v1/models': list })
  const endpoint: ModelEndpoint = {
    id: 'test/gpt-54',
    provider: 'test',
    model: 'gpt-54',
    endpoint: { baseUrl: server.url, key: undefined, headers: {}, idleMs: 1000 },
    quirks: {},
    window: 1000,
    price: undefined,
    keys: [],
    ...over,
  }
  return (await ask(createChatModel(endpoint))).failure?.message
}
const list = (...ids: string[]): ServedReply => ({
  status: 200,
  body: JSON.stringify({ data: ids.map((id) => ({ id })) }),
})

test('suggests the most similar names of its list', async () => {
  expect(await messageOf(list('gpt-5.4', 'embedding-large', 'gpt-5.4-mini'))).toBe(
    '404 no model gpt-54 (did you mean gpt-5.4?)',
  )
})

const silent: [string, ServedReply][] = [
  ['no list', { status: 404, body: '' }],
  ['an odd list', { status: 200, body: '[]' }],
  ['nothing near', list('whisper-large-v3')],
  ['the very name', list('gpt-54', 'gpt-5.4')],
]
test.each(silent)('suggests nothing with %s', async (_name, reply) => {
  expect(await messageOf(reply)).toBe('404 no model gpt-54')
})

test('requests no list after other errors', async () => {
  await messageOf(list('gpt-5.4'), { status: 400, body: '{"error":{"message":"bad"}}' })
  expect(server?.requests).toHaveLength(1)
})

test("suggests names of the provider's catalog if the list of the endpoint has no similar name", async () => {
  const over = { provider: 'anthropic', model: 'claude-sonet-5' }
  expect(
    await messageOf(list('tiny'), { status: 404, body: '{"error":{"message":"no model"}}' }, over),
  ).toMatch(/^404 no model \(did you mean claude-sonnet-5/)
})

test('reports a URL that serves nothing', async () => {
  const page = { status: 404, body: '<html>Nothing</html>' }
  expect(await messageOf(page, page)).toMatch(
    /^404 test \(.*\) gave no reason \(http:\S+\/v1 serves no models; is providers\.test\.baseUrl right\?\)$/,
  )
})

test('reports a key with the format of another provider, and never shows it', async () => {
  const refusal = { status: 401, body: '{"error":{"message":"invalid x-api-key"}}' }
  const key = 'sk-proj-abcdefghijk'
  const told = await messageOf(list(), refusal, { provider: 'anthropic', keys: [key] })
  expect(told).toBe(
    '401 invalid x-api-key (the key of anthropic looks like one of openai; store another key: anode login anthropic)',
  )
  expect(await messageOf(list(), refusal, { provider: 'openai', keys: [key] })).toBe(
    '401 invalid x-api-key (store another key: anode login openai)',
  )
  const newKey = 'set another key: anode config set providers.lab.apiKey KEY'
  expect(await messageOf(list(), refusal, { provider: 'lab', newKey })).toBe(
    `401 invalid x-api-key (${newKey})`,
  )
})
