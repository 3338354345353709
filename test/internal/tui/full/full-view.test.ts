// The window over a conversation: it follows the end, stays after scrolling, and counts new lines.
import { expect, test } from 'vitest'
import {
  describeNewLines,
  fitFullView,
  openFullView,
  scrollFullView,
} from '../../../../internal/tui/full/full-view.ts'

test('keeps the end visible, and moves the window only now and then', () => {
  let view = openFullView
  let moves = 0
  for (let total = 1; total <= 200; total++) {
    const next = fitFullView(view, total, 20, false)
    if (next.top !== view.top) moves++
    view = next
    expect(total - view.top, `line ${total}`).toBeLessThanOrEqual(20)
    expect(total - view.top).toBeGreaterThan(0)
  }
  expect(moves).toBeLessThan(50)
  expect(fitFullView(openFullView, 200, 20, true).top).toBe(180)
  expect(fitFullView(view, 5, 20, false).top).toBe(0)
})

test('stays after scrolling, shows the number of new lines, and follows again at the end', () => {
  const begun = fitFullView(openFullView, 100, 20, true)
  const up = scrollFullView(begun, -30, 100, 20)
  expect(up).toMatchObject({ top: 50, follows: false })
  expect(describeNewLines(up, 100)).toBe('End goes to the end')
  expect(fitFullView(up, 112, 20, false).top).toBe(50)
  expect(describeNewLines(up, 112)).toBe('12 new lines, End')
  expect(scrollFullView(up, -1_000, 112, 20).top).toBe(0)
  expect(scrollFullView(up, 1_000, 112, 20)).toMatchObject({ top: 92, follows: true })
  expect(describeNewLines(scrollFullView(up, 1_000, 112, 20), 112)).toBe('')
})
