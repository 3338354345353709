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

test('ranks the exact name first, then its beginning, its parts, the directory, and scattered letters', () => {
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

test('compares letter case only on request', () => {
  expect(ranked('readme', true)).toEqual([])
  expect(ranked('README', true)).toEqual(['README.md'])
})

test('finds nothing if one word of the query does not match', () => {
  expect(ranked('grep zebra')).toEqual([])
})

test('keeps only the best items of any number, and sorts ties by key', () => {
  const kept = collectBest<string>(3, (item) => item)
  for (let i = 5_000; i > 0; i--) kept.add(String(i).padStart(4, '0'), i % 10)
  expect(kept.ranked().map((one) => one.item)).toEqual(['0009', '0019', '0029'])
})

/** Rows of letters with capitals, digits, separators and a letter outside ASCII. */
function randomText(random: () => number, most: number): string {
  const letters = 'abcABC./_- 1257é'
  return Array.from({ length: random() % most }, () => letters[random() % letters.length]).join('')
}

test('a path matches every word whose letters it contains in order, and no other word', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed >> 8
  }
  const holds = (path: string, word: string) => {
    let at = 0
    for (const letter of word) at = path.indexOf(letter, at) + 1 || Number.POSITIVE_INFINITY
    return at !== Number.POSITIVE_INFINITY
  }
  let fits = 0
  for (let i = 0; i < 20_000; i++) {
    const [query, more, path] = [randomText(random, 5), randomText(random, 3), randomText(random, 14)]
    const expected = query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => holds(path.toLowerCase(), word))
    expect(createScorer(query, false)(path) !== undefined, JSON.stringify({ query, path })).toBe(expected)
    if (expected) fits++
    else
      expect(createScorer(query + more, false)(path), JSON.stringify({ query, more, path })).toBeUndefined()
  }
  expect(fits).toBeGreaterThan(2_000)
})
