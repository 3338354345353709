// The clock runs forward, in milliseconds.
import { expect, test } from 'vitest'
import { monotonicNow } from '../../../internal/base/clock.ts'

test('the clock counts milliseconds and never goes back', async () => {
  const from = monotonicNow()
  const other = Date.now()
  await expect.poll(() => Date.now() - other, { interval: 1 }).toBeGreaterThanOrEqual(20)
  const passed = monotonicNow() - from
  expect(passed).toBeGreaterThan(15)
  let last = monotonicNow()
  for (let i = 0; i < 1000; i++) {
    const next = monotonicNow()
    expect(next).toBeGreaterThanOrEqual(last)
    last = next
  }
})
