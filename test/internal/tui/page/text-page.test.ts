// A page of lines: how far it was read, and which keys it names where it is narrow.
import { expect, test } from 'vitest'
import { fitKeys } from '../../../../internal/tui/page/live-page.ts'
import { createFixedPage } from '../../../../internal/tui/page/text-page.ts'
import { lookOf } from '../../../support/session-view.ts'

const key = (name: string) => ({ key: name, text: '' })
const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)

test('it is read once every line was shown; a leap to the end passes over some', () => {
  let finished = 0
  const page = createFixedPage(
    () => lines,
    () => finished++,
  )
  const draw = (width = 40) => page.draw(lookOf(width), 11, 0).join('\n')
  draw()
  page.press(key('end'))
  expect(draw()).toContain('line 29')
  expect(finished).toBe(0)
  page.press(key('home'))
  draw()
  for (let i = 0; i < 2; i++) {
    page.press(key('space'))
    draw()
  }
  // at another width nothing was seen yet
  draw(60)
  expect(finished).toBe(0)
  page.press(key('home'))
  for (let i = 0; i < 4; i++) {
    draw(60)
    page.press(key('space'))
  }
  expect(finished).toBeGreaterThan(0)
})

test('where keys have no room the way back stays', () => {
  const keys = 'lines 1-9 of 99  Enter opens  Tab next  / search  Esc back'
  const cells = (text: string) => text.length
  expect(fitKeys(keys, 80, cells)).toBe(keys)
  expect(fitKeys(keys, 40, cells)).toBe('lines 1-9 of 99  Enter opens  Esc back')
  expect(fitKeys('one   Esc back', 3, cells)).toBe('one   Esc back')
})
