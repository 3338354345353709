// Plain BM25 over paragraphs, against scores computed by hand.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rankParagraphsBm25 } from '../../../internal/retrieval/baseline.ts'
import { scratchWith } from '../../support/scratch.ts'

const texts = { 'a.md': 'lock lock file\n\nother words here\n', 'b.md': 'a lock of hair\n\nfile\n' }
const filesOf = () => {
  const dir = scratchWith(texts)
  return Object.keys(texts).map((path) => ({ path, real: join(dir, path) }))
}

test('the paragraph with the rarer and more frequent words comes first', async () => {
  const found = await rankParagraphsBm25(filesOf(), 'the lock file', 1_000)
  expect(found.map(({ path, from, to }) => [path, from, to])).toEqual([
    ['a.md', 1, 1],
    ['b.md', 3, 3],
    ['b.md', 1, 1],
  ])
  const idf = Math.log(1 + (4 - 2 + 0.5) / 2.5)
  const norm = 1.2 * (0.25 + (0.75 * 3) / (11 / 4))
  expect(found[0]?.score).toBeCloseTo((idf * 2 * 2.2) / (2 + norm) + (idf * 2.2) / (1 + norm), 6)
})

test('stops at the limit of characters', async () => {
  const found = await rankParagraphsBm25(filesOf(), 'lock file', 16)
  expect(found.map(({ text }) => text)).toEqual(['lock lock file', 'fi'])
  expect(await rankParagraphsBm25(filesOf(), 'nothing of that', 100)).toEqual([])
})
