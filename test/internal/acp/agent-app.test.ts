// The agent side under valid and invalid messages: each request gets one response, and the messages of the
// agent match the schema.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { serveAcpOverStdio } from '../../../internal/acp/stdio-service.ts'
import { createAcpBackend } from '../../../internal/service/acp/acp-service.ts'
import { choice, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { type SchemaDefs, spoilValue, valueOfSchema } from '../../support/schema-values.ts'
import { scratchWith } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'

function readDefs(file: string): SchemaDefs {
  const path = join(root, 'node_modules/@agentclientprotocol/sdk/schema/v1', file)
  return (JSON.parse(readFileSync(path, 'utf8')) as { $defs: SchemaDefs }).$defs
}
// unstable definitions, such as forks of sessions, come from the other file
const $defs: SchemaDefs = { ...readDefs('schema.unstable.json'), ...readDefs('schema.json') }
const schemas = new Map<string, z.ZodType>()
function fits(name: string, value: unknown): boolean {
  const schema = schemas.get(name) ?? z.fromJSONSchema({ $defs, $ref: `#/$defs/${name}` } as never)
  schemas.set(name, schema)
  return schema.safeParse(value).success
}

/** Maps each method to the names of its request and response. */
const requests: Record<string, string> = {
  initialize: 'Initialize',
  authenticate: 'Authenticate',
  'session/new': 'NewSession',
  'session/load': 'LoadSession',
  'session/list': 'ListSessions',
  'session/resume': 'ResumeSession',
  'session/close': 'CloseSession',
  'session/fork': 'ForkSession',
  'session/delete': 'DeleteSession',
  'session/set_mode': 'SetSessionMode',
  'session/set_config_option': 'SetSessionConfigOption',
  'session/prompt': 'Prompt',
}
const usual = Array.from({ length: 4 }, () => 'session/prompt')
const askedOfClient: Record<string, string> = {
  'session/request_permission': 'RequestPermission',
  'fs/read_text_file': 'ReadTextFile',
  'fs/write_text_file': 'WriteTextFile',
}

interface Message {
  id?: number | string | null
  method?: string
  params?: unknown
  result?: unknown
  error?: { code: number; message: string }
}

/** Starts an agent in this process, and a client that answers its requests with the result of `answer`. */
function startAgent(replies: readonly object[], answer: (method: string, params: unknown) => object) {
  const dir = scratchWith({ 'a.txt': 'one\n' })
  const home = scratchWith({})
  const script = join(home, 'replies.jsonl')
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') }
  const stop = new AbortController()
  const { signal } = stop
  const wishes = { model: `script:${script}`, mode: 'ask' } as const
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveAcpOverStdio(createAcpBackend({ cwd: dir, env, wishes, addDirs: [], signal }), {
    ...{ input, output, signal },
  })
  const said: Message[] = []
  let rest = ''
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line) as Message
      said.push(message)
      if (message.method === undefined || message.id === undefined) continue
      send({ id: message.id, ...answer(message.method, message.params) })
    }
  })
  const send = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  onTestFinished(async () => {
    input.end()
    await served
  })
  return { dir, said, send, input, served }
}

/**
 * Returns a valid request that keeps the series active: sometimes a new session, else a prompt that
 * its model answers.
 */
function sureRequest(id: number, cwd: string, sessionId: string | undefined) {
  if (id % 20 === 1) return { method: 'session/new', params: { cwd, mcpServers: [] } }
  if (id % 4 !== 0 || sessionId === undefined) return undefined
  return { method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'Go on' }] } }
}

const count = rounds(80, 1_000)

