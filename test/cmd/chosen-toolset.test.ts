// The toolset that the configuration or a flag names, wherever an agent starts and wherever tools are named.
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startEditor } from '../support/acp-client.ts'
import { type World, world } from '../support/anode.ts'
import { git } from '../support/repo.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put('a.txt', 'one\n')
})
afterEach(() => at.remove())

const configured = (toolset: string) => {
  at.put('own.json', JSON.stringify({ toolset }))
  return { env: { ANODE_CONFIG: join(at.dir, 'own.json') } }
}

/** Flags for a model that calls this tool once. */
function calling(name: string, args: object, answer = 'It holds one.'): string[] {
  const replies = [{ calls: [{ name, args }] }, { text: answer }]
  at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  return ['--model', `script:${join(at.dir, 'replies.jsonl')}`]
}

interface ThreadEvent {
  type: string
  payload: Record<string, unknown>
}

/** Returns the adapter and the success of each call of a thread. */
async function callsOf(thread: string): Promise<string[]> {
  const { out } = await at.anode(['threads', 'export', thread, '--format', 'jsonl'])
  const events = out.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ThreadEvent] : []))
  return events.flatMap(({ type, payload }) =>
    type === 'tool.result' ? [`${payload.face ?? payload.tool} ${payload.ok}`] : [],
  )
}

it.each([
  ['hooman', 'read_file', 'edit_file', { path: 'a.txt' }],
  ['ah', 'write', 'read', { path: 'a.txt' }],
  ['researchharness', 'Write', 'Read', { path: 'a.txt' }],
])('tools follow a configuration that says %s', async (toolset, shown, other, args) => {
  const own = configured(toolset)
  const names = JSON.parse((await at.anode(['tools', 'list', '--json'], own)).out).map(
    ({ name }: { name: string }) => name,
  )
  expect(names).toEqual(expect.arrayContaining([shown, other]))
  expect(names).not.toContain('multi_read')
  expect((await at.anode(['tools', 'show', shown], own)).out).toMatch(new RegExp(`^${toolset}/${shown} `))
  const reader = toolset === 'hooman' ? 'read_file' : other
  const used = await at.anode(['tools', 'use', reader, '--json', JSON.stringify(args)], own)
  expect(used).toMatchObject({ code: 0, out: expect.stringContaining('one') })
  const explained = await at.anode(['permissions', 'explain', reader, '--json', JSON.stringify(args)], own)
  expect(explained.code).toBe(0)
  const native = await at.anode(['tools', 'list', '--toolset', 'anode', '--json'], own)
  expect(native.out).toContain('"multi_read"')
  const unknown = await at.anode(['tools', 'use', 'multi_reed'], own)
  expect(unknown).toMatchObject({ code: 2, err: expect.not.stringContaining('multi_read,') })
})

it('a run in the background works with the toolset of the flag', async () => {
  const words = calling('read_file', { path: 'a.txt' })
  const begun = await at.anode(['runs', 'start', 'Read it', '--toolset', 'hooman', ...words])
  expect(begun).toMatchObject({ code: 0 })
  await at.anode(['attach', begun.out.trim()])
  expect(await callsOf(begun.out.trim())).toEqual(['hooman/read_file true'])
  const unknown = await at.anode(['runs', 'start', 'Read it', '--toolset', 'nope', ...words])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('known: anode, hooman, ah') })
})

it('a review works with the toolset of the flag', async () => {
  for (const words of [
    ['init', '-q'],
    ['add', 'a.txt'],
    ['commit', '-qm', 'one'],
  ])
    git(at.dir, ...words)
  at.put('a.txt', 'two\n')
  const words = calling('read_file', { path: 'a.txt' }, '{"findings": []}')
  const { code, out } = await at.anode(['review', '--toolset', 'hooman', '--stream-json', ...words])
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ThreadEvent)
  const thread = String(events.find(({ type }) => type === 'child.started')?.payload.thread)
  expect(await callsOf(thread)).toEqual(['hooman/read_file true'])
})

it('a scheduled job uses the toolset of the flag, and an unknown toolset is rejected', async () => {
  const words = calling('read_file', { path: 'a.txt' })
  const add = ['cron', 'add', '@daily', '--execute', 'Read it', '--name', 'job', ...words]
  const unknown = await at.anode([...add, '--toolset', 'nope'])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('known: anode, hooman, ah') })
  expect(await at.anode([...add, '--toolset', 'hooman'])).toMatchObject({ code: 0 })
  const ran = await at.anode(['cron', 'run', 'job', '--json'])
  const [run] = [JSON.parse(ran.out)].flat()
  expect(await callsOf(run.thread)).toEqual(['hooman/read_file true'])
})

it('a session of an editor works with the toolset of the flag', async () => {
  const editor = await startEditor(at, {
    words: [...calling('read_file', { path: 'a.txt' }), '--toolset', 'hooman'],
  })
  const session = await editor.open(at.dir)
  expect(await editor.ask(session, 'Read it')).toBe('end_turn')
  const ends = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'tool_call_update' ? [update.status] : [],
  )
  expect(ends).toEqual(['completed'])
})

it('a failure of a call names the tool of the toolset, and its example can be run', async () => {
  const args = { thought: 'a', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 1, isRevision: true }
  for (const words of [['think', '--toolset', 'hooman'], ['hooman/think']]) {
    const { code, err } = await at.anode(['tools', 'use', ...words, '--json', JSON.stringify(args)])
    expect(code).toBe(2)
    const [, name] = /see `anode tools show (\S+)`/.exec(err) ?? []
    expect(name).toBe('hooman/think')
    const [, example] = /for example: anode tools use hooman\/think --json '(.*)'/.exec(err) ?? []
    expect(await at.anode(['tools', 'show', name as string])).toMatchObject({ code: 0 })
    const again = await at.anode(['tools', 'use', 'hooman/think', '--json', example as string])
    expect(again).toMatchObject({ code: 0 })
  }
})
