// Search: very common words, and the order of equal matches.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'
import { says } from './contract.ts'

const place = shelf()

test('finds a rare word together with one that occurs in thousands of events', () => {
  const { threads } = place.store
  const make = (title: string) => threads.create({ workspace: '/w', title, profile: 'p' }).id
  const rare = make('rare')
  threads.append(rare, 'r', [says('the axolotl lives in a lake')])
  const crowd = make('crowd')
  for (let i = 0; i < 6; i++) threads.append(crowd, 'r', Array(1000).fill(says('test passes')))
  expect(threads.search('axolotl test', { limit: 1 })).toMatchObject([{ thread: { id: rare } }])
  expect(threads.search('test', { limit: 5 })).toMatchObject([{ thread: { id: crowd } }])
})

test('sorts the newest first among equal matches', () => {
  const { threads } = place.store
  const ids = ['a', 'b', 'c'].map((title) => {
    const { id } = threads.create({ workspace: '/w', title, profile: 'p' })
    threads.append(id, 'r', [says('same words here')])
    return id
  })
  expect(threads.search('same words', { limit: 9 }).map((hit) => hit.thread.id)).toEqual(ids.reverse())
})
