// SearXNG against a server of its form: requests, results, and errors.
import { expect, test } from 'vitest'
import { createSearxngSearch } from '../../../../internal/web/search/searxng.ts'
import { engine } from '../../../support/engines.ts'

const query = { text: 'a b', limit: 3, recency: undefined, domains: [], exclude: [] }

test.each(['', '/', '/sub/path', '/sub/path/'])('below the start page %j', async (path) => {
  const { base, fetch, seen } = await engine('searxng')
  const hits = await createSearxngSearch(`${base}${path}`)(
    { ...query, recency: 'month', domains: ['go.dev'] },
    fetch,
  )
  expect(hits).toEqual([
    {
      title: 'Iterators & <b>more</b>',
      url: 'https://go.dev/a?x=1&y=2',
      snippet: 'First',
      published: '2024-02-03',
      source: 'searxng',
    },
    { title: 'Elsewhere', url: 'https://example.com/b', snippet: 'Second', source: 'searxng' },
  ])
  const asked = new URL(seen[0]?.url ?? '', base)
  expect(asked.pathname).toBe(`${path.replace(/\/$/, '')}/search`)
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    q: 'a b site:go.dev',
    format: 'json',
    time_range: 'month',
  })
})

test.each([
  [403, '', /settings\.yml/],
  [404, '', /searxngUrl/],
  [200, '<html>', /not its JSON/],
])('status %d with %j is a failure', async (status, body, why) => {
  const { base, fetch } = await engine('searxng', { status, body })
  const failure = await createSearxngSearch(base)(query, fetch).catch((error) => error.failure)
  expect(failure).toMatchObject({ code: 'network' })
  expect(JSON.stringify(failure)).toMatch(why)
})

test.each(['{}', '{"results":null}', '{"results":[1,null]}'])('%s contains no results', async (body) => {
  const { base, fetch } = await engine('searxng', { body })
  expect(await createSearxngSearch(base)(query, fetch)).toEqual([])
})
