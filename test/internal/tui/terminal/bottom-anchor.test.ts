// Rows of a tmux pane that move to its end, so that a narrower pane does not move them into the history.
import { afterEach, expect, it, vi } from 'vitest'
import { openBottomAnchor } from '../../../../internal/tui/terminal/bottom-anchor.ts'

afterEach(() => {
  vi.useRealTimers()
})

function openAnchor(env: Readonly<Record<string, string>> = { TERM: 'tmux-256color' }) {
  const done: string[] = []
  const io = { rows: () => 24, write: (text: string) => void done.push(text) }
  const on = { ask: () => void done.push('ask'), settled: () => void done.push('frames') }
  return { done, anchor: openBottomAnchor(io, env, on) }
}

const place = (row: number) => ({ row, column: 0 })
/** Returns a frame of `height` rows with the cursor in this row and column. */
const frame = (height: number, row = 0, column = 0) => ({
  rows: Array.from({ length: height }, (_, i) => `row ${i}`),
  row,
  column,
})

const frees = [
  [3, 6, '\x1b[1;1H\x1b[15L\x1b[19;1H', 'moves the rows down by the 15 empty rows'],
  [14, 6, '\x1b[1;1H\x1b[4L\x1b[19;1H', 'moves the rows down by 4 empty rows'],
  [15, 6, undefined, 'leaves rows with few empty rows below'],
  [18, 6, undefined, 'leaves rows at the end'],
] as const

it.each(frees)('at row %i with %i rows: %j: %s', (row, height, bytes) => {
  const { done, anchor } = openAnchor()
  anchor.drawn(frame(height))
  expect(anchor.isPending()).toBe(true)
  expect(anchor.placed(place(row))).toBe(true)
  expect(done).toEqual(['ask', ...(bytes === undefined ? [] : [bytes]), 'frames'])
  expect(anchor.isPending()).toBe(false)
  anchor.drawn(frame(height))
  expect(done.filter((one) => one === 'ask')).toHaveLength(1)
})

it('moves a frame whose cursor is in the input, and puts the cursor back there', () => {
  const { done, anchor } = openAnchor()
  anchor.drawn(frame(5, 1, 4))
  anchor.placed({ row: 3, column: 4 })
  expect(done).toEqual(['ask', '\x1b[1;1H\x1b[17L\x1b[21;5H', 'frames'])
})

it.each(['xterm-256color', 'screen', ''])('asks nothing outside of tmux: %s', (term) => {
  const { done, anchor } = openAnchor({ TERM: term })
  anchor.drawn(frame(6))
  expect(done).toEqual([])
  expect(anchor.placed(place(3))).toBe(false)
})

it('swallows an answer for an earlier size, and asks again for the new one', () => {
  const { done, anchor } = openAnchor({ TMUX: '/tmp/tmux', TERM: 'screen' })
  anchor.drawn(frame(6))
  anchor.reset()
  anchor.drawn(frame(8))
  expect(anchor.placed(place(3))).toBe(true)
  expect(done).toEqual(['ask', 'ask'])
  anchor.placed(place(10))
  expect(done.slice(2)).toEqual(['\x1b[1;1H\x1b[6L\x1b[17;1H', 'frames'])
})

it('releases the frames when the terminal does not answer, and asks three times at most', () => {
  vi.useFakeTimers()
  const { done, anchor } = openAnchor()
  for (let i = 0; i < 6; i++) {
    anchor.drawn(frame(6))
    vi.advanceTimersByTime(10_000)
    expect(anchor.isPending()).toBe(false)
  }
  expect(done).toEqual(['ask', 'frames', 'ask', 'frames', 'ask', 'frames'])
})

it('asks no more once it is closed', () => {
  const { done, anchor } = openAnchor()
  anchor.close()
  anchor.reset()
  anchor.drawn(frame(6))
  expect(done).toEqual([])
})
