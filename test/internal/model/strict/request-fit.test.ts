// Checks that requests fit the strictest endpoint on each wire, and that calls come back under their real names.
import { afterEach, describe, expect, test } from 'vitest'
import { createMessagesModel } from '../../../../internal/model/messages.ts'
import type { ModelMessage, ToolSpec } from '../../../../internal/model/model.ts'
import { createChatModel } from '../../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../../internal/model/responses.ts'
import { ask } from '../../../support/ask-model.ts'
import {
  type ModelServer,
  type ServedCall,
  type ServedFormat,
  serveModel,
} from '../../../support/model-server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const makers = { chat: createChatModel, responses: createResponsesModel, messages: createMessagesModel }
const formats = Object.keys(makers) as ServedFormat[]

async function open(format: ServedFormat, call: (body: unknown) => ServedCall) {
  const server = await serveModel(({ body }) => ({ calls: [call(body)] }))
  servers.push(server)
  const model = makers[format]({
    ...{ id: 'lab/m', provider: 'lab', model: 'm', quirks: {}, window: 90_000, price: undefined, keys: [] },
    endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 5000 },
  })
  return { model, server }
}

interface Sent {
  name: string
  id: string
  args: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what was sent
type Body = any

function sentCalls(format: ServedFormat, body: Body): Sent[] {
  if (format === 'chat') {
    const calls: Body[] = body.messages.flatMap((one: Body) => one.tool_calls ?? [])
    return calls.map((one) => ({
      ...{ name: one.function.name, id: one.id, args: JSON.parse(one.function.arguments) },
    }))
  }
  if (format === 'responses') {
    const items: Body[] = body.input.filter((one: Body) => one.type === 'function_call')
    return items.map((one) => ({ name: one.name, id: one.call_id, args: JSON.parse(one.arguments) }))
  }
  const blocks: Body[] = body.messages.flatMap((one: Body) => one.content)
  const uses = blocks.filter((one) => one.type === 'tool_use')
  return uses.map((one) => ({ name: one.name, id: one.id, args: one.input }))
}

const read: ToolSpec = { name: 'read', description: 'Reads.', schema: { type: 'object', properties: {} } }

const names = [
  'read',
  'functions.read',
  'default_api:read',
  'a b',
  'é',
  '',
  'x'.repeat(457),
  'a/b',
  'read<|x|>',
]
const ids = ['c1', 'call:1', 'x'.repeat(200), 'ü', 'a b']
const argsOfCalls: unknown[] = [{ path: 'a' }, '{"path":"a"}', ['a'], 'a', 7, true, null, undefined]

const rows = [
  ...names.map((name) => ({ name, id: 'c1', args: {} as unknown })),
  ...ids.map((id) => ({ name: 'read', id, args: {} as unknown })),
  ...argsOfCalls.map((args) => ({ name: 'read', id: 'c1', args })),
]

describe.each(formats)('%s', (format) => {
  test.each(rows)('accepts a history with the call %j', async ({ name, id, args }) => {
    const { model, server } = await open(format, () => ({ name: 'read' }))
    const messages: ModelMessage[] = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '', calls: [{ id, name, args }] },
      { role: 'tool', callId: id, name, content: '' },
    ]
    await ask(model, { messages, tools: [read] })
    for (const sent of sentCalls(format, server.requests[0]?.body)) {
      expect(sent.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(sent.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(Object.prototype.toString.call(sent.args)).toBe('[object Object]')
    }
    expect(sentCalls(format, server.requests[0]?.body)).toHaveLength(1)
  })

  const namesOfRead = [
    ...['functions.read', 'default_api:read', 'read<|channel|>json', 'read', 'tools.read', 'tool:read'],
    ...['functions/read', 'multi_tool_use.read', ' read ', 'functions.read<|constrain|>json'],
  ]
  test.each(namesOfRead)('a call of %s runs the tool read', async (name) => {
    const { model } = await open(format, () => ({ name, raw: JSON.stringify('{"path":"a.txt"}') }))
    const { calls } = await ask(model, { tools: [read] })
    expect(calls).toMatchObject([{ name: 'read', args: { path: 'a.txt' } }])
  })

  const oddKeys = [
    ...[
      '$top',
      'filter[id]',
      'a b',
      '@type',
      'x'.repeat(70),
      'größe',
      '$',
      'a/b',
      'x:y',
      '工具',
      'a[b][]',
      '💥',
    ],
  ]
  test.each(oddKeys)('renames the parameter %s for the API and restores its name', async (key) => {
    const inner = { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] }
    const properties = { [key]: { type: 'integer' }, list: { type: 'array', items: inner } }
    const tool = { ...read, name: 'list', schema: { type: 'object', properties, required: [key] } }
    let sent: string[] = []
    const { model } = await open(format, (body) => {
      const [first] = (body as Body).tools
      const schema = first.function?.parameters ?? first.parameters ?? first.input_schema
      sent = Object.keys(schema.properties)
      const [fit = ''] = schema.required
      return { name: 'list', args: { [fit]: 3, list: [{ [fit]: 'x' }] } }
    })
    const { calls } = await ask(model, { tools: [tool] })
    for (const one of sent) expect(one).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    expect(calls).toMatchObject([{ name: 'list', args: { [key]: 3, list: [{ [key]: 'x' }] } }])
  })
})
