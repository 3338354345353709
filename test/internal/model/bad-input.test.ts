// Common mistakes of users and endpoints with models: each error shows the next step.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { refusedFields } from '../../../internal/model/endpoint/endpoint-memory.ts'
import { pickModel } from '../../../internal/model/model-choice.ts'
import type { ProviderSettings } from '../../../internal/model/providers.ts'
import { ask } from '../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../support/model-server.ts'
import { scratch } from '../../support/scratch.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(script: readonly ServedReply[], about: Readonly<Record<string, ServedReply>> = {}) {
  const server = await serveModel(script, about)
  servers.push(server)
  return server
}

const formats = ['chat', 'responses', 'messages'] as const
type Format = (typeof formats)[number]

/** Opens a model of the provider `lab` as a program with the data directory `dir` would. */
async function open(url: string, apiFormat: Format, dir = scratch(), settings: ProviderSettings = {}) {
  const lab = { baseUrl: url, apiKey: 'sk-secret-of-another', apiFormat, window: 50_000, ...settings }
  const options = { env: { ANODE_DATA_DIR: dir, XDG_CONFIG_HOME: dir }, cwd: dir, retry: { tries: 1 } }
  return (await pickModel('lab/big-model', { ...options, config: { providers: { lab } } })).model
}

const refusal = (status: number, message: string): ServedReply => ({
  status,
  body: JSON.stringify({ error: { message } }),
})

test.each(formats)('a rejected key gives an error that does not show the key: %s', async (format) => {
  const server = await serve([refusal(401, 'Incorrect API key provided: sk-secret-of-another')])
  const { failure } = await ask(await open(server.url, format))
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringMatching(/^401 Incorrect API key/) })
  expect(failure?.message).not.toContain('sk-secret-of-another')
})

test.each(formats)('a web page instead of a response gives an error about the URL: %s', async (format) => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }
  const server = await serve([page])
  const { failure } = await ask(await open(server.url, format))
  expect(failure?.message).toMatch(/a web page came instead of a reply; is the address right\?/)
})

test.each(formats)('an unknown model gives an error with the most similar names: %s', async (format) => {
  const list = { status: 200, body: JSON.stringify({ data: [{ id: 'big-model-2' }, { id: 'tiny' }] }) }
  const server = await serve([refusal(404, 'model not found')], { '/v1/models': list })
  const { failure } = await ask(await open(server.url, format))
  expect(failure).toMatchObject({
    kind: 'not_found',
    message: expect.stringMatching(/did you mean big-model-2/),
  })
})

test('an unknown provider gives an error with the most similar name', async () => {
  const dir = scratch()
  const pick = pickModel('antropic/claude-sonnet-5', { env: { XDG_CONFIG_HOME: dir }, cwd: dir })
  await expect(pick).rejects.toThrow(/unknown model antropic\/claude-sonnet-5, did you mean anthropic\?/)
})

test.each(formats)('a local server that does not run gives an error with advice: %s', async (format) => {
  const free = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const { failure } = await ask(await open(`http://127.0.0.1:${port}/v1`, format))
  expect(failure).toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port}.*ECONNREFUSED.*is it running\\?`)),
  })
})

test.each(formats)(
  'reports a window smaller than the prompt with the numbers, and sends nothing: %s',
  async (format) => {
    const server = await serve([{ text: 'never' }])
    const model = await open(server.url, format, scratch(), { window: 1000 })
    const { failure } = await ask(model, 'word '.repeat(2000))
    expect(failure).toEqual({
      kind: 'context_too_long',
      message:
        'the request (about 2500 tokens) exceeds the available context size (1000 tokens) of lab/big-model; nothing was sent',
    })
    expect(server.requests).toHaveLength(0)
  },
)

test('a gateway that rejects cache_control: the field is dropped once, reported once, and the result stored for later runs', async () => {
  const no = refusal(400, 'cache_control: Extra inputs are not permitted')
  const server = await serve([no, { text: 'a' }, { text: 'b' }, { text: 'c' }])
  const dir = scratch()
  const model = await open(server.url, 'messages', dir, { maxConcurrent: 4 })
  const notices = async (of: typeof model) =>
    (await ask(of)).events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  expect(await notices(model)).toEqual([
    expect.stringMatching(/does not take cache_control: .*paid for in full; it is left out from now on$/),
  ])
  expect(await notices(model)).toEqual([])
  // what another process would know is nothing but the file: here the endpoint is pushed out of memory
  for (let n = 0; n < 300; n++)
    refusedFields({
      model: 'm',
      endpoint: { baseUrl: `http://n${n}/v1`, key: undefined, headers: {}, idleMs: 1 },
    })
  expect(await notices(await open(server.url, 'messages', dir, { maxConcurrent: 4 }))).toEqual([])
  expect(server.requests.map(({ raw }) => raw.includes('cache_control'))).toEqual([true, false, false, false])
})

const tools = [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }]
const messages = [{ role: 'user' as const, content: 'word '.repeat(800) }]

test.each([
  ['chat', 'max_completion_tokens'],
  ['responses', 'max_output_tokens'],
  ['messages', 'max_tokens'],
] as const)('output is asked for as far as the prompt leaves room: %s', async (format, field) => {
  const server = await serve([{ text: 'a' }, { text: 'b' }])
  const model = await open(server.url, format, scratch(), { window: 4000 })
  await ask(model, { messages, maxOutput: 8192 })
  const asked = server.requests[0]?.body[field]
  expect(asked).toBeLessThanOrEqual(3000)
  expect(asked).toBeGreaterThanOrEqual(256)
  await ask(model, { messages, maxOutput: 300 })
  expect(server.requests[1]?.body[field]).toBe(300)
})

test.each([
  ['chat', 'none'],
  ['responses', 'none'],
  ['messages', { type: 'none' }],
] as const)(
  'an agent without calls still gets the tools, so that the cached prefix matches: %s',
  async (format, choice) => {
    const server = await serve([{ text: 'a' }, { text: 'b' }])
    const model = await open(server.url, format)
    await ask(model, { messages, tools })
    await ask(model, { messages, tools, toolChoice: 'none' })
    const [before, concluding] = server.requests.map(({ body }) => body)
    expect(concluding.tools).toEqual(before.tools)
    expect(concluding.tool_choice).toEqual(choice)
    expect(before).not.toHaveProperty('tool_choice')
  },
)
