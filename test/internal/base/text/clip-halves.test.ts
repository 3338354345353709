// The cut in the middle: bytes, then lines, half from each end.
import { expect, test } from 'vitest'
import { clipHalves } from '../../../../internal/base/text/clip-halves.ts'
import { clipResult } from '../../../../internal/tool/clip/result-fit.ts'

const cut = (text: string, chars: number, lines = Number.POSITIVE_INFINITY) =>
  clipHalves(text, { chars, lines }).text

test.each([
  ['at the limit nothing', '0123456789', 10, '0123456789'],
  ['an even limit', '0123456789ab', 10, '01234\n… 2 bytes removed …\n789ab'],
  ['half of an odd limit is rounded down', '0123456789ab', 9, '0123\n… 4 bytes removed …\n89ab'],
  ['no character is torn', 'ééééé', 6, 'é\n… 6 bytes removed …\né'],
  [
    'at line ends no line is added',
    'ab\ncdefg\nhi',
    6,
    'ab\n… 5 bytes removed …\n\nhi'.replace('\n\n', '\n'),
  ],
])('cuts the middle: %s', (_, text, chars, expected) => {
  expect(cut(text, chars)).toBe(expected)
})

test('keeps half of the lines from each end, and does not count the final line end as a line', () => {
  const seq = (n: number) => `${Array.from({ length: n }, (_, i) => i + 1).join('\n')}\n`
  expect(cut(seq(4), 1000, 4)).toBe(seq(4))
  expect(cut(seq(5), 1000, 4)).toBe('1\n2\n… 1 lines omitted …\n4\n5\n')
  expect(cut(seq(400), 30_000, 256)).toContain('128\n… 144 lines omitted …\n273\n')
})

test('cuts by bytes first, and then by lines', () => {
  const text = `${'x'.repeat(50)}\n`.repeat(100)
  expect(
    cut(text, 1020, 6)
      .split('\n')
      .filter((line) => line.startsWith('…')),
  ).toHaveLength(1)
})

test('reports how many lines are missing', async () => {
  expect(clipHalves('a\nb\nc\n', { chars: 100, lines: 2 })).toMatchObject({ lines: 1 })
  expect((await clipResult('a\nb\nc\n', { chars: 100, lines: 2, keep: 'halves' })).text).toBe(
    'a\n… 1 lines omitted …\nc\n',
  )
  expect(await clipResult('short', { chars: 100, lines: 2, keep: 'halves' })).toEqual({
    text: 'short',
    lines: 0,
    chars: 0,
  })
})
