// More lines than a call takes arguments.
import { expect, test } from 'vitest'
import { appendLines } from '../../../../internal/base/text/append-lines.ts'

test('adds half a million lines in order', () => {
  const lines = ['first']
  appendLines(
    lines,
    Array.from({ length: 500_000 }, (_, i) => `${i}`),
  )
  expect(lines).toHaveLength(500_001)
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['first', '0', '499999'])
})
