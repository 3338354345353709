// Wake-ups: who waits before, after and no longer.
import { expect, test } from 'vitest'
import { createWakeUp } from '../../../internal/base/wake-up.ts'

test('wakes all waiting callers, and later callers at once', async () => {
  let happened = false
  const up = createWakeUp(() => happened)
  const { signal } = new AbortController()
  const both = Promise.all([up.next(signal), up.next(signal)])
  happened = true
  up.wake()
  await both
  await up.next(signal)
})

test('a cancelled caller stops waiting', async () => {
  const stop = new AbortController()
  const up = createWakeUp(() => false)
  const waiting = up.next(stop.signal)
  stop.abort(new Error('no longer'))
  await expect(waiting).rejects.toThrow('no longer')
  await expect(up.next(stop.signal)).rejects.toThrow('no longer')
  up.wake()
})
