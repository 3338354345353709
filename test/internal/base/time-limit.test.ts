// A time limit fires although nothing but a combined signal looks at it and memory is swept in between.
import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, test } from 'vitest'
import {
  monotonicNow,
  timeLimit,
  unlessAborted,
  untilAborted,
  waitAtMost,
  withOwnSignal,
} from '../../../internal/base/time-limit.ts'

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

it('the abort reason of a time limit is a TimeoutError', async () => {
  const limit = timeLimit(-5)
  await expect.poll(() => limit.aborted).toBe(true)
  expect((limit.reason as DOMException).name).toBe('TimeoutError')
  expect(timeLimit(1e12).aborted).toBe(false)
})

it('returns a value that arrives in time, and reports one that is late', async () => {
  const never = new Promise<string>(() => undefined)
  expect(await waitAtMost(Promise.resolve('a'), 1_000)).toEqual({ value: 'a' })
  expect(await waitAtMost(never, 5)).toBe('late')
  expect(await waitAtMost(never, -5)).toBe('late')
  await expect(waitAtMost(Promise.reject(new Error('broken')), 1_000)).rejects.toThrow('broken')
})

it('a wait ends with its signal, also if the signal was aborted before', async () => {
  const never = new Promise<string>(() => undefined)
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 5)
  expect(await waitAtMost(never, 60_000, stop.signal)).toBe('aborted')
  expect(await waitAtMost(never, 60_000, stop.signal)).toBe('aborted')
})

it('returns a value that has arrived when the time is over', async () => {
  // both are due when the program has time again: the timer comes first
  const arrived = new Promise<string>((resolve) => setImmediate(() => resolve('a')))
  const end = waitAtMost(arrived, 1)
  const since = performance.now()
  while (performance.now() - since < 20);
  expect(await end).toEqual({ value: 'a' })
})

it('leaves no unhandled rejection after the wait', async () => {
  const failures: unknown[] = []
  const listen = (error: unknown) => failures.push(error)
  process.on('unhandledRejection', listen)
  let fail: (error: Error) => void = () => undefined
  const late = new Promise<never>((_, reject) => {
    fail = reject
  })
  expect(await waitAtMost(late, 1)).toBe('late')
  fail(new Error('late'))
  // a rejection without a handler is reported after the turn in which it happens
  await new Promise<void>((resolve) => setImmediate(resolve))
  await new Promise<void>((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', listen)
  expect(failures).toEqual([])
})

it('a wait ends with its signal, and leaves no unhandled rejection', async () => {
  const stop = new AbortController()
  let isRejected = false
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => {
      reject(new Error('late'))
      isRejected = true
    }, 20)
  })
  const waiting = unlessAborted(late, stop.signal)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect.poll(() => isRejected).toBe(true)
  expect(await unlessAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
})

it('waits until the signal is aborted, and returns at once if it already is', async () => {
  const stop = new AbortController()
  let isOver = false
  const waiting = untilAborted(stop.signal).then(() => {
    isOver = true
  })
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  stop.abort()
  await waiting
  await untilAborted(stop.signal)
})

it('passes a separate signal to the work and removes its listener', async () => {
  const outer = new AbortController()
  for (const fails of [false, true]) {
    const own = withOwnSignal(outer.signal, async (signal) => {
      signal.addEventListener('abort', () => undefined)
      if (fails) throw new Error('broken')
      return signal.aborted
    })
    if (fails) await expect(own).rejects.toThrow('broken')
    else expect(await own).toBe(false)
    expect(getEventListeners(outer.signal, 'abort')).toEqual([])
  }
  const reason = await withOwnSignal(outer.signal, async (signal) => {
    outer.abort('stop')
    return signal.reason
  })
  expect(reason).toBe('stop')
  expect(await withOwnSignal(outer.signal, async ({ aborted }) => aborted)).toBe(true)
})

// The clock runs forward, in milliseconds.

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
