// Windows, domains and the shape of results: what every search engine shares.
import { expect, test } from 'vitest'
import {
  cleanLine,
  domainOf,
  filterHits,
  makeHit,
  type WebQuery,
  windowOf,
  withSites,
} from '../../../../internal/web/search/web-query.ts'

const query = (over: Partial<WebQuery> = {}): WebQuery => ({
  text: 'q',
  limit: 10,
  recency: undefined,
  domains: [],
  exclude: [],
  ...over,
})

test.each([
  ['any', undefined],
  ['', undefined],
  ['day', 'day'],
  ['Week', 'week'],
  ['month', 'month'],
  ['year', 'year'],
  ['24h', 'day'],
  ['1h', 'day'],
  ['25h', 'week'],
  ['1d', 'day'],
  ['3d', 'week'],
  ['7d', 'week'],
  ['1w', 'week'],
  ['2w', 'month'],
  ['30d', 'month'],
  ['1m', 'month'],
  ['90d', 'year'],
  ['365d', 'year'],
  ['1y', 'year'],
  ['10y', undefined],
  ['0d', null],
  ['-1d', null],
  ['yesterday', null],
  ['constructor', null],
])('the window %j is %s', (text, window) => {
  expect(windowOf(text)).toBe(window)
})

test.each([
  ['go.dev', 'go.dev'],
  [' WWW.Go.dev ', 'go.dev'],
  ['https://go.dev/blog?x', 'go.dev'],
  ['go.dev/blog', 'go.dev'],
  ['*.go.dev', 'go.dev'],
  ['.go.dev', 'go.dev'],
  ['go.dev.', 'go.dev'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['', ''],
])('the domain %j is %j', (text, domain) => {
  expect(domainOf(text)).toBe(domain)
})

test.each([
  [{}, 'q'],
  [{ domains: ['a.b'] }, 'q site:a.b'],
  [{ domains: ['a.b', 'c.d'], exclude: ['e.f'] }, 'q (site:a.b OR site:c.d) -site:e.f'],
])('operators for %j', (over, text) => {
  expect(withSites(query(over))).toBe(text)
})

test('drops results outside of the domains, duplicates, and other URL schemes', () => {
  const urls =
    `https://go.dev/1 https://pkg.go.dev/2 https://nogo.dev/3 https://go.dev.evil.test/4 https://go.dev/1
    javascript:alert(1) file:///etc/passwd https://old.go.dev/5 http:// https://go.dev/6`.split(/\s+/)
  const hits = urls.map((url) => makeHit('x', { title: url, url, snippet: '', published: '' }))
  const kept = (over: Partial<WebQuery>) => filterHits(hits, query(over)).map(({ url }) => url)
  const own = ['https://go.dev/1', 'https://pkg.go.dev/2', 'https://old.go.dev/5', 'https://go.dev/6']
  expect(kept({ domains: ['go.dev'] })).toEqual(own)
  expect(kept({ domains: ['go.dev'], exclude: ['old.go.dev'], limit: 2 })).toEqual(own.slice(0, 2))
  expect(kept({ exclude: ['go.dev'] })).toEqual(['https://nogo.dev/3', 'https://go.dev.evil.test/4'])
})

test('cleans text from a search engine to one short line', () => {
  expect(cleanLine(' a\u001b[31m\n\tb\u2028c ', 99)).toBe('a [31m b c')
  expect(cleanLine('abcdef', 4)).toBe('abc…')
  expect(cleanLine(undefined, 4)).toBe('')
  const raw = { title: 7, url: 'https://a.b/', snippet: null, published: '2024-05-06T07:08' }
  expect(makeHit('x', raw)).toEqual({
    title: 'https://a.b/',
    url: 'https://a.b/',
    snippet: '',
    published: '2024-05-06',
    source: 'x',
  })
})
