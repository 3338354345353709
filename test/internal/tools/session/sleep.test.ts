// The tool sleep: its ends, and its bounds.
import { expect, test } from 'vitest'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import { sleep } from '../../../../internal/tools/session/sleep.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

test('sleeps for the whole time', async () => {
  const { text, data } = await call(sleep, { seconds: 0.05 }, ctxWith())
  expect(data).toEqual({ status: 'completed', requested_seconds: 0.05, slept_seconds: 0.05 })
  expect(text).toBe('slept 0.05 s of 0.05 s')
})

test('a cancelled sleep is a result, not a failure', async () => {
  const stop = new AbortController()
  const sleeping = call(sleep, { seconds: 3600 }, ctxWith({}, { signal: stop.signal }))
  setTimeout(() => stop.abort(), 10)
  const { data, failed } = await sleeping
  expect(failed).toBeUndefined()
  expect(data).toMatchObject({ status: 'cancelled', requested_seconds: 3600 })
})

test('wakes up on an interruption, and stops watching for it', async () => {
  let watched: AbortSignal | undefined
  const interruption = async (signal: AbortSignal) => {
    watched = signal
  }
  expect((await call(sleep, { seconds: 3600 }, ctxWith({ interruption }))).data).toMatchObject({
    status: 'woken',
  })
  expect(watched?.aborted).toBe(true)
})

test.each([
  [0, true],
  [3600, true],
  [3600.5, false],
  [-1, false],
  [Number.NaN, false],
])('%d seconds fit: %s', (seconds, fits) => {
  expect(parseArguments(sleep.input, { seconds }).ok).toBe(fits)
})
