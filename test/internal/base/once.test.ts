// Values that are created on first use and shared, failures included.
import { expect, test } from 'vitest'
import { once } from '../../../internal/base/once.ts'

test('is created on first use, and is the same for all callers', async () => {
  let count = 0
  const get = once(async () => ({ made: ++count }))
  expect(count).toBe(0)
  const [a, b] = await Promise.all([get(), get()])
  expect(a).toBe(b)
  expect(await get()).toEqual({ made: 1 })
})

test('does not retry after a failure', async () => {
  let count = 0
  const get = once(async () => {
    throw new Error(`no ${++count}`)
  })
  await expect(get()).rejects.toThrow('no 1')
  await expect(get()).rejects.toThrow('no 1')
})
