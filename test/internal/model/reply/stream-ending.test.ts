// The end of a response at its last event: connections that stay open, are lost, or give no reason.
import { afterEach, describe, expect, test } from 'vitest'
import { createMessagesModel } from '../../../../internal/model/messages.ts'
import { createChatModel } from '../../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../../internal/model/responses.ts'
import { retryModel } from '../../../../internal/model/stream-retry.ts'
import type { ModelEndpoint } from '../../../../internal/model/wire/model-endpoint.ts'
import { ask } from '../../../support/ask-model.ts'
import {
  bodyOf,
  type ModelServer,
  type ServedFormat,
  type ServedReply,
  serveModel,
} from '../../../support/model-server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const makers = { chat: createChatModel, responses: createResponsesModel, messages: createMessagesModel }
const formats = Object.keys(makers) as ServedFormat[]

async function open(format: ServedFormat, script: ServedReply[], rest: Partial<ModelEndpoint> = {}) {
  const server = await serveModel(script)
  servers.push(server)
  const model = makers[format]({
    ...{ id: 'lab/m', provider: 'lab', model: 'm', quirks: {}, window: 9000, price: undefined, keys: [] },
    endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 20_000 },
    ...rest,
  })
  return { model: retryModel(model, { baseMs: 1 }), requests: server.requests }
}

const replies: Record<string, ServedReply> = {
  text: { text: 'the whole answer' },
  call: { calls: [{ id: 'c1', name: 'read', args: { path: 'a.txt' } }] },
}
const tools = [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }]

const said = ({ text, calls, failure, end }: Awaited<ReturnType<typeof ask>>) => ({
  ...{ text, calls: calls.map(({ args }) => args), failure, end: end?.reason },
})
const wanted = (reply: ServedReply) => ({
  text: reply.text ?? '',
  calls: (reply.calls ?? []).map(({ args }) => args),
  failure: undefined,
  end: reply.calls ? 'calls' : 'stop',
})

/** Returns the position of the end of the event with the reason. */
function finishOf(whole: Buffer, format: ServedFormat): number {
  const mark = {
    chat: /"finish_reason":"[a-z_]+"/,
    responses: /event: response.completed/,
    messages: /"stop_reason":"[a-z_]+"/,
  }
  const text = whole.toString('latin1')
  return text.indexOf('\n\n', text.search(mark[format])) + 2
}

describe.each(formats)('%s', (format) => {
  test.each(Object.entries(replies))(
    '%s is complete although the connection stays open',
    async (_, reply) => {
      const whole = bodyOf(reply, format)
      const held = { at: whole.length, until: new Promise(() => undefined) }
      const { model, requests } = await open(format, [{ ...reply, hold: held }])
      expect(said(await ask(model, { tools }))).toEqual(wanted(reply))
      expect(requests).toHaveLength(1)
    },
  )

  test.each(['close', 'reset', 'silence'] as const)('is complete with its reason, then %s', async (how) => {
    for (const reply of Object.values(replies)) {
      const at = finishOf(bodyOf(reply, format), format)
      const { model, requests } = await open(format, [{ ...reply, fault: { at, how } }])
      expect(said(await ask(model, { tools }))).toEqual(wanted(reply))
      expect(requests).toHaveLength(1)
    }
  })

  test('a response without an end reason is accepted at the second attempt, and at once later', async () => {
    const reply = { ...replies.text, finish: null }
    const { model, requests } = await open(format, [reply, reply, reply])
    expect(said(await ask(model, { tools }))).toEqual(wanted({ text: 'the whole answer' }))
    expect(requests).toHaveLength(2)
    expect((await ask(model, { tools })).text).toBe('the whole answer')
    expect(requests).toHaveLength(3)
  })

  test('the setting for optional end reasons accepts such a response at once', async () => {
    for (const reply of Object.values(replies)) {
      const { model, requests } = await open(format, [{ ...reply, finish: null }], { isFinishOptional: true })
      expect(said(await ask(model, { tools }))).toEqual(wanted(reply))
      expect(requests).toHaveLength(1)
    }
  })

  test('a body without a length is not a sign of a lost connection', async () => {
    const reply: ServedReply = { text: 'half an ans', finish: null, framing: 'close' }
    const done = bodyOf(reply, format).indexOf('data: [DONE]')
    const fault = { at: done < 0 ? 1e9 : done, how: 'close' as const }
    const { model, requests } = await open(format, Array(5).fill({ ...reply, fault }))
    expect((await ask(model, { tools })).failure?.kind).toBe('broken')
    expect(requests).toHaveLength(5)
  })

  test('an empty response without a reason is never complete', async () => {
    const { model } = await open(format, Array(5).fill({ finish: null }))
    expect((await ask(model, { tools })).failure?.kind).toBe('broken')
  })
})
