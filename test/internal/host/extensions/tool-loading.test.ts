// Conversations with more tools of servers than fit: searched for, told from then on, and so again when they go on.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLoadedTools, openToolLoading } from '../../../../internal/host/extensions/tool-loading.ts'
import { runHeadless } from '../../../../internal/host/run/headless-run.ts'
import type { McpServerSettings } from '../../../../internal/mcp/config/server-config.ts'
import { createCatalog, type ListedTool } from '../../../../internal/tool/catalog.ts'
import { fake } from '../../../support/mcp.ts'
import { type Received, type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

interface TrackerRun {
  tracker: McpServerSettings
  window?: number
  disabled?: readonly string[]
  script(request: Received, n: number): ServedReply
}

/** A place with a tracker among its servers; each run goes against the same model. */
async function openPlace({ tracker, window = 200_000, disabled = [], script }: TrackerRun) {
  const server = await serveModel(script)
  const providers = { openai: { baseUrl: server.url, apiKey: 'k', apiFormat: 'chat', window } }
  const config = { model: 'openai/any', providers, tools: { disabled } }
  const cwd = scratchWith({
    'config/anode/config.json': JSON.stringify(config),
    'config/anode/mcp.json': JSON.stringify({ mcpServers: { tracker } }),
  })
  const env = { PATH: process.env.PATH, HOME: cwd, ANODE_DATA_DIR: cwd, XDG_CONFIG_HOME: join(cwd, 'config') }
  return {
    requests: server.requests,
    run: (prompt: string, resume?: { thread: string; fork: boolean }) =>
      runHeadless({
        ...{ cwd, env, prompt, maxTurns: 20, caps: {}, addDirs: [], terminal: undefined },
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

test('of 60 tools those are told that were searched for, at the end, in children and after a resume too', async () => {
  const search = (args: Record<string, string>, id: string) => ({ name: 'tool_search', id, args })
  const replies: ServedReply[] = [
    { calls: [{ name: 'mcp__tracker__create_issue', id: 'a', args: { message: 'early' } }] },
    { calls: [search({ query: 'create an issue' }, 'b'), search({ name: 'get_team' }, 'c')] },
    { calls: [{ name: 'mcp__tracker__create_issue', id: 'd', args: { message: 'now' } }] },
    { calls: [{ name: 'task', id: 'e', args: { goal: 'the child looks' } }] },
    { calls: [search({ name: 'tracker__close_label' }, 'f'), search({ query: 'secret' }, 'g')] },
    { calls: [{ name: 'mcp__tracker__list_secret', id: 'h', args: { message: 'child' } }] },
    { text: 'looked' },
    { text: 'done' },
    { text: 'again' },
  ]
  const place = await openPlace({ tracker: fake('many', '60'), script: (_, n) => replies[n] ?? { text: '' } })
  try {
    const { thread, end } = await place.run('go')
    expect(end).toMatchObject({ end: 'done' })
    const [first, second, third, fourth, child, , childLast, last] = place.requests
    expect(ofTracker(first)).toEqual(['tool_search'])
    expect(first?.body.messages[0].content).toContain('mcp__tracker__*: create_issue, list_issue')
    // a guess is told what to do first, and what is searched for twice is told once
    expect(resultsIn(second)[0]).toMatch(/tool_search with its name loads it/)
    expect(ofTracker(third)?.[0]).toBe('tool_search')
    expect(ofTracker(third)?.slice(1)).toContain('mcp__tracker__create_issue')
    expect(ofTracker(third)).toContain('mcp__tracker__get_team')
    expect(resultsIn(fourth).at(-1)).toContain('Echo: now')
    // tools and the prompt before stay to the letter
    const wordsOf = (request: Received | undefined) => JSON.stringify(request?.body.messages[0])
    expect(JSON.stringify(third?.body.tools).startsWith(JSON.stringify(first?.body.tools).slice(0, -1))).toBe(
      true,
    )
    expect(wordsOf(last)).toBe(wordsOf(first))
    // a child searches for itself
    expect(ofTracker(child)).toEqual(['tool_search'])
    expect(ofTracker(childLast)).toContain('mcp__tracker__list_secret')
    expect(resultsIn(childLast).at(-1)).toContain('Echo: child')
    expect(toolsOf(last)).toEqual(toolsOf(third))

    await place.run('once more', { thread, fork: false })
    expect(toolsOf(place.requests.at(-1))).toEqual(toolsOf(third))
  } finally {
    await place.close()
  }
})

test.each([
  ['20 tools that fit', { tracker: fake('many', '20') }, 20, false],
  ['21 tools', { tracker: fake('many', '21') }, 1, true],
  ['18 tools in a small window', { tracker: fake('many', '18'), window: 8_000 }, 1, true],
  [
    '21 tools of which some are always told',
    { tracker: { ...fake('many', '21'), alwaysLoad: ['*_issue'] } },
    7,
    true,
  ],
  ['21 that are always told', { tracker: { ...fake('many', '21'), alwaysLoad: true } }, 21, false],
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

test('what was told stays where a server comes later, and only the new is searched for', async () => {
  const entry = (name: string, onDemand?: boolean): ListedTool => ({
    ...{
      name,
      level: 'auto_read',
      origin: 'native',
      summary: `does ${name}`,
      about: `does ${name}`,
      schema: {},
    },
    ...{ example: {}, spawns: false, hidden: name === 'tool_search' ? 'optional' : undefined },
    ...(onDemand !== undefined && { onDemand, origin: 'mcp one' }),
    load: () => Promise.reject(new Error('nobody calls it')),
  })
  const early = [entry('read'), entry('tool_search'), entry('mcp__a__x', true)]
  const many = Array.from({ length: 30 }, (_, i) => entry(`mcp__b__y${i}`, i > 0))
  let now: readonly ListedTool[] = early
  const state = createLoadedTools()
  const loading = openToolLoading({
    ...{ all: () => now, window: 100_000, state, profile: { tools: ['*'] } },
    runtime: { context: { loaded: { config: {} } }, catalog: (tools) => createCatalog(tools) },
  })
  const told = () => loading.tools().flatMap(({ name, hidden }) => (hidden === undefined ? [name] : []))
  expect(told()).toEqual(['read', 'mcp__a__x'])
  expect(loading.sections()).toEqual([])
  now = [...early.slice(0, 2), ...many, ...early.slice(2)]
  expect(told()).toEqual(['read', 'mcp__a__x', 'tool_search', 'mcp__b__y0'])
  expect(loading.tools()).toBe(loading.tools())
  await loading.load({ name: 'y1*' })
  expect(told().slice(4)).toEqual(['mcp__b__y1', ...Array.from({ length: 9 }, (_, i) => `mcp__b__y1${i}`)])
  await expect(loading.load({ query: 'weather' })).rejects.toThrow('no tool of a server fits "weather"')
})
