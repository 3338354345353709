// MCP servers through the built program: trust, laziness, approval, runs, prompts, mentions, skills.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { McpServerSettings } from '../../internal/mcp/config/server-config.ts'
import { grantTrust } from '../../internal/trust/trust.ts'
import { type World, world } from '../support/anode.ts'
import { eventsOf, ofType } from '../support/events.ts'
import { fake } from '../support/mcp.ts'
import { quoteWord } from '../support/shell-word.ts'
import { typed } from '../support/typed.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const own = (mcpServers: Readonly<Record<string, McpServerSettings>>) =>
  at.put('../.config/anode/mcp.json', JSON.stringify({ mcpServers }))
const script = (...replies: object[]) =>
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
const calls = (name: string, args: object) => ({ calls: [{ name, args }] })
const run = (words: readonly string[], approval = 'unrestricted', env: Record<string, string> = {}) =>
  at.anode(['execute', '--model', 'script:../replies.jsonl', '--approval', approval, ...words], { env })
/** Returns a server that writes a line to a file when it starts, so that a test sees the start. */
const seen = (path: string, ...rest: string[]): McpServerSettings => ({
  command: 'bash',
  args: [
    '-c',
    `echo up >> ${quoteWord(path)}; exec "$@"`,
    'x',
    fake('none').command ?? '',
    ...(fake('none').args ?? []),
    ...rest,
  ],
})

/** Returns the same server as a workspace may define it: in a sandbox that can write the file. */
const brought = (path: string, ...rest: string[]): McpServerSettings => ({
  ...seen(path, ...rest),
  sandbox: { write: [dirname(path)] },
})

test('starts nothing of a workspace before trust, and asks again for a changed command', async () => {
  const up = join(at.dir, '..', 'up')
  at.put('.mcp.json', JSON.stringify({ mcpServers: { its: brought(up) } }))
  at.put('anode.json', JSON.stringify({ mcpServers: { also: brought(up) } }))
  const before = await at.anode(['tools', 'list'])
  expect(before.out).not.toContain('mcp__')
  expect(before.err).toMatch(/\.mcp\.json is ignored until `anode trust`/)
  script(calls('mcp__its__echo', { message: 'x' }), { text: 'done' })
  await run(['go'])
  await at.anode(['mcp', 'tools'])
  await at.anode(['doctor'])
  expect(existsSync(up)).toBe(false)

  await grantTrust(at.dir, at.data)
  expect((await at.anode(['tools', 'list'])).out).toMatch(/mcp__also__echo[\s\S]*mcp__its__echo/)
  const starts = readFileSync(up, 'utf8')
  at.put('.mcp.json', JSON.stringify({ mcpServers: { its: brought(up, 'changed') } }))
  const after = await at.anode(['tools', 'list'])
  expect(after.out).not.toContain('mcp__')
  await run(['go'])
  expect(readFileSync(up, 'utf8')).toBe(starts)
})

test('a workspace cannot take the name of a server of the user', async () => {
  const up = join(at.dir, '..', 'up')
  own({ mine: fake('none') })
  at.put('.mcp.json', JSON.stringify({ mcpServers: { mine: seen(up) } }))
  await grantTrust(at.dir, at.data)
  const use = ['tools', 'use', 'mcp__mine__echo', '--arg', 'message=hi', '--allow-non-read']
  expect(await at.anode(use)).toMatchObject({ code: 0, out: 'Echo: hi\n' })
  expect((await at.anode(['tools', 'list'])).err).toMatch(/MCP server mine .*has one of this name already/)
  expect(existsSync(up)).toBe(false)
})

test('a direct call of a native tool reads neither servers nor their configuration file', async () => {
  at.put('a.txt', 'hello\n')
  at.put('../.config/anode/mcp.json', 'this is no JSON')
  const { out, err } = await at.anode(['tools', 'use', 'read', '--arg', 'path=a.txt'])
  expect([out, err]).toEqual(['1\thello\n', ''])
  expect((await at.anode(['tools', 'list'])).err).toMatch(/mcp\.json: not valid JSON/)
})

