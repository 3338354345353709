// Waiting for a server: what came in time, what was late, what was cancelled.
import { expect, it } from 'vitest'
import { awaitWithin, startAlarm } from '../../../internal/lsp/wait-limit.ts'

const never = new Promise<string>(() => undefined)
const { signal } = new AbortController()

it('the error says what was awaited and why the wait ended', async () => {
  expect(await awaitWithin(Promise.resolve('a'), { timeoutMs: 1_000, signal }, 'it')).toBe('a')
  await expect(awaitWithin(never, { timeoutMs: 5, signal }, 'hover by x')).rejects.toMatchObject({
    failure: { code: 'timeout', message: 'hover by x took longer than 5 ms' },
  })
  await expect(
    awaitWithin(never, { timeoutMs: 60_000, signal: AbortSignal.abort() }, 'hover by x'),
  ).rejects.toMatchObject({ failure: { code: 'cancelled', message: 'hover by x was cancelled' } })
  await expect(awaitWithin(Promise.reject(new Error('no')), { timeoutMs: 5, signal }, 'it')).rejects.toThrow(
    'no',
  )
})

it('aborts at the time limit or with the caller, and not after the work is done', async () => {
  const late = startAlarm({ timeoutMs: 5, signal })
  await expect.poll(() => late.signal.aborted).toBe(true)
  expect(startAlarm({ timeoutMs: 60_000, signal: AbortSignal.abort() }).signal.aborted).toBe(true)
  const stop = new AbortController()
  const done = startAlarm({ timeoutMs: 5, signal: stop.signal })
  done.done()
  stop.abort()
  const later = startAlarm({ timeoutMs: 10, signal })
  await expect.poll(() => later.signal.aborted).toBe(true)
  expect(done.signal.aborted).toBe(false)
})
