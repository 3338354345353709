import { describe, expect, it, test } from 'vitest'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import {
  joinLineRanges,
  linkToPlace,
  placeName,
  quoteLocator,
  sourcesOf,
} from '../../../../internal/study/report/sources.ts'
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

it.each([
  [['1-3', '3'], '1-3'],
  [['3', '1-3'], '1-3'],
  [['17-19', '3', '17-19'], '3, 17-19'],
  [['3-5', '4-8', '20'], '3-8, 20'],
  [['10', '9-12,14', '2'], '2, 9-12, 14'],
  [['1-3', '4'], '1-3, 4'],
  [['7'], '7'],
  [['7', 'page 3'], undefined],
])('joins the lines %j to %s', (locators, joined) => expect(joinLineRanges(locators)).toBe(joined))

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

// Links to places, as the host of a repository or a reader on this machine takes them.

const facts = (canonical: string, more: object = {}) => ({
  canonical,
  kind: 'code',
  weight: 'primary' as const,
  ...more,
})
const hub = 'https://github.com/a/b/blob/c0ffee'
const lab = 'https://gitlab.com/a/b/-/blob/c0ffee'

test.each([
  [facts('a.ts', { link: `${hub}/a.ts` }), '12-14', `${hub}/a.ts#L12-L14`],
  [facts('a.ts', { link: `${hub}/a.ts` }), '12', `${hub}/a.ts#L12`],
  [facts('a.md', { link: `${hub}/a.md` }), '3-5,9', `${hub}/a.md?plain=1#L3-L5`],
  [facts('a.ts', { link: `${lab}/a.ts` }), '12-14', `${lab}/a.ts#L12-14`],
  [facts('a.pdf', { link: `${hub}/a.pdf` }), 'page 3, line 2', `${hub}/a.pdf`],
  [facts('a.pdf', { bytes: 1 }), 'page 3, line 2', 'file:///work/x%20y/a.pdf#page=3'],
  [facts('a.pdf', { bytes: 1 }), 'pages 3-4', 'file:///work/x%20y/a.pdf#page=3'],
  [facts('a#b.ts', { bytes: 1 }), '7', 'file:///work/x%20y/a%23b.ts#L7'],
  [facts('gone.ts'), '7', undefined],
  [facts('https://example.org/a'), '', 'https://example.org/a'],
  [undefined, '7', undefined],
])('%j at %s', (known, locator, link) => expect(linkToPlace(known, '/work/x y', locator)).toBe(link))
