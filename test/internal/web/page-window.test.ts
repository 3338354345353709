// Windows of a page: lines and characters, long lines, characters of two units, and time proportional
// to the size.
import { expect, test } from 'vitest'
import { cutWindow, pageLines } from '../../../internal/web/page-window.ts'
import { leastCost } from '../../support/cost.ts'

test('stops lines at the limit of characters, and the next window starts at the end of this one', () => {
  const text = 'aaaa\nbbbb\ncccc\n'
  expect(cutWindow(text, { start_line: 1, max_chars: 9 })).toEqual({
    ...{ text: 'aaaa\nbbbb', start_line: 1, end_line: 2, total_lines: 3, total_chars: 15, next_line: 3 },
    isWhole: false,
  })
  expect(cutWindow(text, { start_line: 3, max_chars: 9 })).toMatchObject({ text: 'cccc', end_line: 3 })
  expect(cutWindow(text, { start_line: 3, max_chars: 9 })).not.toHaveProperty('next_line')
  expect(cutWindow(text, { start_line: 2, max_chars: 2 })).toMatchObject({
    text: 'bb',
    end_line: 2,
    next_line: 3,
  })
  expect(cutWindow(text, { start_line: 2, end_line: 2, max_chars: 9 })).toMatchObject({
    text: 'bbbb',
    next_line: 3,
  })
  expect(cutWindow('', { start_line: 1, max_chars: 9 })).toMatchObject({
    text: '',
    end_line: 0,
    total_lines: 0,
  })
})

test('a page is complete if only its last line end is missing', () => {
  const isWhole = (text: string, window: object) =>
    cutWindow(text, { start_line: 1, max_chars: 5_000, ...window }).isWhole
  const text = 'one\ntwo\n'
  for (const window of [{}, { end_line: 2 }, { end_line: 9 }, { max_chars: 7 }, { start_char: 0 }])
    expect(isWhole(text, window)).toBe(true)
  for (const window of [
    { start_line: 2 },
    { end_line: 1 },
    { max_chars: 6 },
    { start_char: 1 },
    { start_line: 9 },
  ])
    expect(isWhole(text, window)).toBe(false)
  expect([isWhole('', {}), isWhole('abc', { max_chars: 2 })]).toEqual([true, false])
  // the parts of a split line have additional line ends
  const long = 'word '.repeat(900)
  expect([isWhole(long, {}), isWhole(long, { max_chars: 4_499 })]).toEqual([true, false])
})

test('counts characters from 0 and never splits one', () => {
  const text = 'ab\n😀cd'
  expect(cutWindow(text, { start_line: 1, start_char: 0, max_chars: 4 })).toMatchObject({
    ...{ text: 'ab\n', start_char: 0, next_char: 3, start_line: 1, end_line: 1, total_lines: 2 },
  })
  expect(cutWindow(text, { start_line: 1, start_char: 3, max_chars: 9 })).toMatchObject({
    ...{ text: '😀cd', start_line: 2, end_line: 2 },
  })
  expect(cutWindow(text, { start_line: 1, start_char: 99, max_chars: 9 })).toMatchObject({ text: '' })
})

test('splits a long line into several, at white space if possible', () => {
  const words = 'word '.repeat(900).trim()
  expect(pageLines(words).map((line) => line.length)).toEqual([2000, 2000, 499])
  expect(pageLines(words).join('')).toBe(words)
  const adapters = pageLines('😀'.repeat(1_500))
  expect(adapters.every((line) => line.isWellFormed?.() ?? true)).toBe(true)
  expect(adapters.join('')).toBe('😀'.repeat(1_500))
})

test('reads one line of 5 MiB in linear time', () => {
  const text = 'y'.repeat(5 << 20)
  const read = () => expect(pageLines(text)).toHaveLength(Math.ceil(text.length / 2_000))
  expect(leastCost(1_000, read)).toBeLessThan(1_000)
})