test('lists ten servers once from their processes, then from their stored answers', async () => {
  const up = join(at.dir, '..', 'up')
  own(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`s${i}`, seen(up)])))
  expect((await at.anode(['tools', 'list'])).out.match(/mcp__s\d__echo/g)).toHaveLength(10)
  expect((await at.anode(['tools', 'list'])).out.match(/mcp__s\d__echo/g)).toHaveLength(10)
  expect(readFileSync(up, 'utf8').trim().split('\n')).toHaveLength(10)
  const use = ['tools', 'use', 'mcp__s3__echo', '--arg', 'message=hi']
  expect((await at.anode(use)).code).toBe(4)
  expect(await at.anode([...use, '--allow-non-read'])).toMatchObject({ code: 0, out: 'Echo: hi\n' })
  expect(readFileSync(up, 'utf8').trim().split('\n')).toHaveLength(11)
})

test('list, show, tools and approve work', async () => {
  own({ good: fake('none'), crash: fake('crash') })
  const tools = await at.anode(['mcp', 'tools'])
  expect(tools.code).toBe(1)
  expect(tools.out).toContain('mcp__good__echo')
  expect(tools.err).toMatch(/crash: .*no licence found/s)
  const states = JSON.parse((await at.anode(['mcp', 'list', '--json'])).out)
  expect(states.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['good', 'ready'],
    ['crash', 'failed'],
  ])
  const { out } = await at.anode(['mcp', 'show', 'good'])
  for (const part of ['echo', '/good:greet', 'who [how]', '@good:note://one']) expect(out).toContain(part)
  own({ good: fake('none', 'more'), crash: fake('crash') })
  expect((await at.anode(['mcp', 'list'])).out).toMatch(/good +user +changed/)
  expect((await at.anode(['doctor'])).out).toMatch(/mcp good +broken/)
  expect(await at.anode(['mcp', 'approve', 'good'])).toMatchObject({ code: 4, out: '' })
  expect((await typed(at, ['mcp', 'approve', 'good'], 'no')).screen).toContain('nothing was changed, because')
  expect((await at.anode(['mcp', 'list'])).out).toMatch(/good +user +changed/)
  expect((await typed(at, ['mcp', 'approve', 'good'], 'yes')).screen).toMatch(/^approved /m)
  expect((await at.anode(['mcp', 'tools', 'good'])).code).toBe(0)
  expect((await at.anode(['mcp', 'show', 'god'])).err).toMatch(/unknown MCP server god\nnearest: good/)
  expect((await at.anode(['mcp', 'login', 'good'])).err).toMatch(/takes no login/)
})

test('applies levels in a run, shows progress without storing it, and rejects hidden tools', async () => {
  own({ slow: fake('progress'), good: fake('none') })
  script(
    calls('mcp__slow__echo', { message: 'x' }),
    calls('mcp__good__nothing', {}),
    calls('mcp__good__echo', {}),
    { text: 'done' },
  )
  const events = eventsOf((await run(['go', '--stream-json'])).out)
  expect(ofType(events, 'tool.progress').map(({ payload }) => payload.progress)).toEqual([1, 2, 3])
  const results = ofType(events, 'tool.result').map(({ payload }) => payload.code ?? payload.text)
  expect(results).toEqual(['done', 'unknown_tool', 'bad_args'])
  const { out } = await at.anode(['threads', 'export', 'last', '--format', 'jsonl'])
  expect(out).not.toContain('tool.progress')
  script(calls('mcp__good__echo', { message: 'x' }), { text: 'done' })
  const asked = eventsOf((await run(['go', '--stream-json'], 'ask')).out)
  expect(ofType(asked, 'tool.result').map(({ payload }) => payload.code)).toEqual(['denied'])
})

test('a tool that a server adds during the run needs approval by the user', async () => {
  own({ grow: fake('grow') })
  script(
    calls('mcp__grow__echo', { message: 'x' }),
    calls('bash', { command: 'sleep 1' }),
    calls('mcp__grow__second', { message: 'x' }),
    { text: 'done' },
  )
  const results = ofType(eventsOf((await run(['go', '--stream-json'])).out), 'tool.result')
  expect(results.map(({ payload }) => payload.ok)).toEqual([true, true, false])
  expect((await at.anode(['mcp', 'list'])).out).toMatch(/grow +user +changed +no longer as approved: second/)
  expect((await typed(at, ['mcp', 'approve', 'grow'], 'yes')).screen).toContain('new or changed: second')
  expect((await at.anode(['mcp', 'list'])).out).toMatch(/grow +user +ready/)
})

