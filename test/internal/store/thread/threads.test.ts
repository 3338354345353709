// Threads: lists and prefixes go through indexes.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('lists the latest of many threads in order', () => {
  const { threads } = place.store
  place.db.write(() => {
    for (let i = 0; i < 300; i++) {
      place.clock.now += 1
      place.db.run(
        "INSERT INTO thread (id, workspace, title, profile, created, updated) VALUES (?, '/w', ?, 'p', ?, ?)",
        `sess_${String(i).padStart(26, '0')}`,
        `${i}`,
        place.clock.now,
        place.clock.now,
      )
    }
  })
  expect(threads.list({ workspace: '/w', limit: 3 }).map((thread) => thread.title)).toEqual([
    '299',
    '298',
    '297',
  ])
  expect(threads.find('sess_0000000000000000000000012').map((thread) => thread.title)).toEqual([
    '129',
    '128',
    '127',
    '126',
    '125',
    '124',
    '123',
    '122',
    '121',
    '120',
  ])
  expect(threads.find('').length).toBe(20)
})

test('stores a reserved thread with its first events and the time of its reservation', () => {
  const { threads } = place.store
  const rows = () => place.db.all<{ id: string }>('SELECT id FROM thread').map(({ id }) => id)
  const init = { workspace: '/w', title: 't', profile: 'p' }
  const id = threads.reserve(init)
  const made = place.clock.now
  expect([rows(), threads.events(id), threads.tail(id, 1)]).toEqual([[], [], []])
  place.clock.now += 5
  threads.append(id, 'run_1', [{ type: 'message', payload: { role: 'user', text: 'go' } }])
  expect(rows()).toEqual([id])
  expect(threads.get(id)).toMatchObject({ ...init, id, created: made, events: 1 })
})

test('a query finds a reserved thread, and a thread without a query or events is lost', () => {
  const { threads } = place.store
  const init = { workspace: '/w', title: 't', profile: 'p' }
  const parent = threads.reserve(init)
  const child = threads.create({ ...init, parent }).id
  const more = threads.reserve(init)
  expect(
    threads
      .list({})
      .map(({ id }) => id)
      .sort(),
  ).toEqual([parent, child, more].sort())
  const other = threads.reserve(init)
  expect(() =>
    threads.append('sess_none', 'run_1', [{ type: 'message', payload: { role: 'user', text: 'go' } }]),
  ).toThrow('unknown thread')
  // the transaction that failed has not taken it along
  expect(threads.get(other)?.id).toBe(other)
})
