// Threads: lists and prefixes go through indexes.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('the newest of many are listed in order', () => {
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
