// Flags, fields and names of other programs: accepted, or rejected with the equivalent.
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put('replies.jsonl', '{"text":"It is done."}\n')
})
afterEach(() => at.remove())

const model = () => ['--model', `script:${join(at.dir, 'replies.jsonl')}`]
const events = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; status?: string; payload: Record<string, unknown> })

it('the first event has the fields that other readers look for', async () => {
  const { out } = await at.anode(['execute', 'Do it', ...model(), '--output', 'stream-json'])
  const [first] = events(out)
  expect(first).toMatchObject({
    type: 'system.init',
    status: 'started',
    payload: { profile_name: 'craft', profile: 'craft', permission: 'ask', web_enabled: true },
  })
  expect(first?.payload.active_model).toBe(first?.payload.model)
})

it('a run is followed as JSON lines, and a list of runs has a limit', async () => {
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const { out } = await at.anode(['runs', 'start', `Task ${i}`, ...model()])
    ids.push(out.trim())
    const followed = await at.anode(['attach', out.trim(), '--stream-json'])
    expect(events(followed.out).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['system.init', 'message', 'run.ended']),
    )
    expect(followed.code).toBe(0)
  }
  const listed = await at.anode(['runs', 'list', '--limit', '1', '--json'])
  expect(JSON.parse(listed.out)).toMatchObject([{ thread: ids[1] }])
})

it.each([
  [['runs', 'start', 'x', '--max-turns', '3'], 'a profile with maxTurns'],
  [['runs', 'start', 'x', '--run-label', 'a'], 'anode execute --run-label'],
  [['runs', 'start', 'x', '--daemon'], 'every run has its own process'],
  [['daemon'], 'anode serve'],
  [['fix', 'the', 'test', '--model', 'a/b'], 'did you mean anode execute "fix the test" --model a/b?'],
  [['fix', '--model', 'a/b'], 'did you mean anode execute "fix" --model a/b?'],
])('%j is rejected with the equivalent', async (words, hint) => {
  const { code, err } = await at.anode(words)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(hint) })
})

it('the variable that opens servers of skills says so of others', async () => {
  at.put('.mcp.json', '{"mcpServers":{"e":{"command":"node","args":["x.js"]}}}')
  const closed = await at.anode(['mcp', 'list'])
  expect(closed.err).toMatch(/\.mcp\.json is ignored until `anode trust`\n/)
  const open = await at.anode(['mcp', 'list'], { env: { ANODE_ENABLE_WORKSPACE_MCP: '1' } })
  expect(open.err).toContain('ANODE_ENABLE_WORKSPACE_MCP opens servers of skills only')
})

it.each([
  [
    ['tools', 'use', 'find_thread', '--json', '{"query":"x","source":"cloud"}'],
    2,
    'unknown thread source "cloud"',
  ],
  [['tools', 'use', 'read_thread', '--json', '{"thread_id":"x","source":"cloud"}'], 2, 'Use local or all.'],
  [
    ['tools', 'use', 'find_thread', '--json', '{"query":"x","source":"all"}'],
    4,
    'reads threads of other workspaces',
  ],
  [['tools', 'use', 'skill', '--json', '{"name":"x"}'], 4, 'loads instructions for the model'],
  [['config', 'set', 'toolset', 'nope'], 2, 'unknown toolset nope'],
  [['config', 'set', 'permissions', '[{"tool":"bahs","action":"deny"}]'], 2, 'unknown tool "bahs"'],
])('%j exits with %i and says why', async (words, code, why) => {
  const done = await at.anode(words)
  expect({ code: done.code, said: done.out + done.err }).toEqual({ code, said: expect.stringContaining(why) })
  // nothing was written that stops the next command
  expect((await at.anode(['tools', 'list'])).code).toBe(0)
})

it('a glob over tools of servers may match none, and a run that is over is not cancelled', async () => {
  const ran = await at.anode([
    'execute',
    'Do it',
    ...model(),
    '--allow-tool',
    'mcp__*',
    '--allow-tool',
    'read',
  ])
  expect(ran.code).toBe(0)
  const { out } = await at.anode(['runs', 'start', 'Do it', ...model()])
  await at.anode(['attach', out.trim()])
  expect((await at.anode(['runs', 'cancel', 'last'])).out).toContain('had ended already')
})

it('receipts name the exit of each command of a batch', async () => {
  const commands = ['echo a', 'false']
  const calls = [{ name: 'shell', args: { command: commands, ignore_errors: true } }]
  at.put('replies.jsonl', `${JSON.stringify({ calls })}\n{"text":"done"}\n`)
  const words = ['--toolset', 'hooman', '--approval', 'unrestricted']
  const { err } = await at.anode(['execute', 'Do it', ...model(), ...words])
  expect(err).toContain('ran echo a (exit 0)')
  expect(err).toContain('ran false (exit 1)')
})
