// Search on the transcript: each matching line once, its block, and the selection after scrolling.
import { expect, test } from 'vitest'
import { makePen } from '../../../../internal/render/pen.ts'
import {
  findNext,
  markFound,
  meanShownBlock,
  type SearchedLines,
  writeSearch,
} from '../../../../internal/tui/page/transcript-search.ts'
import { lookOf } from '../../../support/session-view.ts'

const rows = 11
/**
 * Thirty lines with a block at every fifth. The search text is near the beginning and twice on the last rows.
 */
const page: SearchedLines = {
  lines: Array.from({ length: 30 }, (_, i) =>
    [3, 25, 28].includes(i) ? ` \x1b[31mThe\x1b[39m Loss ${i}` : ` line ${i}`,
  ),
  starts: Array.from({ length: 6 }, (_, i) => ({ line: i * 5 })),
  ...{ top: 20, at: 5, search: { text: 'the loss', isOpen: false } },
}

test('the next match is another line, also among the last rows, and its block is selected', () => {
  const found: (number | undefined)[] = []
  let now = page
  for (let i = 0; i < 4; i++) {
    now = findNext(now, 1, rows)
    found.push(now.search.found)
    const line = now.search.found ?? 0
    expect(line >= now.top && line < now.top + rows - 1).toBe(true)
    expect(now.at).toBe(Math.floor(line / 5))
  }
  expect(found).toEqual([25, 28, 3, 25])
  expect(findNext(now, -1, rows).search.found).toBe(3)
})

test('reports a text without a match, and does not scroll', () => {
  const typed = [...'no.e'].reduce((before, key) => writeSearch(before, { key, text: key }, rows), {
    ...page,
    search: { text: '', isOpen: true },
  })
  const now = writeSearch(typed, { key: 'enter', text: '' }, rows)
  expect(now.search).toEqual({ text: 'no.e', isOpen: false, found: -1 })
  expect(now.top).toBe(page.top)
})

test('the selection is visible after scrolling, also within a long block', () => {
  expect(meanShownBlock({ ...page, top: 7, at: 5 }, rows).at).toBe(3)
  expect(meanShownBlock({ ...page, top: 7, at: 0 }, rows).at).toBe(2)
  expect(meanShownBlock({ ...page, top: 7, at: 2 }, rows).at).toBe(2)
  const starts = [{ line: 0 }, { line: 29 }]
  expect(meanShownBlock({ ...page, starts, top: 7, at: 1 }, rows).at).toBe(0)
})

test('shows the match in reverse', () => {
  expect(markFound(page.lines[3] as string, 'loss', makePen(lookOf(80, 1)))).toBe(
    ' The \x1b[7mLoss\x1b[27m 3',
  )
})
