// The clock runs forward, in milliseconds.
import { expect, test } from 'vitest'
import { now } from '../../../internal/base/clock.ts'

test('it counts milliseconds and never goes back', async () => {
  const from = now()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const passed = now() - from
  expect(passed).toBeGreaterThan(15)
  let last = now()
  for (let i = 0; i < 1000; i++) {
    const next = now()
    expect(next).toBeGreaterThanOrEqual(last)
    last = next
  }
})
