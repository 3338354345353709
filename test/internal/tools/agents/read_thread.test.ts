// read_thread: both ends without a goal, matches and both ends with one.
import { expect, test } from 'vitest'
import type { ThreadEntry } from '../../../../internal/store/store.ts'
import { readThread } from '../../../../internal/tools/agents/read_thread.ts'
import { accessOf, call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

const says = (text: string, role: 'user' | 'assistant' = 'assistant'): ThreadEntry => ({
  type: 'message',
  payload: { role, text },
})

function record(entries: ThreadEntry[], id?: string) {
  const thread = place.store.threads.create({
    workspace: `${place.dir}/workspace`,
    title: 'T',
    profile: 'p',
    ...(id && { id }),
  })
  place.store.threads.append(thread.id, 'r', entries)
  return thread.id
}

const read = async (args: Record<string, unknown>) => {
  const result = await call(readThread, args, place.ctx())
  return { ...result, at: result.data?.messages.map((message) => message.pos) ?? [] }
}

test('shows a short thread in full, without calls and empty messages', async () => {
  const id = record([
    says('do it', 'user'),
    { type: 'tool.call', payload: { call: 'c', tool: 'bash', args: { command: 'ls' } } },
    { type: 'tool.result', payload: { call: 'c', tool: 'bash', ok: true, text: 'files' } },
    says(''),
    says('done'),
  ])
  const { text, data, at } = await read({ thread_id: id })
  expect(at).toEqual([1, 5])
  expect(data).toMatchObject({ thread: { id }, more: false })
  expect(text).toBe(`${id}  T  ${place.dir}/workspace  5 events\n\n[1] user:\ndo it\n\n[5] assistant:\ndone`)
})

test('shows a long thread without a goal from both ends', async () => {
  const id = record(Array.from({ length: 200 }, (_, i) => says(`message ${i + 1}`)))
  const { at, text, data } = await read({ thread_id: id, max_messages: 12 })
  expect(at).toHaveLength(12)
  expect(at.slice(0, 3)).toEqual([1, 2, 3])
  expect(at.slice(-9)).toEqual([192, 193, 194, 195, 196, 197, 198, 199, 200])
  expect(data?.more).toBe(true)
  expect(text).toContain('name a goal')
})

test('shows messages and results that match the goal, and both ends of the thread', async () => {
  const entries = Array.from({ length: 200 }, (_, i) => says(`message ${i + 1} about nothing`))
  entries[99] = says(`${'long '.repeat(1000)}\nthe decision on auth refactoring\n${'tail '.repeat(1000)}`)
  entries[149] = {
    type: 'tool.result',
    payload: { call: 'c', tool: 'grep', ok: true, text: 'auth.ts: refactor' },
  }
  const id = record(entries)
  const { at, data } = await read({ thread_id: id, goal: 'find the auth refactor decision', max_messages: 8 })
  expect(at).toHaveLength(8)
  expect(at).toEqual(expect.arrayContaining([1, 100, 150, 200]))
  const hit = data?.messages.find((message) => message.pos === 100)
  expect(hit?.text).toContain('decision on auth')
  expect(hit).toMatchObject({ cut: true, role: 'assistant' })
  expect(hit?.text.length).toBeLessThan(2_100)
  expect(data?.messages.find((message) => message.pos === 150)?.role).toBe('tool.result grep')
})

test('shows both ends if nothing matches the goal', async () => {
  const id = record(Array.from({ length: 20 }, (_, i) => says(`message ${i + 1}`)))
  expect((await read({ thread_id: id, goal: 'zzz', max_messages: 4 })).at).toEqual([1, 18, 19, 20])
})

test('max_messages is reduced to 80', async () => {
  const id = record(Array.from({ length: 100 }, (_, i) => says(`message ${i + 1}`)))
  expect((await read({ thread_id: id, max_messages: 500 })).at).toHaveLength(80)
  expect((await read({ thread_id: id })).at).toHaveLength(40)
  expect((await read({ thread_id: id, max_messages: 1 })).at).toEqual([1])
})

test('accepts the beginning of an id if it is unique', async () => {
  record([says('a')], 'sess_01AAAA')
  record([says('b')], 'sess_01AABB')
  expect((await read({ thread_id: '01aabb' })).data?.thread.id).toBe('sess_01AABB')
  const { failed } = await read({ thread_id: 'sess_01AA' })
  expect(failed).toMatchObject({ code: 'not_found', hint: expect.stringContaining('sess_01AABB') })
  expect((await read({ thread_id: 'sess_nope' })).failed?.code).toBe('not_found')
})

test('rejects another source', async () => {
  expect((await read({ thread_id: 'x', source: 'cloud' })).failed?.code).toBe('bad_args')
})

test('shows a thread of another workspace only with source all, which raises the level', async () => {
  const id = place.store.threads.create({ workspace: '/elsewhere', title: 'T', profile: 'p' }).id
  place.store.threads.append(id, 'r', [says('secret')])
  for (const thread_id of [id, id.slice(0, -1)]) {
    expect((await read({ thread_id })).failed).toMatchObject({ code: 'not_found' })
    expect((await read({ thread_id, source: 'all' })).text).toContain('secret')
  }
  const args = { thread_id: id, max_messages: 40 }
  expect(accessOf(readThread, { ...args, source: 'local' }).level).toBe('auto_read')
  expect(accessOf(readThread, { ...args, source: 'all' }).level).toBe('confirm_execute')
  for (const source of ['remote', 'Local', ''])
    expect(() => accessOf(readThread, { ...args, source }).level).toThrow('unknown thread source')
})
