// Events: an append is whole or absent, and reading a page touches that page. Rows of threads: flags become
// booleans, and a missing thread has one wording.
import { expect, test } from 'vitest'
import { noThread, readThread } from '../../../../internal/store/thread/events.ts'
import { shelf } from '../../../support/store.ts'
import { says } from './contract.ts'

const place = shelf()
const make = () => place.store.threads.create({ workspace: '/w', title: 't', profile: 'p' }).id

test('a failed append stores no event and uses no event number', () => {
  const { threads } = place.store
  const id = make()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const bad = { type: 'message' as const, payload: { role: 'user' as const, text: 'x', circle } }
  expect(() => threads.append(id, 'r', [says('good'), bad])).toThrow()
  expect(threads.events(id)).toEqual([])
  expect(threads.get(id)?.events).toBe(0)
  expect(threads.append(id, 'r', [says('next')])).toMatchObject([{ pos: 1, seq: 1 }])
})

test('reads a long thread in pages whose cost does not grow', () => {
  const { threads } = place.store
  const id = make()
  for (let i = 0; i < 20; i++) {
    threads.append(
      id,
      'r',
      Array.from({ length: 50 }, (_, k) => says(`${i}-${k} ${'x'.repeat(2000)}`)),
    )
  }
  let seen = 0
  for (let after = 0; ; ) {
    const page = threads.events(id, after, 100)
    if (page.length === 0) break
    seen += page.length
    after = page[page.length - 1]?.pos as number
  }
  expect(seen).toBe(1000)
  const plan = place.db.all<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT id FROM thread_event WHERE thread = 1 AND pos > 5 ORDER BY pos LIMIT 9',
  )
  expect(plan.map((row) => row.detail).join()).toMatch(/SEARCH thread_event USING INDEX .*pos>/)
})

test('converts a database row to a thread', () => {
  const row = {
    id: 'a',
    workspace: '/w',
    title: '',
    profile: 'p',
    model: null,
    parent: null,
    created: 1,
    updated: 2,
    events: 3,
  }
  expect(readThread({ ...row, archived: 1 })).toEqual({ ...row, archived: true })
  expect(readThread({ ...row, archived: 0 }).archived).toBe(false)
  expect(noThread('a').failure).toMatchObject({ code: 'not_found', detail: { id: 'a' } })
})
