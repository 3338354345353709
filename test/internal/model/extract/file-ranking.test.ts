// Checks weights of terms, the order of files, and windows around hits.
import { expect, test } from 'vitest'
import {
  computeIdf,
  mergeWindows,
  rankFiles,
  type TermHit,
  weighFile,
  weighTerms,
} from '../../../../internal/model/extract/file-ranking.ts'

const hit = (path: string, line: number, term: string): TermHit => ({ path, line, term })

test('rarity follows the formula and never falls below zero', () => {
  expect(computeIdf(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5))
  expect(computeIdf(10, 10)).toBeCloseTo(Math.log(1 + 0.5 / 10.5))
  expect(computeIdf(1, 5)).toBe(0)
  expect(computeIdf(10, 1)).toBeGreaterThan(computeIdf(10, 2))
})

test('weights know what is missing', () => {
  const weight = weighTerms(
    ['lock', 'lease', 'moon'],
    [hit('a', 1, 'lock'), hit('a', 2, 'lock'), hit('b', 1, 'lock'), hit('b', 2, 'lease')],
    40,
  )
  expect(weight.of('lock')).toBeCloseTo(computeIdf(40, 2))
  expect(weight.of('lease')).toBeCloseTo(computeIdf(40, 1))
  expect(weight.of('never asked')).toBe(0)
  expect(weight.missing).toEqual(['moon'])
})

const first = (hits: TermHit[]) => {
  const terms = [...new Set(hits.map(({ term }) => term))]
  return rankFiles(hits, weighTerms(terms, hits, 40))
}

test('a frequent rare word ranks before a frequent common one, ties by path', () => {
  const rare = [hit('rare.md', 1, 'lease'), hit('rare.md', 2, 'lease')]
  const common = ['b.md', 'a.md', 'c.md'].flatMap((path) => [hit(path, 1, 'lock'), hit(path, 2, 'lock')])
  expect(first([...common, ...rare])).toEqual(['rare.md', 'a.md', 'b.md', 'c.md'])
})

test('a file with all words ranks before a long one with many of a single word', () => {
  const long = Array.from({ length: 60 }, (_, i) => hit('long.md', i + 1, 'lock'))
  expect(first([...long, hit('both.md', 1, 'lock'), hit('both.md', 9, 'lease')])).toEqual([
    'both.md',
    'long.md',
  ])
})

test('words on one line count more than words apart, and words of the path count', () => {
  const apart = [hit('apart.md', 1, 'lock'), hit('apart.md', 9, 'lease')]
  const near = [hit('near.md', 1, 'lock'), hit('near.md', 1, 'lease')]
  expect(first([...apart, ...near])).toEqual(['near.md', 'apart.md'])
  expect(first([hit('a.md', 1, 'lock'), hit('b/lock.md', 1, 'lock')])).toEqual(['b/lock.md', 'a.md'])
})

test('tests come after the rest unless they are asked for, files made by programs last', () => {
  const paths = ['package-lock.json', 'test/a.ts', 'src/a.ts']
  expect(first(paths.map((path) => hit(path, 1, 'lease')))).toEqual(paths.toReversed())
  expect(weighFile('test/a.ts', ['lease', 'test'])).toBe(1)
})

test('windows merge where they meet', () => {
  expect(mergeWindows('f', [50, 3, 20, 3])).toEqual([
    { path: 'f', from: 1, to: 30 },
    { path: 'f', from: 40, to: 60 },
  ])
  expect(mergeWindows('f', [11, 32])).toEqual([{ path: 'f', from: 1, to: 42 }])
  expect(mergeWindows('f', [11, 33])).toHaveLength(2)
})