it(`replies once to each of ${count} messages, right and wrong ones, in the shapes of the protocol`, async () => {
  const random = rng(Number(process.env.ANODE_SEED ?? 7))
  const edit = {
    calls: [{ name: 'edit_file', args: { path: 'a.txt', edits: [{ old: 'one', new: 'one' }] } }],
  }
  const read = { calls: [{ name: 'read', args: { path: 'a.txt' } }] }
  const create = { calls: [{ name: 'create_file', args: { path: 'b.txt', content: 'b', overwrite: true } }] }
  const replies = Array.from({ length: 3_000 }, () => choice(random, [edit, read, create, { text: 'Said.' }]))
  const sessions: string[] = []
  const agent = startAgent(replies, (method, params) => {
    const name = askedOfClient[method]
    if (name === undefined || random() < 0.1) return { error: { code: -32_601, message: 'not here' } }
    const offered = Object(params).options as { optionId: string }[] | undefined
    const fixed = (field: string) =>
      field === 'optionId' && offered ? choice(random, offered).optionId : undefined
    const result = valueOfSchema(random, $defs, { $ref: `#/$defs/${name}Response` }, fixed)
    return { result: random() < 0.2 ? spoilValue(random, result) : result }
  })
  const fixed = (field: string) => {
    if (field === 'sessionId') return choice(random, [...sessions.slice(-3), 'sess_none'])
    if (field === 'cwd') return choice(random, [agent.dir, agent.dir, agent.dir, '/none', 'beside'])
    if (field === 'mcpServers' || field === 'additionalDirectories') return []
    if (field === 'configId') return choice(random, ['mode', 'model', 'approval', 'none'])
    if (field === 'value') return choice(random, ['craft', 'review', 'ask', 'auto', 'none'])
    return field === 'modeId' ? choice(random, ['craft', 'quick', 'none']) : undefined
  }
  const fs = { readTextFile: true, writeTextFile: true }
  agent.send({
    id: 'first',
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: { fs } },
  })
  const sent = new Map<number, string>()
  const replyOf = (id: number) =>
    agent.said.filter((message) => message.method === undefined && message.id === id)
  for (let id = 1; id <= count; id++) {
    const sure = sureRequest(id, agent.dir, sessions.at(-1))
    const method = sure?.method ?? choice(random, [...Object.keys(requests), ...usual])
    const ref = { $ref: `#/$defs/${requests[method]}Request` }
    const made = sure?.params ?? valueOfSchema(random, $defs, ref, fixed)
    expect(fits(`${requests[method]}Request`, made), `${method} ${JSON.stringify(made)}`).toBe(true)
    sent.set(id, method)
    agent.send({ id, method, params: !sure && random() < 0.4 ? spoilValue(random, made) : made })
    if (random() < 0.1) agent.send({ method: 'session/cancel', params: { sessionId: fixed('sessionId') } })
    if (random() < 0.03)
      agent.input.write(choice(random, ['{"a":\n', '[]\n', '7\n', '\n', '{"jsonrpc":"2.0"}\n']))
    if (method !== 'session/prompt' || random() < 0.5) {
      await expect.poll(() => replyOf(id).length, { timeout: 20_000, interval: 2 }).toBe(1)
      const { result } = replyOf(id)[0] as Message
      if (method === 'session/new' && result) sessions.push((result as { sessionId: string }).sessionId)
    }
  }
  for (const session of sessions) agent.send({ method: 'session/cancel', params: { sessionId: session } })
  await expect
    .poll(() => [...sent.keys()].filter((id) => replyOf(id).length !== 1), { timeout: 20_000 })
    .toEqual([])
  const wrong = agent.said.filter((message) => {
    const { method, params, result, error } = message
    if (method === 'session/update') return !fits('SessionNotification', params)
    if (method === '$/cancel_request') return false
    if (method !== undefined) return !fits(`${askedOfClient[method]}Request`, params)
    if (error) return !(Number.isInteger(error.code) && typeof error.message === 'string')
    return !fits(`${requests[sent.get(Number(message.id)) ?? 'initialize']}Response`, result)
  })
  expect(wrong).toEqual([])
  const broken = agent.said.filter(({ error }) => error?.code === -32_603)
  expect(broken).toEqual([])
  const seen = new Set(agent.said.map(({ method }) => method))
  expect([...seen]).toEqual(expect.arrayContaining(['session/update', 'session/request_permission']))
}, 300_000)

it('a prompt whose session is closed at any moment ends as canceled', { timeout: 120_000 }, async () => {
  const agent = startAgent(
    Array.from({ length: 40 }, () => ({ text: 'Said.' })),
    () => ({ error: { code: -32_601, message: 'not here' } }),
  )
  const ask = async (id: string, method: string, params: object): Promise<Message> => {
    agent.send({ id, method, params })
    const replyTo = () => agent.said.find((message) => message.method === undefined && message.id === id)
    await expect.poll(replyTo, { timeout: 30_000, interval: 1 }).toBeDefined()
    return replyTo() as Message
  }
  await ask('first', 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  const ends = new Set<unknown>()
  for (let turns = 0; turns < 20; turns++) {
    const opened = await ask(`new ${turns}`, 'session/new', { cwd: agent.dir, mcpServers: [] })
    const { sessionId } = opened.result as { sessionId: string }
    const prompted = ask(`say ${turns}`, 'session/prompt', {
      ...{ sessionId, prompt: [{ type: 'text', text: 'Go on' }] },
    })
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    expect(await ask(`close ${turns}`, 'session/close', { sessionId })).not.toHaveProperty('error')
    const { result, error } = await prompted
    expect(error, `closed after ${turns} turns of the event loop`).toBeUndefined()
    ends.add((result as { stopReason: string }).stopReason)
  }
  expect([...ends].filter((end) => end !== 'cancelled' && end !== 'end_turn')).toEqual([])
  expect(ends).toContain('cancelled')
})
