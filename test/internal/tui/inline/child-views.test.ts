// The open call of a subagent: it shows the work of the agent, which therefore needs no extra row.
import { expect, test } from 'vitest'
import {
  findLooseChildren,
  followChildren,
  withChildWork,
} from '../../../../internal/tui/inline/child-views.ts'
import { drawCall } from '../../../../internal/tui/run-view/call-view.ts'
import { foldDrafts, lookOf, startedAt } from '../../../support/session-view.ts'

const view = foldDrafts([
  { type: 'tool.call', payload: { call: 'c1', tool: 'task', args: { title: 'Reproduce it' } } },
  { type: 'child.started', payload: { thread: 'sess_1', title: 'Reproduce it', profile: 'find' } },
  { type: 'child.started', payload: { thread: 'sess_2', title: 'Of no call', profile: 'find' } },
])

const child = foldDrafts([
  {
    type: 'system.init',
    payload: { profile: 'find', model: 'openai/gpt-5.4', mode: 'auto', cwd: '/w', tools: [] },
  },
  { type: 'tool.call', payload: { call: 'd1', tool: 'bash', args: { command: 'kill -9 1\x1b[2J' } } },
  { type: 'usage', payload: { input: 900, output: 100, usd: 0.02 } },
])

test('shows an agent once: in its open call, else in a row', () => {
  expect(findLooseChildren(view).map(({ thread }) => thread)).toEqual(['sess_2'])
  const ended = foldDrafts(
    [{ type: 'tool.result', payload: { call: 'c1', tool: 'task', ok: true, text: '', ms: 1 } }],
    view,
  )
  expect(findLooseChildren(ended)).toHaveLength(2)
})

test('the open call shows the work of its agent, without control sequences', () => {
  const children = new Map([['sess_1', { title: 'Reproduce it', view: child }]])
  const [call] = withChildWork(view, { children }).blocks
  if (call?.kind !== 'call') throw new Error('no call')
  const rows = drawCall(call, startedAt + 5_000, lookOf())
  expect(rows[0]).toMatch(/task +Reproduce it +5\.0 s/)
  expect(rows[1]).toMatch(/^ {3}find {2}call 1 {2}bash kill -9 1.* {2}\$0\.02$/)
  expect(rows.join('')).not.toContain('\x1b[2J')
  // a call without known work is unchanged
  expect(withChildWork(view, { children: new Map() }).blocks).toEqual(view.blocks)
})

test('follows each of the latest 50 agents once, and no agent before them', async () => {
  const read: string[] = []
  const open = new Set<string>()
  const wake = new Map<string, () => void>()
  async function* readTopic({ thread }: { thread: string }) {
    read.push(thread)
    open.add(thread)
    try {
      for (;;) {
        await new Promise<void>((resolve) => wake.set(thread, resolve))
        yield { type: 'user.message', payload: { text: 'go' } }
      }
    } finally {
      open.delete(thread)
    }
  }
  const agents = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ thread: `sess_${i}`, title: `t${i}` }))
  const conversation = { children: new Map(), view: { children: agents(40) }, client: { readTopic } }
  const state = { conversation, screen: { changed: () => undefined } } as never
  const { signal } = new AbortController()
  followChildren(state, signal)
  // an agent that has ended is not listed any more, and stays while there is room
  conversation.view = { children: agents(40).slice(1) }
  followChildren(state, signal)
  expect(conversation.children.has('sess_0')).toBe(true)
  conversation.view = { children: agents(60) }
  for (let i = 0; i < 3; i++) followChildren(state, signal)
  const latest = agents(60)
    .slice(10)
    .map(({ thread }) => thread)
  expect(read).toEqual(agents(60).map(({ thread }) => thread))
  expect([...conversation.children.keys()]).toEqual(latest)
  // the next event ends the reader of a forgotten agent
  for (const next of [...wake.values()]) next()
  await expect.poll(() => [...open].sort()).toEqual([...latest].sort())
})
