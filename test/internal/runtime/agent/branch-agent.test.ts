// Branches in whole runs against a model on loopback: their requests, permissions, traces and results.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Event } from '../../../../internal/event/event.ts'
import { runHeadless } from '../../../../internal/runtime/run/headless-run.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { type Received, type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

interface BranchRun {
  requests: readonly Received[]
  events: Event[]
  cwd: string
  text: string
  thread: string
}

/** Runs a main agent and its branches, which take their responses from one list. */
async function run(replies: readonly ServedReply[], toolset = 'swarmie'): Promise<BranchRun> {
  const server = await serveModel((_, n) => replies[n] ?? { text: 'no more replies' })
  try {
    const providers = { openai: { baseUrl: server.url, apiKey: 'k' } }
    const cwd = scratchWith({
      'config/anode/config.json': JSON.stringify({ model: 'openai/any', providers }),
      'a.txt': 'alpha\n',
    })
    const env = {
      PATH: process.env.PATH,
      HOME: cwd,
      ANODE_DATA_DIR: join(cwd, 'data'),
      XDG_CONFIG_HOME: join(cwd, 'config'),
    }
    const events: Event[] = []
    const { thread, end } = await runHeadless({
      ...{
        cwd,
        env,
        signal: new AbortController().signal,
        mode: 'unrestricted' as const,
        addDirs: [],
        features,
      },
      ...{ terminal: undefined, prompt: 'the task', caps: {}, toolset: { name: toolset } },
      ask: async () => ({ allow: true, why: 'a test' }),
      show: (event) => void events.push(event),
      inbox: async () => [],
      note: () => undefined,
    })
    return { requests: server.requests, events, cwd, text: end.text, thread }
  } finally {
    await server.close()
  }
}

const branch = (args: object = {}): ServedReply => ({
  calls: [{ name: 'branch', id: 'c1', args: { description: 'Find alpha\nin all files', ...args } }],
})
const call = (name: string, args: object, id = 'c2'): ServedReply => ({
  calls: [{ name, id, args: args as never }],
})

const namesOf = (request: Received | undefined) =>
  (JSON.parse(JSON.stringify(request?.body)).tools ?? []).map(
    (tool: { function: { name: string } }) => tool.function.name,
  )
const messagesOf = (request: Received | undefined) =>
  JSON.parse(JSON.stringify(request?.body)).messages as { role: string; content: string }[]
const resultsOf = ({ events }: BranchRun) =>
  events.flatMap(({ type, payload }) => (type === 'tool.result' ? [payload] : []))

test('a branch continues the conversation, reads, and adds only its conclusion', async () => {
  const ran = await run([
    call('read', { path: 'a.txt' }, 'c0'),
    branch(),
    call('grep', { pattern: 'alpha' }),
    { text: 'It is in a.txt.' },
    { text: 'end' },
  ])
  expect(ran.text).toBe('end')
  const roles = messagesOf(ran.requests[2]).map(({ role }) => role)
  // the response with the call is not part of it
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  expect(messagesOf(ran.requests[2]).at(-1)?.content).toMatch(/Find alpha\nin all files$/)
  expect(messagesOf(ran.requests[2])[0]).toEqual(messagesOf(ran.requests[0])[0])
  expect(namesOf(ran.requests[2])).toEqual(expect.arrayContaining(['read', 'grep', 'web_fetch']))
  for (const name of ['bash', 'edit_file', 'branch', 'task', 'question', 'todo_write'])
    expect(namesOf(ran.requests[2])).not.toContain(name)
  // the main conversation has the result and no other messages of the branch
  expect(messagesOf(ran.requests[4]).map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
  ])
  expect(messagesOf(ran.requests[4]).at(-1)?.content).toBe('It is in a.txt.')
  expect(resultsOf(ran).map(({ tool, face: adapter }) => [tool, adapter])).toEqual([
    ['read', undefined],
    ['branch', 'swarmie/branch'],
  ])
  const [started, ended] = ran.events.filter(({ type }) => type.startsWith('child.'))
  expect(started).toMatchObject({
    payload: { thread: expect.stringMatching(/^branch-\d+$/), title: 'Find alpha' },
  })
  expect(ended).toMatchObject({ payload: { end: { end: 'done', turns: 2, calls: 1 } } })
})

test('with writes it edits and runs commands, recorded in the thread, which continues without them', async () => {
  const ran = await run([
    branch({ allow_writes: true }),
    {
      calls: [
        { name: 'create_file', id: 'w', args: { path: 'b.txt', content: 'x' } },
        { name: 'bash', id: 'b', args: { command: 'cp b.txt c.txt' } },
      ],
    },
    { text: 'Made.' },
    { text: 'end' },
  ])
  expect(readFileSync(join(ran.cwd, 'c.txt'), 'utf8')).toBe('x')
  expect(namesOf(ran.requests[1])).toEqual(
    expect.arrayContaining(['bash', 'edit_file', 'create_file', 'apply_patch']),
  )
  expect(namesOf(ran.requests[1])).not.toContain('todo_write')
  const others = resultsOf(ran).filter(({ by }) => by === 'branch')
  expect(others.map(({ tool, ok }) => [tool, ok])).toEqual([
    ['create_file', true],
    ['bash', true],
  ])
  const store = await openStore(join(ran.cwd, 'data'))
  expect(store.threads.list({})).toHaveLength(1)
  const { replayEvent } = await import('../../../../internal/agent/replay.ts')
  const messages: never[] = []
  for (const event of store.threads.events(ran.thread)) replayEvent(messages, event, new Set())
  store.close()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
})

test('without writes a call that writes is rejected in every form', async () => {
  const ran = await run([
    branch(),
    call('create_file', { path: 'b.txt', content: 'x' }),
    call('branch', { description: 'deeper' }),
    { text: 'No.' },
    { text: 'end' },
  ])
  expect(existsSync(join(ran.cwd, 'b.txt'))).toBe(false)
  expect(messagesOf(ran.requests[2]).at(-1)?.content).toMatch(/a branch is not offered it/)
  expect(messagesOf(ran.requests[3]).at(-1)?.content).toMatch(/a branch cannot start agents/)
})

test('at its last turn it concludes without tools', async () => {
  const ran = await run([
    branch({ max_turns: 1 }),
    call('read', { path: 'a.txt' }),
    { text: 'So far: alpha.' },
    { text: 'end' },
  ])
  expect(JSON.parse(JSON.stringify(ran.requests[2]?.body))).toMatchObject({ tool_choice: 'none' })
  expect(messagesOf(ran.requests[3]).at(-1)?.content).toBe('So far: alpha.')
  expect(ran.events.find(({ type }) => type === 'child.ended')).toMatchObject({
    payload: { end: { end: 'partial', reason: 'turns' } },
  })
})

test('rejects zero turns and empty answers, and gives two parallel branches different ids', async () => {
  const ran = await run([
    { calls: [{ name: 'branch', id: 'z', args: { description: 'x', max_turns: 0 } }] },
    { calls: [1, 2].map((n) => ({ name: 'branch', id: `t${n}`, args: { description: `x ${n}` } })) },
    { text: 'one' },
    { text: 'two' },
    { text: 'end' },
  ])
  expect(messagesOf(ran.requests[1]).at(-1)?.content).toMatch(/max_turns/)
  const ids = ran.events.flatMap(({ type, payload }) => (type === 'child.started' ? [payload.thread] : []))
  expect(new Set(ids).size).toBe(2)
})
