// Exa against a server of its form: what is sent, what comes back, what a refusal says.
import { expect, test } from 'vitest'
import { createExaSearch } from '../../../../internal/web/search/exa.ts'
import { engine } from '../../../support/engines.ts'

const query = { text: 'iterators', limit: 3, recency: undefined, domains: [], exclude: [] }

test('sends the filters, and returns results in the common format', async () => {
  const { base, fetch, seen } = await engine('exa')
  const full = {
    ...query,
    domains: ['go.dev'],
    exclude: ['old.go.dev'],
    category: 'research' as const,
    start: '2024-01-01',
    end: '2024-12-31',
  }
  expect(await createExaSearch('secret-key', base)(full, fetch)).toEqual([
    {
      title: 'Iterators & <b>more</b>',
      url: 'https://go.dev/a?x=1&y=2',
      snippet: 'First',
      published: '2024-02-03',
      source: 'exa',
    },
    { title: 'Elsewhere', url: 'https://example.com/b', snippet: 'Second', source: 'exa' },
  ])
  expect(seen).toMatchObject([{ method: 'POST', url: '/search', headers: { 'x-api-key': 'secret-key' } }])
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    query: 'iterators',
    numResults: 3,
    contents: { highlights: true },
    includeDomains: ['go.dev'],
    excludeDomains: ['old.go.dev'],
    category: 'publication',
    startPublishedDate: '2024-01-01T00:00:00.000Z',
    endPublishedDate: '2024-12-31T23:59:59.999Z',
  })
})

test('sends a time window as a date, and prefers the later start', async () => {
  const { base, fetch, seen } = await engine('exa')
  await createExaSearch('k', base)({ ...query, recency: 'week', start: '2001-01-01' }, fetch)
  await createExaSearch('k', base)({ ...query, recency: 'week', start: '9999-01-01' }, fetch)
  const [first, second] = seen.map(({ body }) => JSON.parse(body).startPublishedDate as string)
  expect(Math.round((Date.now() - Date.parse(first as string)) / 86_400_000)).toBe(7)
  expect(second).toBe('9999-01-01T00:00:00.000Z')
})

test('sends requests only through the passed fetch function', async () => {
  const { base, seen } = await engine('exa')
  const blind = () => Promise.reject(new Error('the only way out'))
  await expect(createExaSearch('k', base)(query, blind)).rejects.toThrow('the only way out')
  expect(seen).toEqual([])
})

test.each([
  [401, '{"error":"bad key"}', /web\.exaKey/],
  [500, 'oops', /status 500/],
  [200, 'no json', /not its JSON/],
  [200, '[]', /not its JSON/],
])('status %d with %j is a failure that keeps the key to itself', async (status, body, why) => {
  const { base, fetch } = await engine('exa', { status, body })
  const failure = await createExaSearch('secret-key', base)(query, fetch).catch((error) => error.failure)
  expect(failure).toMatchObject({ code: 'network' })
  expect(JSON.stringify(failure)).toMatch(why)
  expect(JSON.stringify(failure)).not.toContain('secret-key')
})
