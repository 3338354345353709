// Toolsets through the built program: whole runs with other tool names, and the modules that a start without
// a toolset loads.
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const run = (toolset: string, script: string, ...more: string[]) => {
  copyFileSync(join(root, 'test/fixtures/scripts', script), join(at.dir, 'replies.jsonl'))
  const words = ['--model', 'script:replies.jsonl', '--toolset', toolset, '--approval', 'yolo']
  return at.anode(['execute', ...words, 'x', ...more])
}

it.each([
  ['hooman', 'write_file'],
  ['ah', 'write'],
  ['researchharness', 'Write'],
])('a whole run under %s', async (toolset, first) => {
  const { code, out } = await run(toolset, `toolset-${toolset}.jsonl`, '--stream-json')
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const results = events.filter(({ type }) => type === 'tool.result')
  expect(results.filter(({ payload }) => payload.ok === false || payload.failed)).toEqual([])
  expect(events.find(({ type }) => type === 'system.init').payload).toMatchObject({ toolset })
  // records contain the native call and the name that the model used
  expect(events.find(({ type }) => type === 'tool.call').payload).toMatchObject({
    tool: 'create_file',
    face: `${toolset}/${first}`,
  })
  expect(out).toContain('zwei')
  expect(existsSync(join(at.dir, 'demo'))).toBe(false)
})

it('a whole run with swarmie: its three tools next to the tools of Anode', async () => {
  const { code, out } = await run('swarmie', 'toolset-swarmie.jsonl', '--stream-json')
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (type: string) => events.filter((event) => event.type === type).map(({ payload }) => payload)
  expect(of('tool.result').filter(({ ok }) => ok !== true)).toEqual([])
  const adapters = of('tool.call').map(({ tool, face: adapter }) => `${tool} ${adapter ?? '-'}`)
  expect(adapters).toEqual([
    ...['create_file -', 'ask_user swarmie/question', 'cron swarmie/cron', 'branch swarmie/branch'],
    ...['cron swarmie/cron', 'bash -'],
  ])
  expect(out).toContain('It holds one and zwei.')
  expect(existsSync(join(at.dir, 'demo'))).toBe(false)
})

it.each([
  ['subagent_research', 'find'],
  ['subagent_review', 'review'],
  ['subagent_test_investigator', 'study'],
])('%s is a read-only subagent with the profile %s', async (name, profile) => {
  at.put('README.md', '# R\n')
  const calls = (tool: string, args: object) => ({ calls: [{ name: tool, args }] })
  const replies = [
    calls(name, { query: 'Which title?' }),
    calls('read_file', { path: 'README.md' }),
    calls('write_file', { path: 'x', content: '' }),
    { text: 'It is R.' },
    { text: 'end' },
  ]
  at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const words = ['--model', 'script:replies.jsonl', '--toolset', 'hooman', '--approval', 'yolo']
  const { out } = await at.anode(['execute', ...words, 'x', '--stream-json'])
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.find(({ type }) => type === 'child.started').payload).toMatchObject({ profile })
  const result = events.find(({ type }) => type === 'tool.result').payload
  expect(result).toMatchObject({ tool: 'task', face: `hooman/${name}`, ok: true })
  expect(result.text).toMatch(/^It is R\.\n.*read: README\.md/s)
  expect(existsSync(join(at.dir, 'x'))).toBe(false)
})

it('the stream contains the data of every result: totals, and specs that are drawn again', async () => {
  at.put('a.txt', 'one\n')
  at.put('b.txt', 'two\n')
  const spec = { root: 'a', elements: { a: { type: 'Badge', props: { label: 'ok' } } } }
  const calls = [
    { name: 'finder', args: { mode: 'files', query: 'txt', limit: 1 } },
    { name: 'render', args: spec },
    { name: 'chart', args: { data: { p50: 12, p95: 45 } } },
  ]
  at.put('replies.jsonl', `${JSON.stringify({ calls })}\n{"text":"end"}`)
  const words = ['execute', '--profile', 'craft', '--model', 'script:replies.jsonl', 'x', '--stream-json']
  const { out } = await at.anode(words)
  const events = out.trim().split('\n')
  const results = events.map((line) => JSON.parse(line)).filter(({ type }) => type === 'tool.result')
  const data = Object.fromEntries(results.map(({ payload }) => [payload.tool, payload.data]))
  expect(data).toMatchObject({
    finder: { mode: 'files', total: 2, truncated: true, results: [{ path: 'a.txt' }] },
    render: { render_spec: spec, errors: [] },
    chart: {
      points: [{ label: 'p50', value: 12 }, { label: 'p95' }],
      render_spec: { root: expect.any(String) },
    },
  })
})

it('the error of a denied URL suggests a rule with the name of the tool in rules', async () => {
  const words = ['tools', 'use', 'fetch', '--toolset', 'hooman', '--arg', 'url=http://127.0.0.1:9/x']
  const { code, out, err } = await at.anode(words)
  expect(code).toBe(1)
  expect(out + err).toContain('{"tool":"web_fetch","host":"127.0.0.1","action":"allow"}')
})

it('explains a name of a toolset that is used with the native tools', async () => {
  at.put('replies.jsonl', `${JSON.stringify({ calls: [{ name: 'read_file', args: {} }] })}\n{"text":"end"}`)
  const { out } = await at.anode(['execute', '--model', 'script:replies.jsonl', 'x', '--stream-json'])
  expect(out).toContain('read_file is a tool of the toolset hooman; here read does it')
})

it('a thread keeps its toolset', async () => {
  const first = await run('ah', 'toolset-ah.jsonl', '--json')
  const { thread } = JSON.parse(first.out)
  const words = ['execute', '--model', 'script:replies.jsonl', '--resume', thread, 'again']
  expect((await at.anode([...words, '--toolset', 'hooman'])).code).toBe(2)
})

it('rejects an unknown set', async () => {
  const { code, err } = await at.anode(['execute', '--toolset', 'ha', 'x', '--model', 'script:none'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('unknown toolset ha') })
})

it('shows the native tool of an adapter without activating its toolset', async () => {
  const { out } = await at.anode(['tools', 'show', 'hooman/edit_file'])
  expect(out).toMatch(/^hooman\/edit_file {2}confirm_write {2}adapter of edit_file\n/)
  for (const line of [
    /^edits\[\]\.old +edits\[\]\.oldText$/m,
    /^match +"unescape", always$/m,
    /^dry_run +dry_run, else false$/m,
    /^ +TOOL: \{"name":"edit_file"/m,
    /^ +anode tools use hooman\/edit_file --json /m,
  ])
    expect(out).toMatch(line)
})

it('lists all toolsets', async () => {
  const { out } = await at.anode(['tools', 'toolsets', '--json'])
  const sets = JSON.parse(out) as { name: string; tools: string[] }[]
  expect(sets.map(({ name, tools }) => [name, tools.length])).toEqual([
    ['anode', expect.any(Number)],
    ['hooman', 24],
    ['ah', 4],
    ['researchharness', 17],
    ['swarmie', expect.any(Number)],
  ])
  expect(readFileSync(join(root, 'manual/toolsets/index.md'), 'utf8')).toContain('[hooman](hooman.md)')
})
