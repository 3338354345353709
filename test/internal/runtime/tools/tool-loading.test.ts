// Conversations with more tools than fit: found, shown and called through one tool, with
// stable request prefixes.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../../../internal/mcp/config/server-config.ts'
import { runHeadless } from '../../../../internal/runtime/run/headless-run.ts'
import { createLoadedTools, openToolLoading } from '../../../../internal/runtime/tools/tool-loading.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { createCatalog, type ListedTool } from '../../../../internal/tool/catalog.ts'
import { fake, never } from '../../../support/mcp.ts'
import { type Received, type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

interface TrackerRun {
  tracker: McpServerSettings
  window?: number
  disabled?: readonly string[]
  script(request: Received, n: number): ServedReply
}

/** Opens a world with a tracker among its servers. Each run uses the same model. */
async function openPlace({ tracker, window = 200_000, disabled = [], script }: TrackerRun) {
  const server = await serveModel(script)
  const providers = { openai: { baseUrl: server.url, apiKey: 'k', apiFormat: 'chat', window } }
  const config = { model: 'openai/any', providers, tools: { disabled } }
  const cwd = scratchWith({
    'config/anode/config.json': JSON.stringify(config),
    'config/anode/mcp.json': JSON.stringify({ mcpServers: { tracker } }),
  })
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    ANODE_DATA_DIR: join(cwd, 'data'),
    XDG_CONFIG_HOME: join(cwd, 'config'),
  }
  return {
    requests: server.requests,
    run: (prompt: string, resume?: { thread: string; fork: boolean }) =>
      runHeadless({
        ...{ cwd, env, prompt, maxTurns: 20, caps: {}, addDirs: [], terminal: undefined, features },
        ...(resume && { resume }),
        signal: new AbortController().signal,
        mode: 'unrestricted',
        ask: async () => ({ allow: true, why: 'a test' }),
        show: () => undefined,
        inbox: async () => [],
        note: () => undefined,
      }),
    close: () => server.close(),
  }
}

const toolsOf = (request: Received | undefined): string[] =>
  request?.body.tools.map((one: { function: { name: string } }) => one.function.name)
const ofTracker = (request: Received | undefined) =>
  toolsOf(request).filter((name) => name === 'tool_search' || name.startsWith('mcp__'))
const resultsIn = (request: Received | undefined): string[] =>
  request?.body.messages.flatMap((one: { role: string; content: string }) =>
    one.role === 'tool' ? [one.content] : [],
  )

