import { expect, it } from 'vitest'
import { compareIds, createOrderedItems } from '../../../../internal/study/log/ordered-items.ts'
import { rng, shuffled } from '../../../support/rng.ts'

it('returns items in the order of ids, for any order of arrival', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `E${1 + (i % 12)}.${1 + Math.floor(i / 12)}`)
  const mixed = shuffled(rng(7), ids)
  const kept = createOrderedItems<{ id: string }>()
  const first = kept.items()
  for (const [i, id] of mixed.entries()) {
    kept.put({ id })
    if (i % 50 === 0) expect([...kept.items().keys()]).toEqual([...kept.items().keys()].sort(compareIds))
  }
  expect([...kept.items().keys()]).toEqual(ids.toSorted(compareIds))
  expect(kept.items()).toBe(first)
})

it('keeps the latest item of one id', () => {
  const kept = createOrderedItems<{ id: string; n: number }>()
  for (const [id, n] of [
    ['C2.1', 1],
    ['C1.1', 2],
    ['C2.1', 3],
  ] as const)
    kept.put({ id, n })
  expect([...kept.items().values()]).toEqual([
    { id: 'C1.1', n: 2 },
    { id: 'C2.1', n: 3 },
  ])
})
