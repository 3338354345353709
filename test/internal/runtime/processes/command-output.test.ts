// The output of running commands: sent at intervals, limited to the end of a flood, and only if
// a client watches.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../internal/event/event.ts'
import { createCommandOutput } from '../../../../internal/runtime/processes/command-output.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watchOutput(isWatched = () => true) {
  const told: { call: string; text: string; skipped?: number | undefined }[] = []
  const show = createCommandOutput((event: Event) => {
    if (event.type === 'tool.output') told.push(event.payload)
  }, isWatched)
  return { told, show: (call: string, text: string | Buffer) => show(call, Buffer.from(text)) }
}

test('combines pieces for each call separately, with whole characters', async () => {
  const { told, show } = watchOutput()
  const sign = Buffer.from('漢')
  show('a', 'one\n')
  show('b', 'other\n')
  show('a', sign.subarray(0, 1))
  show('a', sign.subarray(1))
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toEqual([
    { call: 'a', text: 'one\n漢' },
    { call: 'b', text: 'other\n' },
  ])
})

test('sends the end of a flood, with the number of skipped characters', async () => {
  const { told, show } = watchOutput()
  for (let i = 0; i < 200; i++) show('a', `${'x'.repeat(50_000)}\n`)
  show('a', 'the end\n')
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toHaveLength(1)
  expect(told[0]?.text.length).toBeLessThanOrEqual(4_096)
  expect(told[0]?.text).toMatch(/the end\n$/)
  expect((told[0]?.skipped ?? 0) + (told[0]?.text.length ?? 0)).toBe(200 * 50_001 + 8)
})

test('sends nothing for a call that has ended', async () => {
  const { told, show } = watchOutput(() => false)
  show('a', 'late\n')
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toEqual([])
})
