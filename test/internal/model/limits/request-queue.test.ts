// The queue of requests: it keeps its order and its limit when requests leave it at any time.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enterRequestQueue } from '../../../../internal/model/limits/request-queue.ts'
import { rng } from '../../../support/rng.ts'

const never = new AbortController().signal

test('serves requests in their order, and gives a free slot to the next one', async () => {
  const order: string[] = []
  const enter = async (name: string) => {
    const leave = await enterRequestQueue('a', 1, never)
    order.push(name)
    return leave
  }
  const leave = await enterRequestQueue('a', 1, never)
  const second = enter('second')
  const third = enter('third')
  leave()
  leave()
  // arrives while the slot is passed to the second request
  const fourth = enter('fourth')
  await turn()
  expect(order).toEqual(['second'])
  ;(await second)()
  ;(await third)()
  ;(await fourth)()
  expect(order).toEqual(['second', 'third', 'fourth'])
})

test('one URL does not wait for another', async () => {
  const leave = await enterRequestQueue('a', 1, never)
  ;(await enterRequestQueue('b', 1, never))()
  leave()
})

test('does not admit a request that was cancelled in the queue', async () => {
  await expect(enterRequestQueue('a', 1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  ;(await enterRequestQueue('a', 1, never))()
})

test('starts, runs and cancels many requests: never too many at once, none forgotten', async () => {
  const random = rng(7)
  for (let round = 0; round < 20; round++) {
    const max = 1 + Math.floor(random() * 3)
    let inside = 0
    let most = 0
    const visits = Array.from({ length: 30 }, async () => {
      const giveUp = new AbortController()
      if (random() < 0.3) setImmediate(() => giveUp.abort(new Error('gone')))
      try {
        const leave = await enterRequestQueue(`crowd ${round}`, max, giveUp.signal)
        most = Math.max(most, ++inside)
        for (let n = random() * 4; n > 0; n--) await turn()
        inside--
        leave()
        return 'served'
      } catch {
        return 'gone'
      }
    })
    const ends = await Promise.all(visits)
    expect(most).toBeLessThanOrEqual(max)
    expect(ends).toContain('served')
    expect(inside).toBe(0)
  }
})
