// DuckDuckGo against a server of its form: links unwrapped, advertisements left out, refusals recognised.
import { expect, test } from 'vitest'
import { createDuckduckgoSearch } from '../../../../internal/web/search/duckduckgo.ts'
import { engine } from '../../../support/engines.ts'

const query = { text: 'a b', limit: 3, recency: undefined, domains: [], exclude: [] }

test('returns results in the common format', async () => {
  const { base, fetch, seen } = await engine('duckduckgo')
  const hits = await createDuckduckgoSearch(base)({ ...query, recency: 'week', exclude: ['x.y'] }, fetch)
  expect(hits).toEqual([
    {
      title: 'Iterators & <b>more</b>',
      url: 'https://go.dev/a?x=1&y=2',
      snippet: 'First',
      source: 'duckduckgo',
    },
    { title: 'Elsewhere', url: 'https://example.com/b', snippet: 'Second', source: 'duckduckgo' },
  ])
  const asked = new URL(seen[0]?.url ?? '', base)
  expect([asked.pathname, Object.fromEntries(asked.searchParams)]).toEqual([
    '/html/',
    { q: 'a b -site:x.y', df: 'w' },
  ])
})

test('a page that reports no results gives an empty list', async () => {
  const { base, fetch } = await engine('duckduckgo', { body: '<div class="no-results">No results.</div>' })
  expect(await createDuckduckgoSearch(base)(query, fetch)).toEqual([])
})

test.each([
  [202, '<html></html>', /202/],
  [200, '<form id="challenge-form"></form>', /user is human/],
  [200, '<html><body>Maintenance</body></html>', /not understood/],
  [200, '', /not understood/],
])('status %d with %j is a failure that says what to set up', async (status, body, why) => {
  const { base, fetch } = await engine('duckduckgo', { status, body })
  const failure = await createDuckduckgoSearch(base)(query, fetch).catch((error) => error.failure)
  expect(failure).toMatchObject({ code: 'network', hint: expect.stringContaining('web.searxngUrl') })
  expect(failure.message).toMatch(why)
})
