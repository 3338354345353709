// Jobs run a few at a time, results keep their order, a rejection waits for what has begun.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runConcurrently } from '../../../internal/review/concurrency-pool.ts'

test('keeps the order of results and the limit of concurrent jobs', async () => {
  let at = 0
  let most = 0
  const jobs = [5, 1, 4, 2, 3, 0].map((ms, i) => async () => {
    most = Math.max(most, ++at)
    await sleep(ms * 4)
    at--
    return i
  })
  expect(await runConcurrently(jobs, 3)).toEqual([0, 1, 2, 3, 4, 5])
  expect(most).toBe(3)
  expect(await runConcurrently([], 3)).toEqual([])
})

test('starts no job after a rejection, and waits for running jobs', async () => {
  const ran: number[] = []
  const jobs = [0, 1, 2, 3].map((i) => async () => {
    if (i === 0) throw new Error('broken')
    await setImmediate()
    ran.push(i)
  })
  await expect(runConcurrently(jobs, 2)).rejects.toThrow('broken')
  expect(ran).toEqual([1])
})
