// finder: its four modes, and its fallback without a subagent.
import { expect, test } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import type { EventDraft } from '../../../../internal/event/event.ts'
import type { AgentSpawner, SpawnRequest, SpawnResult } from '../../../../internal/tool/agents.ts'
import { finder } from '../../../../internal/tools/search/finder.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const dir = plant({
  'src/server.go': 'package main\n\nfunc NewServer(addr string) *Server {\n\treturn nil\n}\n',
  'src/client.go': 'package main\n\nvar s = NewServer("x")\n',
  'docs/newserver.md': 'How NewServer works\n',
  '.env': 'NewServer=1\n',
})
const ctx = ctxWith({ processes: { run } }, { cwd: dir })
const find = (args: Record<string, unknown>, using = ctx) => call(finder, args, using)
const data = async (args: Record<string, unknown>, using = ctx) =>
  (await find(args, using)).data as Record<string, unknown>

test('uses the mode text by default', async () => {
  const { text } = await find({ query: 'func NewServer', glob: '*.go' })
  expect(text).toBe('src/server.go:3:func NewServer(addr string) *Server {')
  expect(await data({ query: 'NewServer' })).toMatchObject({ mode: 'text', engine: 'ripgrep', total: 3 })
  expect(await data({ query: 'newserver', case_sensitive: true })).toMatchObject({ total: 0, results: [] })
})

test('mode files finds a file by the letters of its name', async () => {
  expect(await data({ mode: 'files', query: 'srvgo' })).toMatchObject({
    results: [{ path: 'src/server.go' }],
  })
  expect(await data({ mode: 'files' })).toMatchObject({ total: 3, truncated: false })
  expect(await data({ mode: 'file', query: 'NewServer', case_sensitive: true })).toMatchObject({ total: 0 })
})

test('mode symbols finds a definition', async () => {
  const found = await data({ mode: 'symbols', query: 'NewServer' })
  expect(found).toMatchObject({ results: [{ path: 'src/server.go', line: 3, name: 'NewServer' }] })
  expect(['ctags', 'regex']).toContain(found.engine)
})

test.each([
  [{ mode: 'text', query: 'NewServer' }, 3],
  [{ mode: 'files' }, 3],
  [{ mode: 'symbols', query: 'e' }, undefined],
])('%j: a limit cuts the results, never the total', async (args, total) => {
  const all = await data({ ...args, limit: 50 })
  const one = await find({ ...args, limit: 1 })
  expect(all).toMatchObject({ total: total ?? (all.results as unknown[]).length, truncated: false })
  expect(one.data).toMatchObject({ total: all.total, truncated: (all.total as number) > 1 })
  expect((one.data as { results: unknown[] }).results).toHaveLength(1)
  if ((all.total as number) > 1) expect(one.text).toContain(`of ${all.total}`)
})

test('returns passages with their position, text and contents', async () => {
  const { text, data } = await find({ mode: 'passage', query: 'How does NewServer work?' })
  expect(text).toContain('docs/newserver.md:1-1  (prose; score ')
  expect(text).toContain('\n1\tHow NewServer works')
  expect(text).toContain('[read 3 files, 1 kB]')
  const { results, coverage } = data as { results: object[]; coverage: object }
  expect(results[0]).toMatchObject({ path: 'docs/newserver.md', line: 1, end_line: 1, kind: 'prose' })
  expect(coverage).toMatchObject({ share: 1, missing: [] })
})

test('a model gets positions, titles and lines, without scores and counts', async () => {
  const query = 'How does NewServer work with Kafka?'
  const model = ctxWith({ processes: { run } }, { cwd: dir, agent: { resultRoom: 60_000 } })
  const { text, data } = await find({ mode: 'passage', query }, model)
  expect(text.split('\n').slice(0, 2)).toEqual(['docs/newserver.md:1-1', '1\tHow NewServer works'])
  expect(text).not.toMatch(/score|coverage|best \d|part \d|read \d/)
  expect(text).toContain('[no passage contains "Kafka"]')
  const direct = await find({ mode: 'passage', query })
  expect(text.length).toBeLessThan(direct.text.length)
  const { read: _, ...known } = data as Record<string, unknown>
  expect(direct.data).toMatchObject(known)
})

test('reports the progress of a passage search', async () => {
  const drafts: EventDraft[] = []
  const log = { append: async (draft: EventDraft) => void drafts.push(draft), keep: async () => '' }
  await find({ mode: 'passage', query: 'NewServer' }, ctxWith({ processes: { run } }, { cwd: dir, log }))
  const far = drafts.flatMap((draft) => (draft.type === 'tool.progress' ? [draft.payload] : []))
  expect(far[0]).toMatchObject({ tool: 'finder', progress: 0, total: 3, message: 'files' })
})

