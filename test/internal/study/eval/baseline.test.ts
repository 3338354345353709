import { expect, it } from 'vitest'
import { rankParagraphsBm25 } from '../../../../internal/study/eval/baseline.ts'

const files = [
  {
    path: 'a.md',
    text: 'The kiln is fired at 900 degrees.\n\nThe glaze dries for two days.\n\nNothing else.',
  },
  { path: 'b.md', text: 'The kiln is red.\r\n\r\nThe kiln is old, and the kiln of the potter is small.' },
]

it('ranks paragraphs by rare words first', () => {
  const found = rankParagraphsBm25(files, 'How long does the glaze dry? It dries.', 1000)
  expect(found[0]).toMatchObject({ path: 'a.md', text: 'The glaze dries for two days.' })
  expect(found.map(({ text }) => text)).not.toContain('Nothing else.')
  for (const [i, one] of found.entries())
    expect(one.score).toBeLessThanOrEqual(found[i - 1]?.score ?? Infinity)
})

it('weighs a word by how often it stands in how few words', () => {
  const [first, second] = rankParagraphsBm25(files, 'kiln', 1000)
  expect([first?.path, second?.path]).toEqual(['b.md', 'b.md'])
})

it('keeps to the letters', () => {
  const found = rankParagraphsBm25(files, 'kiln glaze', 40)
  expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBe(40)
  expect(rankParagraphsBm25(files, 'kiln glaze', 0)).toEqual([])
  expect(rankParagraphsBm25(files, 'moon', 1000)).toEqual([])
  expect(rankParagraphsBm25([], 'kiln', 1000)).toEqual([])
})
