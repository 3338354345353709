// Servers that a workspace brings: none delays the first request, and a later turn can call what they offer.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { McpServerSettings } from '../../../../internal/mcp/config/server-config.ts'
import { runHeadless } from '../../../../internal/runtime/run/headless-run.ts'
import { openWorkspaceTrust } from '../../../../internal/runtime/workspace/workspace-trust.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { openLocalService } from '../../../../internal/service/session/local-service.ts'
import { fake } from '../../../support/mcp.ts'
import { type Received, type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { watchClient } from '../../../support/session.ts'
import { processesWith } from '../../process/scratch.ts'

interface Place {
  /** In the trusted workspace, by name. */
  servers?: Record<string, McpServerSettings>
  /** In the user's own file. */
  own?: Record<string, McpServerSettings>
  config?: object
  script(request: Received, n: number, gate: () => void): ServedReply
}

/** Opens a workspace with servers. Those with the fault `late` start once the gate is open. */
async function openPlace({ servers = {}, own = {}, config = {}, script }: Place) {
  const model = await serveModel((request, n) => script(request, n, open))
  const providers = { openai: { baseUrl: model.url, apiKey: 'k', apiFormat: 'chat' } }
  const home = scratchWith({
    'config/anode/config.json': JSON.stringify({ model: 'openai/any', providers, ...config }),
    'config/anode/mcp.json': JSON.stringify({ mcpServers: own }),
  })
  const cwd = scratchWith({})
  // a file of the workspace would be a part of what is trusted
  const gate = scratchWith({})
  const open = () => writeFileSync(join(gate, 'open'), '')
  const withGate = Object.entries(servers).map(([name, { args = [], ...rest }]) => [
    name,
    { ...rest, args: [...args, gate] },
  ])
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(withGate) }))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ANODE_DATA_DIR: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
  }
  await openWorkspaceTrust(cwd, env).grant(undefined)
  onTestFinished(async () => {
    await model.close()
    expect(processesWith(gate)).toEqual([])
  })
  const notes: string[] = []
  return {
    ...{ cwd, env, notes, open, isOpen: () => existsSync(join(gate, 'open')), requests: model.requests },
    run: (more: { tools?: string[]; resume?: { thread: string; fork: boolean } } = {}) =>
      runHeadless({
        ...{
          cwd,
          env,
          prompt: 'go',
          maxTurns: 60,
          caps: {},
          addDirs: [],
          terminal: undefined,
          features,
          ...more,
        },
        signal: new AbortController().signal,
        mode: 'unrestricted',
        ask: async () => ({ allow: true, why: 'a test' }),
        show: () => undefined,
        inbox: async () => [],
        note: (text) => notes.push(text),
      }),
  }
}

const late = fake('late')
/** Never answers: its gate stays closed. */
const hung = { ...late, startTimeout: 1 }
const failing = fake('crash')
const toolsOf = ({ body }: Received): string[] =>
  body.tools.map((one: { function: { name: string } }) => one.function.name)
const textOf = (request: Received | undefined) => JSON.stringify(request?.body.messages)
const lastResult = (request: Received): string =>
  request.body.messages.findLast((one: { role: string }) => one.role === 'tool')?.content ?? ''
const search = (args: object, id: string) => ({ calls: [{ name: 'tool_search', id, args }] })
const look = (n: number) => ({ calls: [{ name: 'glob', id: `look${n}`, args: { pattern: `*${n}` } }] })

/** Whether every request begins with the bytes of the one before, tools and system prompt included. */
function expectKeptPrefix(requests: readonly Received[]): void {
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1] ?? request
    expect(request.body.tools).toEqual(before.body.tools)
    expect(request.raw).toContain(JSON.stringify(before.body.messages).slice(0, -1))
  }
}

