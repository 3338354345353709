// A time limit fires although nothing but a combined signal looks at it and memory is swept in between.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { timeLimit } from '../../../internal/base/time-limit.ts'

it('fires through a combined signal after a collection', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const other = new AbortController()
  let fired = 0
  for (let i = 0; i < 20; i++) {
    AbortSignal.any([other.signal, timeLimit(150)]).addEventListener('abort', () => fired++)
  }
  const sweep = setInterval(gc, 20)
  const alive = setTimeout(() => undefined, 5_000)
  await expect.poll(() => fired, { timeout: 4_000 }).toBe(20)
  clearInterval(sweep)
  clearTimeout(alive)
})

it('says that it was the time', async () => {
  const limit = timeLimit(-5)
  await expect.poll(() => limit.aborted).toBe(true)
  expect((limit.reason as DOMException).name).toBe('TimeoutError')
  expect(timeLimit(1e12).aborted).toBe(false)
})
