// Lists that are created on demand, each item once.
import { expect, it } from 'vitest'
import { iterateAnew, type LazyList, listLazily } from '../../../../internal/tui/terminal/lazy-list.ts'
import { rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

it('random walks: returns the items of an array, and creates each once, in order', () => {
  const random = rng(20261124)
  for (let walk = 0; walk < rounds(30, 100); walk++) {
    const count = Math.floor(random() * 3_000)
    const all = Array.from({ length: count }, (_, i) => i)
    let made = 0
    const list: LazyList<number> = listLazily(
      iterateAnew(function* () {
        for (const one of all) {
          expect(one).toBe(made++)
          yield one
        }
      }),
    )
    expect(made).toBeLessThanOrEqual(501)
    expect(listLazily(list)).toBe(list)
    let farthest = 0
    for (let step = 0; step < 20; step++) {
      const start = Math.floor(random() * 3_500)
      const end = start + Math.floor(random() * 50)
      farthest = Math.max(farthest, end)
      expect(list.at(start)).toBe(all[start])
      expect(list.slice(start, end)).toEqual(all.slice(start, end))
      expect([list.length, made <= farthest + 1_001]).toEqual([made, true])
      if (list.isWhole) expect(made).toBe(count)
    }
    expect(list.at(Number.POSITIVE_INFINITY)).toBeUndefined()
    expect([list.length, list.isWhole]).toEqual([count, true])
  }
})
