import { expect, it } from 'vitest'
import { WorkSlots } from '../../../internal/base/work-slots.ts'

it('runs at most so many works at once, in the order of the calls, also after a failure', async () => {
  const slots = new WorkSlots(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const work = (n: number) => async () => {
    started.push(n)
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    if (n % 3 === 0) throw new Error(`work ${n}`)
    return n
  }
  const numbers = [...Array(20).keys()]
  const ends = await Promise.allSettled(numbers.map((n) => slots.run(work(n))))
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual(
    numbers.map((n) => (n % 3 === 0 ? `work ${n}` : n)),
  )
  expect(started).toEqual(numbers)
  expect([most, running]).toEqual([2, 0])
})