test.each([
  ['a slow server', late],
  ['a slow server whose tools are always offered', { ...late, alwaysLoad: true }],
])('%s: the first request is sent at once, and tool_search waits for its tools', async (_, server) => {
  const place = await openPlace({
    servers: { docs: server },
    script(request, n, open) {
      if (n === 0) {
        expect(place.isOpen()).toBe(false)
        expect(textOf(request)).toContain(
          'The MCP server docs is starting. To use its tools, call tool_search',
        )
        open()
        return search({ name: 'mcp__docs__*' }, 'a')
      }
      if (n === 1) return search({ name: 'mcp__docs__echo', args: { message: 'hi' } }, 'b')
      return { text: lastResult(request) }
    },
  })
  const { end } = await place.run()
  expect(lastResult(place.requests[1] as Received)).toMatch(/## mcp__docs__echo\nSays it again/)
  expect(end).toMatchObject({ end: 'done', text: 'Echo: hi' })
  expect(place.notes).toContain('MCP server docs is starting; its tools can be used once it is ready')
  expectKeptPrefix(place.requests)
})

test('a message says when a server is ready; its tool is called then, also in a resumed run', async () => {
  let called = false
  const place = await openPlace({
    servers: { docs: late },
    script(request, n, open) {
      if (n === 2) open()
      if (textOf(request).includes('Echo: hi')) return { text: 'done' }
      if (!textOf(request).includes('The MCP server docs is ready.')) return look(n)
      called = true
      return search({ name: 'mcp__docs__echo', args: { message: 'hi' } }, 'b')
    },
  })
  const { end, thread } = await place.run()
  expect({ end: end.end, called }).toEqual({ end: 'done', called: true })
  expect(textOf(place.requests.at(-1))).toContain('tool_search shows and calls its tools: mcp__docs__echo')
  expectKeptPrefix(place.requests)
  // the next process knows the tools before its first request
  await place.run({ resume: { thread, fork: false } })
  expect(toolsOf(place.requests.at(-1) as Received)).toContain('mcp__docs__echo')
})

test('a server that hangs delays neither the reply nor the end, and leaves no process', async () => {
  const place = await openPlace({
    servers: { docs: { ...hung, startTimeout: 600 } },
    script: () => ({ text: 'hello' }),
  })
  const { end } = await place.run()
  expect(end).toMatchObject({ end: 'done', text: 'hello' })
  expect(place.requests).toHaveLength(1)
})

test.each([
  ['hangs', hung, /did not start within 1 s/],
  ['fails', failing, /no licence found/],
])(
  'a server that %s is named with its fault to the model that searches and to the user',
  async (_, server, why) => {
    const place = await openPlace({
      servers: { docs: server },
      script(request, n) {
        if (n === 0) return search({ name: 'mcp__docs__*' }, 'a')
        return textOf(request).includes('The MCP server docs did not start') ? { text: 'done' } : look(n)
      },
    })
    const { end } = await place.run()
    expect(end.end).toBe('done')
    expect(lastResult(place.requests[1] as Received)).toMatch(/no more tool fits|did not start/)
    expect(textOf(place.requests.at(-1))).toMatch(why)
    expect(place.notes.join('\n')).toMatch(why)
    expectKeptPrefix(place.requests)
  },
)

test('a call before its server is ready reports it, and other searches do not wait', async () => {
  const place = await openPlace({
    servers: { docs: late },
    script: (_, n) =>
      [
        { calls: [{ name: 'mcp__docs__echo', id: 'a', args: { message: 'hi' } }] },
        search({ query: 'render a page' }, 'b'),
      ][n] ?? { text: 'done' },
  })
  await place.run()
  expect(lastResult(place.requests[1] as Received)).toMatch(
    /mcp__docs__echo cannot be called yet: its MCP server docs is starting; tool_search \{"name": "mcp__docs__\*"\} waits/,
  )
  expect(lastResult(place.requests[2] as Received)).toMatch(/## render[\s\S]*still starting: docs\./)
})

test('adds the tools when their server is ready if tool_search is disabled', async () => {
  const place = await openPlace({
    servers: { docs: late },
    config: { tools: { disabled: ['tool_search'] } },
    script(request, n, open) {
      if (n === 0) open()
      return toolsOf(request).includes('mcp__docs__echo') ? { text: 'done' } : look(n)
    },
  })
  const { end } = await place.run()
  expect(end.end).toBe('done')
  expect(toolsOf(place.requests[0] as Received)).not.toContain('mcp__docs__echo')
  expect(textOf(place.requests[0])).toContain('are added when it is ready')
})

test('a quick server of the workspace is listed in the second run, one of the user in the first', async () => {
  const place = await openPlace({
    servers: { docs: fake('none') },
    own: { mine: fake('none') },
    script(request, n) {
      if (n > 0 && textOf(request).includes('The MCP server docs is ready')) return { text: 'done' }
      return n > 50 ? { text: 'late' } : look(n)
    },
  })
  expect((await place.run()).end).toMatchObject({ text: 'done' })
  expect(toolsOf(place.requests[0] as Received)).toContain('mcp__mine__echo')
  const before = place.requests.length
  await place.run()
  const first = place.requests[before] as Received
  expect(toolsOf(first)).toEqual(expect.arrayContaining(['mcp__mine__echo', 'mcp__docs__echo']))
  expect(textOf(first)).not.toContain('is starting')
})

test('a run limited to a tool of a starting server waits for the server', async () => {
  const place = await openPlace({ servers: { docs: late }, script: () => ({ text: 'done' }) })
  place.open()
  await place.run({ tools: ['mcp__docs__echo'] })
  expect(toolsOf(place.requests[0] as Received)).toContain('mcp__docs__echo')
})

test('in a session the reply comes first, the status names the server, and the next message can use it', async () => {
  const place = await openPlace({
    servers: { docs: late },
    script(request, n) {
      if (n === 0) return { text: 'hello' }
      if (n === 1) return search({ name: 'mcp__docs__echo', args: { message: 'hi' } }, 'b')
      return { text: lastResult(request) }
    },
  })
  const service = await openLocalService({
    cwd: place.cwd,
    env: place.env,
    addDirs: [],
    note: () => undefined,
  })
  onTestFinished(() => service.close())
  const session = watchClient(await service.openSession({ kind: 'new' }, { mode: 'unrestricted' }))
  await session.say('first')
  const { starting } = await session.idle()
  expect(starting).toEqual(['docs'])
  place.open()
  await session.until((view) => view.starting.length === 0)
  await session.say('second')
  await session.idle()
  expect(textOf(place.requests[1])).toContain('The MCP server docs is ready.')
  expect(textOf(place.requests[1])).toContain('read takes as a path: @docs:note://one One')
  expect(lastResult(place.requests[2] as Received)).toBe('Echo: hi')
  expectKeptPrefix(place.requests)
})
