// The moment at which a dialog may take the keyboard focus.
import { expect, test } from 'vitest'
import {
  isBlindKey,
  mayOpenDialog,
  notShown,
  showDialog,
} from '../../../../internal/tui/dialog/dialog-focus.ts'

test('opens only over an empty editor, and not while the user types', () => {
  expect(mayOpenDialog({ text: '', lastKeyAt: 0 }, 800)).toBe(true)
  expect(mayOpenDialog({ text: '', lastKeyAt: 1 }, 800)).toBe(false)
  expect(mayOpenDialog({ text: 'a', lastKeyAt: 0 }, 9_000)).toBe(false)
})

test('ignores keys of its first moments', () => {
  expect(isBlindKey(1_000, 1_299)).toBe(true)
  expect(isBlindKey(1_000, 1_300)).toBe(false)
  expect(isBlindKey(notShown, Number.MAX_VALUE)).toBe(true)
  expect(showDialog(showDialog({ shownAt: notShown }, 5), 9)).toEqual({ shownAt: 5 })
})

test('a clock that was set back delays nothing', () => {
  expect(mayOpenDialog({ text: '', lastKeyAt: 1e9 }, 1_000)).toBe(true)
  expect(isBlindKey(1e9, 1_000)).toBe(false)
})
