// Ranking of paths by a few letters.
import { expect, test } from 'vitest'
import { collectBest, createScorer } from '../../../internal/search/fuzzy-score.ts'

const paths = [
  'internal/search/grep.ts',
  'internal/search/ripgrep/ripgrep.ts',
  'internal/tools/grep.ts',
  'test/internal/tools/grep.test.ts',
  'src/GraphReport.ts',
  'docs/grep/index.md',
  'src/generatedReports.ts',
  'README.md',
]

function ranked(query: string, caseSensitive = false): string[] {
  const score = createScorer(query, caseSensitive)
  const kept = collectBest<string>(10, (path) => path)
  for (const path of paths) {
    const points = score(path)
    if (points !== undefined) kept.add(path, points)
  }
  return kept.ranked().map((one) => one.item)
}

test('the name itself, its beginning, its parts, the folder, scattered letters', () => {
  expect(ranked('grep')).toEqual([
    'internal/tools/grep.ts',
    'internal/search/grep.ts',
    'test/internal/tools/grep.test.ts',
    'internal/search/ripgrep/ripgrep.ts',
    'docs/grep/index.md',
    'src/GraphReport.ts',
    'src/generatedReports.ts',
  ])
})

test.each([
  ['tools/grep.ts', 'internal/tools/grep.ts'],
  ['grep tools', 'internal/tools/grep.ts'],
  ['toolsgrep', 'internal/tools/grep.ts'],
  ['report', 'src/GraphReport.ts'],
  ['gr', 'src/GraphReport.ts'],
  ['readme', 'README.md'],
])('%s finds %s first', (query, path) => {
  expect(ranked(query)[0]).toBe(path)
})

test('case counts when asked for', () => {
  expect(ranked('readme', true)).toEqual([])
  expect(ranked('README', true)).toEqual(['README.md'])
})

test('every word must be there', () => {
  expect(ranked('grep zebra')).toEqual([])
})

test('the best are kept however many come, ties in order of the key', () => {
  const kept = collectBest<string>(3, (item) => item)
  for (let i = 5_000; i > 0; i--) kept.add(String(i).padStart(4, '0'), i % 10)
  expect(kept.ranked().map((one) => one.item)).toEqual(['0009', '0019', '0029'])
})
