// The moving row: drawn in its position, within the width, filtered, and cleared on request.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { openLiveRow } from '../../../../internal/tui/terminal/live-row.ts'
import { penOf, sink } from '../../../support/tui.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([20, 40, 80])('at %d cells leaves the last column free and shows the end', (width) => {
  const out = sink(true)
  let text: string | undefined = `\u001b[2J漢${'字'.repeat(100)} the end`
  const row = openLiveRow(
    out.write,
    () => penOf(width),
    () => text,
  )
  vi.advanceTimersByTime(1_000)
  const rows = out.text().split('\r').slice(1)
  expect(rows.length).toBeGreaterThan(5)
  for (const one of rows) {
    expect(one).toMatch(/^. .*the end\u001b\[K$/)
    expect(countCells(one.replace('\u001b[K', ''))).toBeLessThan(width)
  }
  const before = out.text()
  text = undefined
  vi.advanceTimersByTime(1_000)
  expect(out.text()).toBe(`${before}\r\u001b[2K`)
  row.stop()
  vi.advanceTimersByTime(1_000)
  expect(out.text()).toBe(`${before}\r\u001b[2K`)
})

test('moves without Unicode too', () => {
  const out = sink(true)
  const row = openLiveRow(
    out.write,
    () => penOf(40, 0, false),
    () => 'thinking',
  )
  vi.advanceTimersByTime(500)
  row.stop()
  expect(out.text()).toMatch(/^\r[|] thinking\u001b\[K\r[/] thinking/)
  expect(out.text()).toMatch(/\r\u001b\[2K$/)
})
