// The results of one small test request to a model, over all three wire formats.
import { afterEach, expect, test } from 'vitest'
import { createMessagesModel } from '../../../../internal/model/messages.ts'
import type { Model } from '../../../../internal/model/model.ts'
import { createChatModel } from '../../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../../internal/model/responses.ts'
import type { ModelEndpoint } from '../../../../internal/model/wire/model-endpoint.ts'
import { checkModel } from '../../../../internal/service/models/model-check.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../../support/model-server.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

async function checked(make: (endpoint: ModelEndpoint) => Model, reply: ServedReply) {
  server = await serveModel([reply])
  const model = make({
    id: 'test/m',
    provider: 'test',
    model: 'm',
    endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 5000 },
    quirks: {},
    window: 1000,
    price: { input: 1, output: 1 },
    keys: ['k'],
  })
  return checkModel(model, new AbortController().signal)
}
const wires = [
  ['chat', createChatModel],
  ['responses', createResponsesModel],
  ['messages', createMessagesModel],
] as const
const whole: ServedReply = {
  text: '1 2 3 4 5 6 7 8 9 10',
  calls: [{ id: 'a', name: 'echo', args: { word: 'anode' } }],
  usage: { in: 90, out: 20, cached: 10 },
}

test.each(wires)('%s: everything works', async (_, make) => {
  expect(await checked(make, whole)).toMatchObject({
    streams: true,
    callsTools: true,
    window: 1000,
    usage: { input: 90, output: 20, cached: 10 },
  })
  expect(server?.requests).toHaveLength(1)
})

test.each(wires)('%s: reports each failing feature separately', async (_, make) => {
  expect(await checked(make, { ...whole, piece: 1000 })).toMatchObject({ streams: false, callsTools: true })
  await server?.close()
  const wrong = await checked(make, { ...whole, calls: [{ name: 'echo', args: { word: 'x' } }], usage: null })
  expect(wrong).toMatchObject({ streams: true, callsTools: false })
  expect(wrong.usage).toBeUndefined()
  await server?.close()
  const refused = await checked(make, { status: 401, body: '{"error":{"message":"invalid api key"}}' })
  expect(refused).toMatchObject({ callsTools: false, failure: { kind: 'auth' } })
})
