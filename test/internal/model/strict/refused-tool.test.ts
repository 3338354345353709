// An endpoint that rejects a tool of another program, which drops only that tool, in each wire format.
import { afterEach, describe, expect, test } from 'vitest'
import { createMessagesModel } from '../../../../internal/model/messages.ts'
import type { ToolSpec } from '../../../../internal/model/model.ts'
import { createChatModel } from '../../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../../internal/model/responses.ts'
import { ask, user } from '../../../support/ask-model.ts'
import { type ModelServer, type ServedFormat, serveModel } from '../../../support/model-server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const makers = { chat: createChatModel, responses: createResponsesModel, messages: createMessagesModel }
const formats = Object.keys(makers) as ServedFormat[]

const spec = (name: string, foreign?: true): ToolSpec => ({
  name,
  description: `Does ${name}.`,
  schema: { type: 'object', properties: { include: { type: 'string' }, reasoning: { type: 'string' } } },
  ...(foreign && { foreign }),
})
const tools = [
  spec('read'),
  spec('mcp__a__one', true),
  spec('mcp__a__bad', true),
  spec('bash'),
  spec('mcp__a__bad_too', true),
]

const error = (message: string, rest = {}) => JSON.stringify({ error: { message, ...rest } })

/** Error messages of endpoints about a rejected tool: by name or by position in the list. */
const wordings: [string, (name: string, at: number) => string][] = [
  [
    'OpenAI',
    (name) =>
      error(
        `Invalid schema for function '${name}': In context=('properties', 'x'), array schema missing items.`,
      ),
  ],
  ['OpenAI param', (_, at) => error('Invalid schema.', { param: `tools[${at}].function.parameters` })],
  [
    'a field name inside',
    (name) => error(`Invalid schema for function '${name}': 'include' is not supported`),
  ],
  ['reasoning inside', (name) => error(`Invalid schema for function "${name}": unknown key "reasoning"`)],
  ['not supported', (name) => error(`function ${name}: keyword propertyNames is not supported`)],
  ['Anthropic', (_, at) => error(`tools.${at}.custom.input_schema: JSON schema is invalid`)],
  [
    'Gemini',
    (_, at) => error(`tools[0].function_declarations[${at}].parameters.properties[x].items: missing field`),
  ],
  [
    'Vertex',
    (_, at) => JSON.stringify([{ error: { message: `tools[0].functionDeclarations[${at}]: bad` } }]),
  ],
  [
    'FastAPI',
    (_, at) => JSON.stringify({ detail: [{ loc: ['body', 'tools', at, 'function'], msg: 'invalid' }] }),
  ],
  ['Bedrock', (_, at) => error(`The value at toolConfig.tools.${at}.member.toolSpec.inputSchema is invalid`)],
  ['backticks', (name) => `tool \`${name}\` has an invalid schema`],
  [
    'a router',
    (name) => error('Provider returned error', { metadata: { raw: error(`Invalid tool "${name}"`) } }),
  ],
  ['quotes alone', (name) => error(`schema of "${name}" is broken`)],
]

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what was sent
const namesOf = (body: any): string[] => (body.tools ?? []).map((one: any) => one.function?.name ?? one.name)

async function open(
  format: ServedFormat,
  isBad: (name: string) => boolean,
  say: (name: string, at: number) => string,
) {
  const server = await serveModel(({ body }) => {
    const at = namesOf(body).findIndex(isBad)
    if (at < 0) return { text: 'done' }
    return { status: 400, body: say(namesOf(body)[at] as string, at) }
  })
  servers.push(server)
  const model = makers[format]({
    ...{ id: 'lab/m', provider: 'lab', model: 'm', quirks: {}, window: 90_000, price: undefined, keys: [] },
    endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 5000 },
  })
  return { model, server }
}

describe.each(formats)('%s', (format) => {
  test.each(wordings)('%s: drops the rejected tools, with a notice each, from then on', async (_, say) => {
    const { model, server } = await open(format, (name) => name.includes('bad'), say)
    const reply = await ask(model, { messages: [user('x')], tools })
    expect(reply.text).toBe('done')
    const notices = reply.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
    expect(notices).toHaveLength(2)
    expect(notices[0]).toContain('mcp__a__bad:')
    expect(namesOf(server.requests.at(-1)?.body)).toEqual(['read', 'mcp__a__one', 'bash'])
    expect((await ask(model, { messages: [user('y')], tools })).text).toBe('done')
    expect(server.requests).toHaveLength(4)
  })

  test.each(wordings)('%s: never drops a native tool', async (_, say) => {
    const { model, server } = await open(format, (name) => name === 'bash', say)
    const reply = await ask(model, { messages: [user('x')], tools })
    expect(reply.failure).toMatchObject({ status: 400, message: expect.stringMatching(/^400 /) })
    for (const { body } of server.requests) expect(namesOf(body)).toHaveLength(tools.length)
  })

  test('a refusal of the history or one that names no tool leaves out nothing', async () => {
    for (const message of ["messages.3: tool 'mcp__a__bad' has no result", 'the request is invalid']) {
      const { model, server } = await open(
        format,
        () => true,
        () => error(message),
      )
      expect((await ask(model, { messages: [user('x')], tools })).failure?.kind).toBe('bad_request')
      expect(server.requests).toHaveLength(1)
    }
  })

  test('a tool whose schema has changed is sent again', async () => {
    const { model, server } = await open(format, (name) => name === 'mcp__a__bad', wordings[0]?.[1] as never)
    await ask(model, { messages: [user('x')], tools })
    const changed = tools.map((one) => ({ ...one, schema: { type: 'object', properties: {} } }))
    await ask(model, { messages: [user('x')], tools: changed })
    expect(namesOf(server.requests[2]?.body)).toContain('mcp__a__bad')
  })
})