test('finds, shows and calls 60 tools without a change before the last message', async () => {
  const search = (args: Record<string, unknown>, id: string) => ({ name: 'tool_search', id, args })
  const call = (name: string, message: string, id: string) => search({ name, args: { message } }, id)
  const replies: ServedReply[] = [
    { calls: [{ name: 'mcp__tracker__create_issue', id: 'a', args: { message: 'early' } }] },
    { calls: [search({ query: 'create an issue' }, 'b'), search({ name: 'get_team' }, 'c')] },
    { calls: [call('mcp__tracker__create_issue', 'now', 'd')] },
    { calls: [search({ name: 'mcp__tracker__get_team', args: '{"message":"as text"}' }, 'd2')] },
    { calls: [{ name: 'task', id: 'e', args: { goal: 'the child looks' } }] },
    { calls: [search({ name: 'tracker__close_label' }, 'f'), search({ query: 'secret' }, 'g')] },
    { calls: [call('mcp__tracker__list_secret', 'child', 'h')] },
    { text: 'looked' },
    { text: 'done' },
    { text: 'again' },
  ]
  const place = await openPlace({ tracker: fake('many', '60'), script: (_, n) => replies[n] ?? { text: '' } })
  try {
    const { thread, end } = await place.run('go')
    expect(end).toMatchObject({ end: 'done' })
    const [first, second, third, fourth, fifth, child, , childLast, last] = place.requests
    expect(ofTracker(first)).toEqual(['tool_search'])
    expect(first?.body.messages[0].content).toContain('mcp__tracker__*: create_issue, list_issue')
    // a correct guess runs, and a search returns the parameters
    expect(resultsIn(second)[0]).toContain('Echo: early')
    expect(resultsIn(third)[1]).toMatch(/## mcp__tracker__create_issue\n[\s\S]*args: \{.*"message"/)
    expect(resultsIn(fourth).at(-1)).toContain('Echo: now')
    expect(resultsIn(fifth).at(-1)).toContain('Echo: as text')
    expect(resultsIn(childLast).at(-1)).toContain('Echo: child')
    for (const request of [second, third, fourth, fifth, last]) expect(repeats(request, first)).toBe(true)
    expect(repeats(childLast, child)).toBe(true)

    await place.run('once more', { thread, fork: false })
    expect(repeats(place.requests.at(-1), last)).toBe(true)
  } finally {
    await place.close()
  }
})

/** Whether `request` begins with the bytes of `before`, up to the end of its messages. */
function repeats(request: Received | undefined, before: Received | undefined): boolean {
  const { messages, tools } = before?.body ?? {}
  const head = JSON.stringify(messages).slice(0, -1)
  return (
    request?.raw.includes(head) === true &&
    JSON.stringify(request.body.messages).startsWith(head) &&
    JSON.stringify(request.body.tools) === JSON.stringify(tools)
  )
}

test('finds rarely used tools of Anode in the same way', async () => {
  const search = (args: Record<string, unknown>, id: string) => ({ name: 'tool_search', id, args })
  const replies: ServedReply[] = [
    { calls: [search({ query: 'list of tasks' }, 'a'), search({ name: 'read_thread' }, 'b')] },
    { calls: [search({ name: 'task_list', args: { action: 'list' } }, 'c')] },
    { calls: [search({ name: 'task_list', args: { action: 'nope' } }, 'd')] },
    { calls: [{ name: 'todo_read', id: 'e', args: {} }, search({ query: 'weather' }, 'f')] },
    { text: 'done' },
  ]
  const place = await openPlace({ tracker: fake('many', '2'), script: (_, n) => replies[n] ?? { text: '' } })
  try {
    await place.run('go')
    const [first] = place.requests
    const told = toolsOf(first)
    expect(told).toContain('tool_search')
    for (const rare of ['task_list', 'handoff', 'init_experiment', 'render']) {
      expect(told).not.toContain(rare)
      expect(first?.body.messages[0].content).toMatch(new RegExp(`tool_search shows and calls: .*${rare}`))
    }
    const results = resultsIn(place.requests.at(-1))
    expect(results[0]).toMatch(/## task_list\n[\s\S]*args: \{.*"action"/)
    expect(results[1]).toContain('## read_thread')
    expect(results[2]).not.toMatch(/^error/)
    expect(results[3]).toMatch(/^error bad_args.*action/)
    expect(results[4]).toContain('todo list is empty')
    expect(results[5]).toMatch(/no more tool fits "weather"/)
    for (const request of place.requests.slice(1)) expect(repeats(request, first)).toBe(true)
  } finally {
    await place.close()
  }
})

test.each([
  ['20 tools that fit', { tracker: fake('many', '20') }, 21, true],
  ['21 tools', { tracker: fake('many', '21') }, 1, true],
  ['18 tools in a small window', { tracker: fake('many', '18'), window: 8_000 }, 1, true],
  [
    '21 tools of which some are always told',
    { tracker: { ...fake('many', '21'), alwaysLoad: ['*_issue'] } },
    7,
    true,
  ],
  ['21 that are always told', { tracker: { ...fake('many', '21'), alwaysLoad: true } }, 22, true],
  ['21 tools without a search', { tracker: fake('many', '21'), disabled: ['tool_*'] }, 21, false],
] as const)('%s', async (_, settings, told, searches) => {
  const place = await openPlace({ ...settings, script: () => ({ text: 'done' }) })
  try {
    await place.run('go')
    expect(ofTracker(place.requests[0])).toHaveLength(told)
    expect(ofTracker(place.requests[0]).includes('tool_search')).toBe(searches)
  } finally {
    await place.close()
  }
})

function entry(name: string, onDemand?: boolean, origin = 'mcp one'): ListedTool {
  return {
    ...{
      name,
      level: 'auto_read',
      origin: 'native',
      summary: `does ${name}`,
      about: `does ${name}`,
      schema: {},
    },
    ...{ example: {}, spawns: false, hidden: name === 'tool_search' ? 'optional' : undefined },
    ...(onDemand !== undefined && { onDemand, origin }),
    load: () => Promise.reject(new Error('nobody calls it')),
  }
}

test('keeps the listed tools when a server is added later, and defers only the new ones', async () => {
  const early = [entry('read'), entry('tool_search'), entry('mcp__a__x', true)]
  const many = Array.from({ length: 30 }, (_, i) => entry(`mcp__b__y${i}`, i > 0))
  let now: readonly ListedTool[] = early
  const state = createLoadedTools()
  const loading = openToolLoading({
    ...{ all: () => now, window: 100_000, state, profile: { tools: ['*'] } },
    runtime: { context: { loaded: { config: {} } }, catalog: (tools) => createCatalog(tools) },
  })
  const told = () =>
    loading.tools().flatMap(({ name, hidden, deferred }) => (hidden === undefined && !deferred ? [name] : []))
  expect(told()).toEqual(['read', 'mcp__a__x'])
  expect(loading.sections()).toEqual([])
  now = [...early.slice(0, 2), ...many, ...early.slice(2)]
  expect(told()).toEqual(['read', 'mcp__a__x', 'tool_search', 'mcp__b__y0'])
  expect(loading.tools()).toBe(loading.tools())
  const { loaded } = await loading.load({ name: 'y1*' }, never)
  expect(loaded.map(({ name }) => name)).toEqual([
    'mcp__b__y1',
    ...Array.from({ length: 9 }, (_, i) => `mcp__b__y1${i}`),
  ])
  expect(told()).toHaveLength(4)
  await expect(loading.load({ query: 'weather' }, never)).rejects.toThrow('no more tool fits "weather"')
})

test.each([
  [127, 0, 128],
  [149, 0, 128],
  [60, 100, 128],
  [0, 219, 128],
])(
  '%i tools of a server and %i of plugins that are always offered: %i in a request',
  async (server, plugin, max) => {
    const tools = [
      ...[entry('read'), entry('bash'), entry('tool_search')],
      ...Array.from({ length: plugin }, (_, i) => ({ ...entry(`plugin__p__${i}`), origin: 'plugin p' })),
      ...Array.from({ length: server }, (_, i) => entry(`mcp__s__t${i}`, false, 'mcp s')),
    ]
    const loading = openToolLoading({
      ...{ all: () => tools, window: 1_000_000, state: createLoadedTools(), profile: { tools: ['*'] } },
      runtime: { context: { loaded: { config: {} } }, catalog: (all) => createCatalog(all) },
    })
    const shown = loading.tools().filter(({ hidden, deferred }) => hidden === undefined && !deferred)
    expect(shown.length).toBeLessThanOrEqual(max)
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['read', 'bash', 'tool_search']))
    const waiting = loading.tools().filter(({ deferred }) => deferred)
    expect(shown.length + waiting.length).toBe(server + plugin + 3)
    const section = loading.sections().join('\n')
    for (const { name } of waiting) expect(section).toContain(name.replace(/^mcp__s__/, ''))
    expect(loading.notes().join()).toContain(`${waiting.length} tools wait behind tool_search`)
    const { loaded } = await loading.load({ name: waiting.at(-1)?.name ?? '' }, never)
    expect(loaded).toHaveLength(1)
  },
)
