// The window over rows, which counts as read only when every row has been on the screen.
import { expect, it } from 'vitest'
import {
  isRead,
  openPager,
  positionText,
  rebreakPager,
  scrollBy,
} from '../../../../internal/tui/terminal/pager.ts'
import { rng } from '../../../support/rng.ts'

const rowsOf = (lines: number, each: number) =>
  Array.from({ length: lines * each }, (_, i) => ({ text: `${i}`, line: Math.floor(i / each) }))

it('500 random walks with resizes: every line that counts as read was shown', () => {
  const random = rng(20260806)
  for (let walk = 0; walk < 500; walk++) {
    const lines = 1 + Math.floor(random() * 60)
    let pager = openPager(rowsOf(lines, 1), 1 + Math.floor(random() * 20))
    const shown = new Map<number, Set<number>>()
    const look = () => {
      const each = pager.rows.length / lines
      for (const row of pager.rows.slice(pager.top, pager.top + pager.height)) {
        const parts = shown.get(row.line) ?? new Set<number>()
        // as a share of the line, with any number of rows
        for (let part = 0; part < 60 / each; part++) parts.add(((Number(row.text) % each) * 60) / each + part)
        shown.set(row.line, parts)
      }
    }
    look()
    for (let step = 0; step < 60; step++) {
      pager =
        random() < 0.15
          ? rebreakPager(pager, rowsOf(lines, 1 + Math.floor(random() * 4)), 1 + Math.floor(random() * 20))
          : scrollBy(pager, Math.floor(random() * 60) - 15)
      look()
      if (!isRead(pager)) continue
      for (let line = 0; line < lines; line++) expect(shown.get(line)?.size).toBe(60)
      break
    }
  }
})

it('returns its position', () => {
  const pager = openPager(rowsOf(240, 1), 18)
  expect(positionText(pager)).toBe('lines 1-18 of 240')
  expect(positionText(scrollBy(pager, 1000))).toBe('lines 19-36 of 240')
  expect(isRead(openPager(rowsOf(18, 1), 18))).toBe(true)
})
