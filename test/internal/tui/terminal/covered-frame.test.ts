// Frames that tmux shows on its alternate screen, because a narrower pane would move their rows into the history.
import { expect, it } from 'vitest'
import { openFrameCover } from '../../../../internal/tui/terminal/covered-frame.ts'

const size = { columns: 80, rows: 24 }
const wide = (count: number) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(79, '.'))
const content = (rows: readonly string[], finished: readonly string[] = []) => ({ rows, finished })

it('leaves frames unchanged that also fit a narrower pane, and all frames outside tmux', () => {
  expect(openFrameCover(true).fit(content(wide(10), ['one']), size)).toMatchObject(content(wide(10), ['one']))
  const tall = content(wide(20), ['one'])
  expect(openFrameCover(false).fit(tall, size)).toBe(tall)
})

it('shows a tall frame as a page below the last printed lines, and prints finished lines afterwards', () => {
  const cover = openFrameCover(true)
  cover.fit(content([], ['one', 'two']), size)
  const caret = { row: 3, column: 5 }
  const page = cover.fit({ ...content(wide(20), ['three']), caret }, size)
  expect(page).toMatchObject({ isPage: true, finished: ['three'], caret: { row: 7, column: 5 } })
  expect(page.rows).toEqual(['', 'one', 'two', 'three', ...wide(20)])
  const next = cover.fit(content(wide(19), ['four']), size)
  expect(next).toMatchObject({ isPage: true, finished: [] })
  expect(next.rows).toEqual(['', 'one', 'two', 'three', 'four', ...wide(19)])
  expect(cover.fit(content(wide(2), ['five']), size)).toMatchObject(content(wide(2), ['four', 'five']))
})

it('keeps the page until the frame is lower, so that a changing frame does not alternate', () => {
  const cover = openFrameCover(true)
  const isPage = (rows: number) => cover.fit(content(wide(rows)), size).isPage === true
  expect([10, 11, 10, 9, 10].map(isPage)).toEqual([false, true, true, false, false])
})

it('prints what a page of the session has held back, and never covers a streamed answer', () => {
  const cover = openFrameCover(true)
  cover.fit({ isPage: true, ...content([]) }, size)
  expect(cover.fit(content(wide(20), ['one']), size)).toMatchObject({ isPage: true, finished: [] })
  const fitted = { ...content(wide(20), ['two']), isFitted: true }
  expect(cover.fit(fitted, size)).toMatchObject(content(wide(20), ['one', 'two']))
})

it('returns at most as many rows as the terminal has', () => {
  const cover = openFrameCover(true)
  cover.fit(content([], wide(30)), size)
  expect(cover.fit(content(wide(22)), size).rows).toEqual([...wide(30).slice(-2), ...wide(22)])
  expect(cover.fit(content([], []), size)).toMatchObject(content([], []))
})
