import { describe, expect, it } from 'vitest'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { placeName, quoteLocator, sourcesOf } from '../../../../internal/study/report/sources.ts'
import { claim, evidence, finished, lines } from '../../../support/study.ts'

it('numbers sources in the order of tasks and merges equal places', () => {
  const { claims, evidence } = foldStudy(lines(finished()))
  expect(sourcesOf(claims.values(), evidence)).toEqual([
    { n: 1, canonical: 'docs/lock.md', locator: '1-3', evidence: ['E1.1', 'E2.1'], claims: ['C1.1', 'C2.1'] },
    { n: 2, canonical: 'docs/old.md', locator: '9', evidence: ['E1.2'], claims: ['C1.2'] },
  ])
  expect(sourcesOf([claim('C9.1', 'without evidence')], evidence)).toEqual([])
})

it.each([
  ['a.md', '3-4', 'a.md:3-4'],
  ['a.md', '', 'a.md'],
  ['https://example.org', 'second paragraph', 'https://example.org (second paragraph)'],
])('names %s %s', (canonical, locator, expected) => expect(placeName(canonical, locator)).toBe(expected))

describe('quoteLocator', () => {
  const excerpt = 'zero\none two\n  three\nfour\none two three\n'
  it.each([
    ['over a line end', 'two three', '10-14', '11-12'],
    ['within a line', 'four', '10-14', '13'],
    ['in lines that are apart', 'four', '1,5,7,9,20', '9'],
    ['not there', 'five', '10-14', '10-14'],
    ['fewer lines than the excerpt has', 'four', '10', '10'],
    ['no lines', 'four', 'somewhere', 'somewhere'],
  ])('%s', (_, quote, locator, expected) => {
    expect(quoteLocator(quote, evidence('E1.1', excerpt, { locator }))).toBe(expected)
  })

  it.each([
    ['/*\n * Adds one.\n */\nint add(int);', '20-23'],
    [' * Adds one.\n */', '21-22'],
    ['Adds one.', '21'],
  ])('counts the marks of a comment only if the quote has them: %j', (quote, expected) => {
    const filed = evidence('E1.1', '/*\n * Adds one.\n */\nint add(int);\n', { locator: '20-23' })
    expect(quoteLocator(quote, filed)).toBe(expected)
  })

  it('finds the last line of a long excerpt', () => {
    const long = Array.from({ length: 20_000 }, (_, i) => `line ${i + 1};`).join('\n')
    const filed = evidence('E1.1', long, { locator: '1-20000' })
    expect(quoteLocator('line 20000;', filed)).toBe('20000')
  })
})
