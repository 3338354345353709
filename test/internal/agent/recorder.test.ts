// The order of commits in a real store: effects are stored before they happen, and reads in one commit
// with their results.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBudget } from '../../../internal/agent/budget.ts'
import { recordActivity } from '../../../internal/agent/receipts.ts'
import { createRecorder } from '../../../internal/agent/recorder.ts'
import { runAgent } from '../../../internal/agent/run-agent.ts'
import { openAgentSession } from '../../../internal/agent/session.ts'
import type { Event } from '../../../internal/event/event.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import type { Store } from '../../../internal/store/store.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { ctxWith } from '../../support/ctx.ts'

let dir: string
let store: Store
let thread: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'anode-recorder-'))
  store = await openStore(dir)
  thread = store.threads.create({ workspace: '/w', title: 't', profile: 'p' }).id
})
afterEach(() => {
  store.close()
  rmSync(dir, { recursive: true, force: true })
})

const stored = () => store.threads.events(thread).map((event) => event.type)
const call = (effect: string) =>
  ({ type: 'tool.call', payload: { call: 'c', tool: 't', args: {}, effect } }) as const

it('stores the intent of a change before the call runs', async () => {
  const log = createRecorder(store, thread, 'run_1', () => undefined)
  await log.append(call('read'))
  expect(stored()).toEqual([])
  await log.append(call('write'))
  expect(stored()).toEqual(['tool.call', 'tool.call'])
})

it('shows only stored events, except deltas, and numbers all events in order', async () => {
  const shown: Event[] = []
  const log = createRecorder(store, thread, 'run_1', (event) => shown.push(event))
  await log.append({ type: 'message.delta', payload: { text: 'a' } })
  await log.append(call('read'))
  expect(shown.map((event) => event.type)).toEqual(['message.delta'])
  log.flush()
  await log.append({ type: 'run.ended', payload: { end: 'done' } })
  expect(shown.map((event) => event.seq)).toEqual([1, 2, 3])
  expect(stored()).toEqual(['tool.call', 'run.ended'])
})

it('shows queued events while a call that only reads is running', async () => {
  const shown: Event[] = []
  const log = createRecorder(store, thread, 'run_1', (event) => shown.push(event))
  await log.append(call('read'))
  expect(shown).toEqual([])
  await vi.waitFor(() => expect(shown.map((event) => event.type)).toEqual(['tool.call']), 20_000)
  expect(stored()).toEqual(['tool.call'])
  log.flush()
  expect(stored()).toEqual(['tool.call'])
})

it('stores reads after a short pause in events, and never later than 30 ms', async () => {
  vi.useFakeTimers()
  try {
    const log = createRecorder(store, thread, 'run_1', () => undefined)
    await log.append(call('read'))
    vi.advanceTimersByTime(9)
    expect(stored()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(stored()).toEqual(['tool.call'])
    // turns follow each other without a pause
    for (let ms = 0; ms < 26; ms += 2) {
      await log.append(call('read'))
      vi.advanceTimersByTime(2)
    }
    expect(stored()).toHaveLength(1)
    vi.advanceTimersByTime(2)
    expect(stored()).toHaveLength(14)
  } finally {
    vi.useRealTimers()
  }
})

it('fails in the run, not outside it, if the record cannot be stored', async () => {
  vi.useFakeTimers()
  try {
    const log = createRecorder(store, thread, 'run_1', () => undefined)
    await log.append(call('read'))
    store.close()
    // no event is overdue yet
    log.flushOverdue()
    vi.advanceTimersByTime(60_000)
    expect(() => log.flushOverdue()).toThrow()
    expect(() => log.flush()).toThrow()
  } finally {
    vi.useRealTimers()
  }
  store = await openStore(dir)
  expect(stored()).toEqual([])
})

it('records the end of a failed run, once', async () => {
  const shown: Event[] = []
  const log = createRecorder(store, thread, 'run_1', (event) => shown.push(event))
  const neverAsked = () => {
    throw new Error('there is nothing to ask')
  }
  const session = openAgentSession({
    record: log,
    messages: [],
    thread,
    model: { id: 'test/m', kind: 'script', window: 1000, stream: neverAsked },
    catalog: () => createCatalog([]),
    tools: () => [],
    ctx: ctxWith(),
    system: '',
    maxTurns: 1,
    effort: 'medium',
    budget: createBudget({}),
    inbox: () => Promise.reject(new Error('oops')),
  })
  expect(await runAgent(session, log)).toMatchObject({ end: 'failed', reason: 'internal' })
  expect(shown.filter((event) => event.type === 'run.ended')).toHaveLength(1)
})

it('makes receipts from recorded results, not from claims of the model', () => {
  const seen = recordActivity()
  const changed = (path: string) => [{ kind: 'path' as const, path, access: 'write' as const }]
  seen.add({ type: 'tool.call', payload: { call: 'c1', tool: 'edit', args: {}, scope: changed('a.txt') } })
  seen.add({ type: 'tool.result', payload: { call: 'c1', tool: 'edit', ok: true, text: '' } })
  seen.add({
    type: 'tool.call',
    payload: { call: 'c2', tool: 'edit', args: {}, scope: changed('b.txt') },
  })
  seen.add({ type: 'tool.result', payload: { call: 'c2', tool: 'edit', ok: false, text: '' } })
  seen.add({
    type: 'tool.call',
    payload: { call: 'c3', tool: 'sh', args: {}, scope: [{ kind: 'command', line: 'make' }] },
  })
  seen.add({ type: 'tool.result', payload: { call: 'c3', tool: 'sh', ok: false, text: '', exit: 2 } })
  expect(seen.receipts()).toEqual({ read: [], changed: ['a.txt'], commands: [{ command: 'make', exit: 2 }] })
  expect([seen.calls(), seen.succeeded()]).toEqual([3, 1])
  // changes by a subagent count
  const receipts = { read: ['c.txt'], changed: ['d.txt'], commands: [{ command: 'ls', exit: 0 }] }
  const end = { end: 'done', thread: 't', receipts, turns: 1, calls: 2, tokens: 0, usd: 0, ms: 0 }
  seen.add({ type: 'child.ended', payload: { thread: 't', end } })
  expect(seen.receipts()).toEqual({
    read: ['c.txt'],
    changed: ['a.txt', 'd.txt'],
    commands: [{ command: 'make', exit: 2 }, ...receipts.commands],
  })
})

it('lists files that a command changed, from the workspace, and the exit codes of its pipe', () => {
  const seen = recordActivity('/w')
  const written = (call: string, path: string) =>
    ({ type: 'file.written', payload: { call, tool: 'sh', path, before: null, after: null } }) as const
  const scope = [{ kind: 'command' as const, line: 'make | tail' }]
  const pipes = [
    [1, 0],
    [2, 0],
  ]
  seen.add({ type: 'tool.call', payload: { call: 'c1', tool: 'sh', args: {}, scope } })
  for (const path of ['/w/out/a.o', '/w/gone.txt', '/other/b']) seen.add(written('c1', path))
  seen.add({
    type: 'tool.result',
    payload: { call: 'c1', tool: 'sh', ok: true, text: '', exit: 0, pipe: [2, 0], pipes },
  })
  // the path of an edit is already in its scope
  seen.add(written('c2', '/w/edited.txt'))
  expect(seen.receipts()).toEqual({
    read: [],
    changed: ['out/a.o', 'gone.txt', '/other/b'],
    commands: [{ command: 'make | tail', exit: 0, pipe: [2, 0], pipes }],
  })
})
