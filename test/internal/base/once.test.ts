// What is made once is made on first use and shared, a failure too.
import { expect, test } from 'vitest'
import { once } from '../../../internal/base/once.ts'

test('made on first use, the same for all', async () => {
  let count = 0
  const get = once(async () => ({ made: ++count }))
  expect(count).toBe(0)
  const [a, b] = await Promise.all([get(), get()])
  expect(a).toBe(b)
  expect(await get()).toEqual({ made: 1 })
})

test('a failure is not tried again', async () => {
  let count = 0
  const get = once(async () => {
    throw new Error(`no ${++count}`)
  })
  await expect(get()).rejects.toThrow('no 1')
  await expect(get()).rejects.toThrow('no 1')
})
