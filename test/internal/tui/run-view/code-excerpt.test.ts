// Lines of a file around one of them, at any width.
import { expect, test } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { drawExcerpt } from '../../../../internal/tui/run-view/code-excerpt.ts'
import { penOf } from '../../../support/tui.ts'

const text = `${Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\n')}\n`

test.each([
  [10, ['   9  line 9', '▸ 10  line 10', '  11  line 11']],
  [1, ['▸ 1  line 1', '  2  line 2']],
  [12, ['  11  line 11', '▸ 12  line 12']],
  [13, []],
  [0, []],
])('line %d with its neighbours', (line, expected) => {
  expect(drawExcerpt(text, line, penOf())).toEqual(expected)
})

test('an empty file has one empty line', () => {
  expect(drawExcerpt('', 1, penOf())).toEqual(['▸ 1  '])
})

test.each([20, 40, 80])('at %d cells nothing is wider, and nothing steers the terminal', (width) => {
  const odd = `\u001b[2J${'漢字'.repeat(80)}\r\n\tx\u202e\r\nend`
  const lines = drawExcerpt(odd, 2, penOf(width))
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).not.toMatch(/[\u0000-\u001f\u202e]/)
    expect(countCells(line)).toBeLessThanOrEqual(width)
  }
})
