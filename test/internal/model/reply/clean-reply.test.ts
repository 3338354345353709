// Checks on each wire that reasoning in the text is taken out and that written calls get a result each.
import { afterEach, describe, expect, test } from 'vitest'
import { createMessagesModel } from '../../../../internal/model/messages.ts'
import { createChatModel } from '../../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../../internal/model/responses.ts'
import { ask, user } from '../../../support/ask-model.ts'
import {
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
const tools = [{ name: 'read', description: 'Reads.', schema: { type: 'object', properties: {} } }]

async function reply(format: ServedFormat, served: ServedReply, toolChoice?: 'none') {
  const server = await serveModel(() => served)
  servers.push(server)
  const model = makers[format]({
    ...{ id: 'lab/m', provider: 'lab', model: 'm', quirks: {}, window: 90_000, price: undefined, keys: [] },
    endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 5000 },
  })
  return ask(model, { messages: [user('x')], tools, ...(toolChoice && { toolChoice }) })
}

const json = '{"name": "read", "arguments": {"path": "a"}}'
const written = [
  `<tool_call>\n${json}\n</tool_call>`,
  `I look.\n<tool_call>${json}`,
  '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  '<function=read>{"path": "a"}</function>',
  `[TOOL_CALLS][${json}]`,
  'TOOL: {"name": "read", "args": {"path": "a"}}',
  '<invoke name="read"><parameter name="path">a</parameter></invoke>',
  `<tool_call>${json}</tool_call>\n<tool_response>made up</tool_response>`,
  `<think>hm</think>\n<tool_call>${json}</tool_call>`,
]
const answers = [
  `Qwen writes:\n\`\`\`\n<tool_call>${json}</tool_call>\n\`\`\``,
  'Call `<tool_call>` so.',
  '<tool_call>{"name": "other"}</tool_call> is what such a server gets, and more text.',
  'The prefix TOOL: is read.',
]

describe.each(formats)('%s', (format) => {
  test.each([1, 3, 8, 100])(
    'reasoning in pieces of %d characters is not part of the answer',
    async (piece) => {
      const said = await reply(format, { text: '<think>why</think>\n\nbecause', piece })
      expect(said).toMatchObject({ text: 'because', reasoning: 'why' })
      const open = await reply(format, { text: 'why\n</think>\n\nbecause', piece })
      expect(open).toMatchObject({ text: 'because', reasoning: 'why\n' })
    },
  )

  test.each(written)('%j is a call that was not run', async (text) => {
    const said = await reply(format, { text })
    const malformed = { position: -1, error: expect.stringMatching(/written as text/) }
    expect(said.calls).toMatchObject([{ name: 'read', args: undefined, malformed }])
    expect(said.end?.reason).toBe('calls')
  })

  test('each of several calls gets its own id', async () => {
    const said = await reply(format, { text: `${written[0]}\n${written[3]}` })
    expect(new Set(said.calls.map(({ id }) => id)).size).toBe(2)
  })

  test.each(answers)('%j remains an answer', async (text) => {
    expect(await reply(format, { text })).toMatchObject({ text, calls: [], end: { reason: 'stop' } })
  })

  test('text next to a real call, or where calls are not allowed, stays text', async () => {
    const both = await reply(format, { text: written[0] as string, calls: [{ name: 'read', args: {} }] })
    expect(both.calls).toHaveLength(1)
    expect((await reply(format, { text: written[0] as string }, 'none')).calls).toEqual([])
  })
})
