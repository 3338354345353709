// Work that runs once for each key, and the limits of what is stored for it.
import { expect, test } from 'vitest'
import { ProblemError } from '../../../../internal/server/http/problem.ts'
import { onceById } from '../../../../internal/server/http/sent-once.ts'

const mebibyte = 1 << 20
/** Returns a result that takes `size` bytes as JSON. */
const resultOf = (size: number) => 'x'.repeat(size - 2)

/** Calls once for each key with results of these sizes, then again. Returns the keys that are still stored. */
async function storedOf(sizes: readonly number[]): Promise<number[]> {
  const once = onceById<string>()
  const runs = new Map<number, number>()
  const send = (key: number, size: number) =>
    once(String(key), async () => {
      runs.set(key, (runs.get(key) ?? 0) + 1)
      return resultOf(size)
    })
  for (const [key, size] of sizes.entries()) expect((await send(key, size)).length).toBe(size - 2)
  const stored: number[] = []
  for (const [key, size] of sizes.entries()) {
    const again = await send(key, size).catch((error: unknown) => error)
    if (typeof again === 'string') stored.push(key)
    else expect(again).toMatchObject({ status: 410, hint: expect.stringMatching(/another idempotency key/) })
    if (typeof again !== 'string') expect(again).toBeInstanceOf(ProblemError)
  }
  expect([...runs.values()].every((count) => count === 1)).toBe(true)
  return stored
}

const repeat = (count: number, size: number) => Array.from({ length: count }, () => size)

test.each([
  { sizes: repeat(8, 8 * mebibyte), stored: [0, 1, 2, 3, 4, 5, 6, 7] },
  { sizes: repeat(9, 8 * mebibyte), stored: [1, 2, 3, 4, 5, 6, 7, 8] },
  { sizes: [...repeat(8, 8 * mebibyte), 10], stored: [1, 2, 3, 4, 5, 6, 7, 8] },
  { sizes: [10, ...repeat(8, 8 * mebibyte)], stored: [1, 2, 3, 4, 5, 6, 7, 8] },
  { sizes: [60 * mebibyte, 10, 4 * mebibyte], stored: [1, 2] },
  { sizes: [10, 65 * mebibyte, 10], stored: [2] },
])('stores 64 MiB of results, the newest ones: $sizes', async ({ sizes, stored }) => {
  expect(await storedOf(sizes)).toEqual(stored)
})

test('the total is right after results were dropped', async () => {
  const sizes = Array.from({ length: 20 }, (_, i) => ((i * 7) % 19) * mebibyte + 10)
  const stored = await storedOf(sizes)
  const total = stored.reduce((sum, key) => sum + (sizes[key] ?? 0), 0)
  expect(total).toBeLessThanOrEqual(64 * mebibyte)
  const first = stored[0] as number
  expect(stored).toEqual(sizes.flatMap((_, key) => (key >= first ? [key] : [])))
  expect(total + (sizes[first - 1] as number)).toBeGreaterThan(64 * mebibyte)
})

test('work that still runs is never dropped, and its failure is the outcome of every call', async () => {
  const once = onceById<string>()
  let fail: (error: Error) => void = () => undefined
  const first = once('open', () => new Promise((_, reject) => (fail = reject)))
  for (let i = 0; i < 20; i++) await once(String(i), async () => resultOf(8 * mebibyte))
  const second = once('open', async () => 'ran twice')
  fail(new Error('it broke'))
  await expect(first).rejects.toThrow('it broke')
  await expect(second).rejects.toThrow('it broke')
  await expect(once('open', async () => 'ran twice')).rejects.toThrow('it broke')
})

test('of more than 1,000 keys the oldest is forgotten, and work without a key always runs', async () => {
  const once = onceById<number>()
  for (let i = 0; i <= 1_000; i++) await once(`key ${i}`, async () => i)
  expect(await once('key 1', async () => -1)).toBe(1)
  expect(await once('key 0', async () => -1)).toBe(-1)
  for (const result of [1, 2]) expect(await once(undefined, async () => result)).toBe(result)
})
