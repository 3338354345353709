// The page of threads on an emulated terminal over the real store: search, preview,
// rename, archive, selection.
import { expect, it, onTestFinished } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { pickThreadOnScreen } from '../../../../internal/tui/page/thread-screen.ts'
import { emulateTerminal, forbiddenBytes } from '../../../support/emulator.ts'
import { type SessionWorld, sessionWorld } from '../../../support/session.ts'

const said = (role: 'user' | 'assistant', text: string): EventDraft => ({
  type: 'message',
  payload: { role, text },
})

async function plantThreads({ data, cwd }: SessionWorld): Promise<string[]> {
  const store = await openStore(data)
  const talks = [
    ['Repair the lock', 'the journal is flushed late'],
    ['Explain the \x1b[2Jparser', 'it reads **tokens** one by one'],
    ['Write a test', 'done: it fails as it should'],
  ] as const
  const ids = talks.map(([title, answer]) => {
    const { id } = store.threads.create({ workspace: cwd, title, profile: 'craft', model: 'builtin/extract' })
    const end: EventDraft = {
      type: 'run.ended',
      payload: { end: 'done', usd: title === 'Repair the lock' ? null : 0.42 },
    }
    const begun: EventDraft = {
      type: 'system.init',
      payload: { profile: 'craft', model: 'm', cwd, tools: [], branch: `fix/${title.split(' ')[0]}` },
    }
    const drafts = [begun, said('user', title), said('assistant', answer), end]
    const frame = (seq: number) => ({ id: createUlid(), run_id: 'run_1', seq, ts: Date.now() })
    store.threads.append(
      id,
      'run_1',
      drafts.map((draft, i) => ({ ...draft, ...frame(i + 1) }) as Event),
    )
    return id
  })
  store.close()
  return ids
}

async function openPicker(columns: number) {
  const world = await sessionWorld([])
  const ids = await plantThreads(world)
  const terminal = emulateTerminal(columns, 24)
  const { input, output } = terminal
  const stop = new AbortController()
  const io = { input, output, env: { TERM: 'xterm-256color' }, cwd: world.cwd, signal: stop.signal }
  const picked = pickThreadOnScreen(world.service, io, 'auto')
  onTestFinished(() => stop.abort())
  await terminal.until(/> Write a test/)
  return { ...world, ids, terminal, picked, stop }
}

it('filters by title, shows the end of the selected thread, and opens it', async () => {
  const { terminal, picked, ids } = await openPicker(120)
  await terminal.until(
    /Write a test .*│ +just now {2}craft {2}4 events {2}fix\/Write {2}\$0\.42[\s\S]*it fails as it should/,
  )
  terminal.type('\x1b[B')
  await terminal.until(/it reads tokens one by one/)
  for (const key of 'lock') terminal.type(key)
  await terminal.until(/> lock_[\s\S]*> Repair the lock .*│.* [\s\S]*flushed late/)
  terminal.type('\r')
  expect(await picked).toEqual({ thread: ids[0], isCopy: false })
  expect(terminal.isRaw()).toBe(false)
  expect(forbiddenBytes(terminal.bytes())).toEqual([])
})

it('finds messages, sets titles, and archives at the second key', async () => {
  const { terminal, picked, ids, service } = await openPicker(80)
  for (const key of '/journal') terminal.type(key)
  await terminal.until(/in messages: journal_[\s\S]*> Repair the lock[\s\S]*flushed late/)
  expect(await terminal.until(/Repair the lock/)).not.toMatch(/Write a test/)
  terminal.type('\x12')
  await terminal.until(/new title: Repair the lock_/)
  terminal.type('\x15')
  terminal.type('Locks')
  terminal.type('\r')
  await terminal.until(/> Locks/)
  terminal.type('\x18')
  await terminal.until(/Ctrl-X again/)
  expect(await service.listThreads({ limit: 9 })).toHaveLength(3)
  terminal.type('\x18')
  await terminal.until(/No matches/)
  expect((await service.listThreads({ limit: 9 })).map(({ thread }) => thread)).not.toContain(ids[0])
  terminal.type('\x15')
  await terminal.until(/> Write a test/)
  terminal.type('\x06')
  expect(await picked).toEqual({ thread: ids[2], isCopy: true })
})

it('selects nothing at Escape, and ends with the program', async () => {
  const one = await openPicker(40)
  one.terminal.type('\x1b')
  expect(await one.picked).toBeUndefined()
  const two = await openPicker(40)
  two.stop.abort()
  expect(await two.picked).toBeUndefined()
  expect(two.terminal.isRaw()).toBe(false)
})

it('selects nothing if the program ends before the page opens', async () => {
  const { service, cwd } = await sessionWorld([])
  const terminal = emulateTerminal(40, 24)
  const { input, output } = terminal
  const io = { input, output, env: { TERM: 'xterm-256color' }, cwd, signal: AbortSignal.abort() }
  expect(await pickThreadOnScreen(service, io, 'auto')).toBeUndefined()
  expect(terminal.isRaw()).toBe(false)
})

it('finds threads by their branch, and keeps a title instead of an empty one', async () => {
  const { terminal } = await openPicker(80)
  for (const key of 'fix/expl') terminal.type(key)
  await terminal.until(/Threads +1\b[\s\S]*> Explain/)
  for (const key of ['\x12', '\x15', '\r']) {
    terminal.type(key)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await terminal.until(/> Explain[\s\S]*the new title is empty/)
})

it('reports a thread that was deleted meanwhile, and removes it from the list', async () => {
  const { terminal, data, ids } = await openPicker(80)
  const store = await openStore(data)
  await store.threads.delete(ids[2] ?? '')
  store.close()
  for (const key of ['\x12', 'x', '\r']) {
    terminal.type(key)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await terminal.until(/Threads +2\b[\s\S]*thread not found/)
})

it('lists conversations even if many other threads are newer', async () => {
  const { service, data, cwd, ids } = await openPicker(80)
  const store = await openStore(data)
  const parent = ids[0] ?? ''
  for (let i = 0; i < 12; i++)
    store.threads.create({ workspace: cwd, title: 'A call', profile: 'craft', parent })
  store.close()
  const found = await service.listThreads({ limit: 2 })
  expect(found.map(({ thread }) => thread)).toEqual([ids[2], ids[1]])
})
