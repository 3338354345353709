// Found lines as text and as objects.
import { expect, test } from 'vitest'
import type { FileHits } from '../../../internal/search/hit-buffer.ts'
import { cappedRemarks, formatHits, matchList } from '../../../internal/search/hit-format.ts'

const line = (n: number, match: boolean, text = `l${n}`) => ({ line: n, match, text })
const hits: FileHits[] = [
  {
    name: 'a\n.ts',
    lines: [line(1, false), line(2, true), line(3, false), line(4, true), line(9, true, '\x1b[2J')],
    matches: 3,
  },
  { name: 'b', lines: [{ ...line(7, true), column: 3 }], matches: 1 },
]

test('formats matching lines and context lines as text, and escapes control characters', () => {
  expect(formatHits(hits, 'src/', true)).toBe(
    'src/a\\x0a.ts-1-l1\nsrc/a\\x0a.ts:2:l2\nsrc/a\\x0a.ts-3-l3\nsrc/a\\x0a.ts:4:l4\n--\nsrc/a\\x0a.ts:9:\\x1b[2J\n--\nsrc/b:7:l7',
  )
  expect(formatHits(hits, '', false)).not.toContain('--')
})

test('returns matches as objects, with context lines only on request', () => {
  expect(matchList(hits.slice(1), 'src/', { before: 0, after: 0 })).toEqual([
    { path: 'src/b', line: 7, column: 3, text: 'l7' },
  ])
  expect(matchList(hits.slice(0, 1), '', { before: 1, after: 1 })).toEqual([
    {
      path: 'a\n.ts',
      line: 2,
      text: 'l2',
      before: [{ line: 1, text: 'l1' }],
      after: [{ line: 3, text: 'l3' }],
    },
    { path: 'a\n.ts', line: 4, text: 'l4', before: [], after: [] },
    { path: 'a\n.ts', line: 9, text: '\x1b[2J', before: [], after: [] },
  ])
})

test('adds a note for each of the first files that have more matches than the limit', () => {
  const capped = Array.from({ length: 7 }, (_, i) => ({ name: `f${i}`, total: i === 0 ? 1_234 : undefined }))
  const remarks = cappedRemarks(capped, 'd/', 50)
  expect(remarks[0]).toBe('d/f0: 50 of 1,234 matching lines; raise max_matches for the rest')
  expect(remarks[1]).toContain('d/f1: 50 of more than 50')
  expect(remarks.at(-1)).toBe('2 more files have over 50 matching lines')
})