test('returns passages below a directory, with the shown lines as evidence', async () => {
  const { data, text } = await find({ mode: 'passage', query: 'NewServer addr', path: 'src', limit: 1 })
  expect(await finder.evidence?.(data, text)).toEqual([
    {
      canonical: 'src/server.go',
      locator: '1-5',
      excerpt: 'package main\n\nfunc NewServer(addr string) *Server {\n\treturn nil\n}',
    },
  ])
})

test('reports that a question has no match', async () => {
  const { text } = await find({ mode: 'passage', query: 'Which zebras migrate to Kafka?' })
  expect(text).toContain('no passage contains a word of "Which zebras migrate to Kafka?"')
  expect(text).toContain('no passage contains "zebras" or "migrate" or "Kafka"')
})

test.each([
  [{ mode: 'text' }, 'bad_args'],
  [{ mode: 'passage' }, 'bad_args'],
  [{ mode: 'symbols', query: '  ' }, 'bad_args'],
  [{ mode: 'agent' }, 'bad_args'],
  [{ query: 'a\0b' }, 'bad_args'],
  [{ query: 'x', glob: '[' }, 'bad_args'],
  [{ query: 'x', path: '/etc' }, 'outside_workspace'],
  [{ query: 'x', path: 'nowhere' }, 'not_found'],
])('%j fails with %s', async (args, code) => {
  expect((await find(args)).failed?.code).toBe(code)
})

test('reports that nothing was found, and that hidden files are skipped', async () => {
  expect((await find({ query: 'absent', path: 'src' })).text).toBe(
    'nothing fits "absent" in src\nhidden files are skipped: to search them, name one in path or glob',
  )
})

test.each(['text', 'files', 'symbols', 'passage'])(
  '%s explains brackets in a glob that finds nothing',
  async (mode) => {
    expect((await find({ query: 'absent', mode, glob: 'app/[id]/*.ts' })).text).toContain('set of characters')
  },
)

test('agent without a spawner searches for the words and reports it', async () => {
  const { text, data } = await find({ mode: 'agent', query: 'where is a NewServer made?' })
  expect(data).toMatchObject({
    mode: 'agent',
    agent_fallback: true,
    reason: 'no agent can be started from here',
  })
  expect(text).toContain('src/server.go:3')
  expect(text).toContain('[no agent can be started from here; this is a text search instead]')
})

const end: SpawnResult = {
  ...{
    end: 'done',
    reason: undefined,
    text: 'src/server.go:3 NewServer',
    thread: 't',
    turns: 1,
    calls: 1,
    tokens: 5,
  },
  ...{ receipts: { read: [], changed: [], commands: [] }, usd: 0, ms: 1 },
}
const withSpawn = (spawn: AgentSpawner) => ctxWith({ processes: { run }, agents: { spawn } }, { cwd: dir })

test('agent asks a read-only subagent', async () => {
  const orders: SpawnRequest[] = []
  const using = withSpawn(async (order) => {
    orders.push(order)
    return end
  })
  const { text, data } = await find(
    { mode: 'agent', query: 'who makes servers?', path: 'src', glob: '*.go' },
    using,
  )
  expect(text).toBe('src/server.go:3 NewServer')
  expect(data).toMatchObject({ agent_fallback: false, thread: 't' })
  expect(orders[0]).toMatchObject({ readOnly: true })
  expect(orders[0]?.goal).toContain(
    'who makes servers?\nLook only below src.\nLook only at files that match *.go.',
  )
})

test.each([
  ['no answer', async () => ({ ...end, text: ' ' }), /ended with done/],
  ['a limit', async () => ({ ...end, end: 'limit' as const, reason: 'turns' }), /ended with limit \(turns\)/],
  ['no model', async () => Promise.reject(new UserError('no model is configured')), /no model is configured/],
])('agent with %s falls back', async (_, spawn, reason) => {
  const { data } = await find({ mode: 'agent', query: 'NewServer' }, withSpawn(spawn))
  expect(data).toMatchObject({ agent_fallback: true, reason: expect.stringMatching(reason) })
})

test('only a question to an agent starts an agent', () => {
  const effect = (mode: 'text' | 'agent') =>
    finder.effect?.({ mode, path: '.', limit: 50, case_sensitive: false, query: 'x', glob: undefined })
  expect([effect('text'), effect('agent')]).toEqual(['read', 'spawn'])
})