test('offers prompts as commands, and resources as mentions and for reading', async () => {
  own({ good: fake('none') })
  script({ text: 'done' })
  const said = async (words: string) => {
    const events = ofType(eventsOf((await run([words, '--stream-json'])).out), 'message')
    return events.filter(({ payload }) => payload.role === 'user').map(({ payload }) => payload.text)
  }
  expect(await said('/good:greet Ada how=kindly')).toEqual(['Greet Ada, kindly'])
  expect(await said('see @good:note://one, please')).toEqual([
    '[resource @good:note://one]\nthe first note',
    'see @good:note://one, please',
  ])
  expect(await said('/usr/bin:x is a path and me@nobody:x://y or @no:b:dy nobody')).toEqual([
    '/usr/bin:x is a path and me@nobody:x://y or @no:b:dy nobody',
  ])
  expect(await run(['/good:greet'])).toMatchObject({ code: 2, err: expect.stringMatching(/greet needs who/) })
  expect(await run(['/good:gret x'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/did you mean greet/),
  })
  const read = await at.anode(['tools', 'use', 'read', '--arg', 'path=@good:note://one'])
  expect(read).toMatchObject({ code: 0, out: 'the first note\n' })
  const none = await at.anode(['tools', 'use', 'read', '--arg', 'path=@none:note://one'])
  expect(none).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not_found: unknown MCP server none/),
  })
})

test('an environment variable lets no skill of an untrusted workspace start a server', async () => {
  const up = join(at.dir, '..', 'up')
  const mcp = JSON.stringify({ helper: seen(up) })
  at.put('.anode/skills/its/SKILL.md', `---\nname: its\ndescription: Its\nmcp: ${mcp}\n---\nUse it.\n`)
  const env = { ANODE_ENABLE_WORKSPACE_MCP: '1' }
  script(calls('skill', { name: 'its' }), calls('mcp__its_helper__echo', { message: 'hi' }), { text: 'done' })
  const loads = async () =>
    ofType(eventsOf((await run(['go', '--stream-json'], 'unrestricted', env)).out), 'tool.result').map(
      ({ payload }) => payload.ok,
    )
  expect(await loads()).toEqual([false, false])
  expect(existsSync(up)).toBe(false)
  await grantTrust(at.dir, at.data)
  expect(await loads()).toEqual([true, true])
})

test('starts servers of a skill when it is loaded, in a trusted workspace or if skills may start servers', async () => {
  const up = join(at.dir, '..', 'up')
  const mcp = JSON.stringify({ helper: seen(up) })
  const text = `---\nname: helping\ndescription: Helps\nmcp: ${mcp}\n---\nUse the helper.\n`
  at.put('../.config/anode/skills/helping/SKILL.md', text)
  script(calls('skill', { name: 'helping' }), calls('mcp__helping_helper__echo', { message: 'hi' }), {
    text: 'done',
  })
  const results = async (env = {}) =>
    ofType(eventsOf((await run(['go', '--stream-json'], 'unrestricted', env)).out), 'tool.result').map(
      ({ payload }) => payload.text,
    )
  const [told, refused] = await results()
  expect(told).toMatch(/not used: they need a trusted workspace or skills\.allowMCP/)
  expect(refused).toMatch(/unknown_tool/)
  for (const off of ['', '0', 'false'])
    expect((await results({ ANODE_ENABLE_WORKSPACE_MCP: off }))[1]).toMatch(/unknown_tool/)
  expect(existsSync(up)).toBe(false)
  expect((await results({ ANODE_ENABLE_WORKSPACE_MCP: '1' }))[1]).toBe('Echo: hi')
  expect(existsSync(up)).toBe(true)
  at.put('../.config/anode/config.json', '{"skills": {"allowMCP": true}}')
  const [offered, echoed] = await results()
  expect(offered).toMatch(/Tools of its MCP servers: mcp__helping_helper__echo/)
  expect(echoed).toBe('Echo: hi')
})
