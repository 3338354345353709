// web_search over all four engines on the loopback: which one is asked, one shape, filters, failures.
import { expect, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import type { GuardedFetch } from '../../../../internal/net/guarded-fetch.ts'
import { createGuardedFetch } from '../../../../internal/net/ssrf-guard.ts'
import type { ToolSettings } from '../../../../internal/tool/ctx.ts'
import { variantOf } from '../../../../internal/tools/variants/index.ts'
import { webSearch } from '../../../../internal/tools/web/web_search.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { engine, type Name } from '../../../support/engines.ts'

function ctx(fetch: GuardedFetch | undefined, web: Partial<ToolSettings['web']> = {}, env = {}) {
  const base = ctxWith(fetch ? { fetch } : {}, { env })
  return { ...base, settings: { ...base.settings, web: { enabled: true, ...web } } }
}

const setUp: Readonly<Record<Name, (base: string) => Partial<ToolSettings['web']>>> = {
  exa: () => ({ exaKey: 'k' }),
  searxng: (searxngUrl) => ({ searxngUrl }),
  serper: () => ({ serperKey: 'k' }),
  duckduckgo: () => ({}),
}
const names = Object.keys(setUp) as Name[]

test.each(names)('%s gives the same shape, filtered by domain', async (name) => {
  const { base, fetch } = await engine(name)
  const search = (raw: object) => call(webSearch, { query: 'q', ...raw }, ctx(fetch, setUp[name](base)))
  const first = {
    title: 'Iterators & <b>more</b>',
    url: 'https://go.dev/a?x=1&y=2',
    snippet: 'First',
    source: name,
    ...(name !== 'duckduckgo' && { published: '2024-02-03' }),
  }
  const { text, data, failed } = await search({ domains: ['https://go.dev/x'] })
  expect(failed).toBeUndefined()
  expect(data).toEqual({ query: 'q', engine: name, recency: 'any', results: [first], notes: [] })
  const date = name === 'duckduckgo' ? '' : '  (2024-02-03)'
  expect(text).toBe(`1. Iterators & <b>more</b>\n   https://go.dev/a?x=1&y=2${date}\n   First`)
  expect((await search({ exclude_domains: ['go.dev'] })).data?.results).toMatchObject([
    { title: 'Elsewhere' },
  ])
  expect((await search({ max_results: 1 })).data?.results).toEqual([first])
  expect((await search({})).data?.results).toHaveLength(2)
})

test('shorthand is searched and reported as its window', async () => {
  const { base, fetch, seen } = await engine('searxng')
  const { text, data } = await call(
    webSearch,
    { query: 'q', recency: '7d' },
    ctx(fetch, { searxngUrl: base }),
  )
  expect(data?.recency).toBe('week')
  expect(text).toContain('note: recency 7d was searched as week')
  expect(seen[0]?.url).toContain('time_range=week')
  const bad = await call(webSearch, { query: 'q', recency: 'soon' }, ctx(fetch, { searxngUrl: base }))
  expect(bad.failed).toMatchObject({ code: 'bad_args', message: expect.stringContaining('soon') })
})

test('reports parameters that only Exa supports as ignored by other engines', async () => {
  const raw = { query: 'q', category: 'news', start_published_date: '2024-01-01' }
  const other = await engine('duckduckgo')
  const { data, text } = await call(webSearch, raw, ctx(other.fetch))
  expect(data?.notes).toEqual(['category, start_published_date ignored: only Exa knows them'])
  expect(text).toContain('ignored')
  const own = await engine('exa')
  expect((await call(webSearch, raw, ctx(own.fetch, { exaKey: 'k' }))).data?.notes).toEqual([])
  expect(JSON.parse(own.seen[0]?.body ?? '')).toMatchObject({ category: 'news' })
})

const url = 'http://search.test:8080'
const choices: readonly [string, Partial<ToolSettings['web']>, Record<string, string>, string | RegExp][] = [
  ['nothing', {}, {}, 'html.duckduckgo.com'],
  ['a server', { searxngUrl: url }, {}, 'search.test'],
  ['a key', { exaKey: 'k' }, {}, 'api.exa.ai'],
  ['a key in the environment', {}, { EXA_API_KEY: 'k' }, 'api.exa.ai'],
  ['a Serper key', { serperKey: 'k' }, {}, 'google.serper.dev'],
  ['a Serper key in the environment', {}, { SERPER_KEY: 'k' }, 'google.serper.dev'],
  ['a Serper key and a server', { searxngUrl: url, serperKey: 'k' }, {}, 'search.test'],
  ['Serper forced without a key', { provider: 'serper' }, {}, /SERPER_KEY/],
  ['everything', { searxngUrl: url, exaKey: 'k' }, {}, 'api.exa.ai'],
  ['everything, forced', { searxngUrl: url, exaKey: 'k', provider: 'searxng' }, {}, 'search.test'],
  ['a key, forced', { exaKey: 'k', provider: 'duckduckgo' }, {}, 'html.duckduckgo.com'],
  ['Exa forced without a key', { provider: 'exa' }, {}, /EXA_API_KEY/],
  ['SearXNG forced without a server', { provider: 'searxng' }, {}, /web\.searxngUrl/],
  ['an address that is none', { searxngUrl: 'search' }, {}, /web\.searxngUrl/],
  ['web off', { enabled: false }, {}, /web\.enabled/],
]

test.each(choices)('with %s', (_, web, env, expected) => {
  const context = ctx(createGuardedFetch(), web, env)
  const args = { query: 'q', max_results: 1, recency: 'any', domains: [], exclude_domains: [] }
  if (typeof expected === 'string') {
    expect(webSearch.available?.(context)).toBe(true)
    expect(accessOf(webSearch, args, context).scope).toEqual([{ kind: 'host', host: expected }])
  } else {
    expect(webSearch.available?.(context)).toMatch(expected)
  }
})

test.each([
  ['its key', { exaKey: 'k' }, { SERPER_KEY: 'k' }, 'google.serper.dev'],
  ['its key and a server', { searxngUrl: url, serperKey: 'k' }, {}, 'google.serper.dev'],
  ['no key', {}, {}, 'html.duckduckgo.com'],
  ['another engine forced', { provider: 'duckduckgo', serperKey: 'k' }, {}, 'html.duckduckgo.com'],
])('a caller that prefers Serper reaches, with %s, one engine', (_, web, env, host) => {
  const args = { query: 'q', max_results: 1, recency: 'any', domains: [], exclude_domains: [] }
  const context = ctx(createGuardedFetch(), web, env)
  expect(accessOf(variantOf(webSearch), { ...args, prefer: 'serper' }, context).scope).toEqual([
    { kind: 'host', host },
  ])
})

test('Serper gets the window, the country and the domains', async () => {
  const { fetch, seen } = await engine('serper')
  const raw = { query: 'q', recency: 'week', domains: ['go.dev'] }
  await call(webSearch, raw, ctx(fetch, { serperKey: 'key-1' }))
  expect(seen[0]?.headers['x-api-key']).toBe('key-1')
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ q: 'q site:go.dev', num: 10, tbs: 'qdr:w' })
})

test('is not available without network access', () => {
  expect(webSearch.available?.(ctx(undefined))).toMatch(/no network access/)
})

test('without network the failure names what to set up', async () => {
  const unknown = Object.assign(new Error('no name server'), { code: 'EAI_AGAIN' })
  const fetch = createGuardedFetch({ resolve: () => Promise.reject(unknown) })
  for (const web of [{}, { exaKey: 'k' }]) {
    const { failed, text } = await call(webSearch, { query: 'q' }, ctx(fetch, web))
    expect(failed).toMatchObject({ code: 'network', hint: expect.stringContaining('web.searxngUrl') })
    expect(text).toContain('connection')
  }
})

test('a server on this machine that is not configured is not reached', async () => {
  const { base, seen } = await engine('searxng')
  const { failed } = await call(webSearch, { query: 'q' }, ctx(createGuardedFetch(), { searxngUrl: base }))
  expect(failed).toMatchObject({ code: 'blocked_address' })
  expect(seen).toEqual([])
})

test('reports no results, and limits the requested number of results', async () => {
  const { base, fetch, seen } = await engine('exa', { found: [] })
  const { failed, text, data } = await call(
    webSearch,
    { query: 'q', max_results: 99 },
    ctx(fetch, { exaKey: 'k' }),
  )
  expect([failed, data?.results]).toEqual([undefined, []])
  expect(text).toMatch(/^No results for q/)
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ numResults: 20 })
  expect(base).toMatch(/127/)
})

test('the signal ends the search', async () => {
  const { fetch } = await engine('duckduckgo')
  const context = { ...ctx(fetch), signal: AbortSignal.abort() }
  expect((await call(webSearch, { query: 'q' }, context)).failed).toMatchObject({ code: 'cancelled' })
})

/**
 * Starts two engines. Exa answers with a status or not at all. DuckDuckGo answers normally or with a status.
 */
async function twoEngines(exa: number | 'down', duck = 200) {
  const first = await engine('exa', exa === 'down' ? {} : { status: exa })
  const second = await engine('duckduckgo', { status: duck })
  const asked: string[] = []
  const fetch: GuardedFetch = (request) => {
    const isExa = request.url.includes('api.exa.ai')
    asked.push(isExa ? 'exa' : 'duckduckgo')
    if (isExa && exa === 'down') {
      return Promise.reject(new FailureError({ code: 'network', message: 'Exa cannot be reached' }))
    }
    return (isExa ? first : second).fetch(request)
  }
  return { fetch, asked }
}

test.each([401, 402, 403, 429, 500, 502, 503, 'down'] as const)(
  'when Exa answers %s, DuckDuckGo is asked and the note says so',
  async (status) => {
    const { fetch, asked } = await twoEngines(status)
    const raw = { query: 'q', category: 'news', domains: ['go.dev'] }
    const { data, text, failed } = await call(webSearch, raw, ctx(fetch, { exaKey: 'k' }))
    expect(failed).toBeUndefined()
    expect(asked).toEqual(['exa', 'duckduckgo'])
    expect(data).toMatchObject({ engine: 'duckduckgo', results: [{ source: 'duckduckgo' }] })
    expect(text).toMatch(/note: Exa .*; DuckDuckGo was asked instead/)
    expect(data?.notes).toContain('category ignored: only Exa knows them')
    if (status === 401) expect(text).toContain('check web.exaKey')
  },
)

test('when both fail the failure names both', async () => {
  const { fetch, asked } = await twoEngines(503, 503)
  const { failed } = await call(webSearch, { query: 'q' }, ctx(fetch, { exaKey: 'k' }))
  expect(asked).toEqual(['exa', 'duckduckgo'])
  expect(failed).toMatchObject({
    code: 'network',
    message: expect.stringMatching(/Exa .*503.*DuckDuckGo .*503/),
  })
})

test('a chosen engine is the only one that is asked', async () => {
  const { fetch, asked } = await twoEngines(503)
  const { failed } = await call(webSearch, { query: 'q' }, ctx(fetch, { exaKey: 'k', provider: 'exa' }))
  expect([asked, failed?.code]).toEqual([['exa'], 'network'])
})

test('a rule about the second engine applies if the first engine fails', async () => {
  const { fetch, asked } = await twoEngines(503)
  const base = ctx(fetch, { exaKey: 'k' })
  const denied = { tool: 'web_search', action: 'deny', host: '*duckduckgo.com' } as const
  const context = { ...base, policy: { ...base.policy, rules: [...base.policy.rules, denied] } }
  const { failed } = await call(webSearch, { query: 'q' }, context)
  expect([asked, failed?.code]).toEqual([['exa'], 'network'])
})

test('does not repeat a cancelled search with another engine', async () => {
  const { fetch, asked } = await twoEngines(503)
  const stop = new AbortController()
  const late: GuardedFetch = (request) => {
    stop.abort()
    return fetch(request)
  }
  const { failed } = await call(
    webSearch,
    { query: 'q' },
    { ...ctx(late, { exaKey: 'k' }), signal: stop.signal },
  )
  expect([asked.filter((one) => one === 'duckduckgo'), failed?.code]).toEqual([[], expect.any(String)])
})

test('an error that is not a network failure stays an error', async () => {
  const broken: GuardedFetch = () => Promise.reject(new TypeError('a mistake'))
  await expect(call(webSearch, { query: 'q' }, ctx(broken))).rejects.toThrow(TypeError)
  const said: GuardedFetch = () => Promise.reject(new FailureError({ code: 'timeout', message: 'late' }))
  expect((await call(webSearch, { query: 'q' }, ctx(said))).failed).toMatchObject({ code: 'timeout' })
})

test('an adapter may set a country and safe results, and the note lists engines that cannot apply them', async () => {
  const raw = { query: 'q', country: 'de', safe_search: true }
  const notesFrom = async (name: Name) => {
    const { base, fetch, seen } = await engine(name)
    const { data } = await call(webSearch, raw, ctx(fetch, setUp[name](base)), 'adapter')
    return { notes: data?.notes, url: seen[0]?.url }
  }
  const ignored = (what: string, who: string) => `${what} ignored: ${who} does not know it`
  expect(await notesFrom('searxng')).toMatchObject({
    notes: [ignored('country', 'searxng')],
    url: expect.stringContaining('safesearch=2'),
  })
  expect((await notesFrom('duckduckgo')).notes).toEqual([
    ignored('country', 'duckduckgo'),
    ignored('safe_search', 'duckduckgo'),
  ])
  expect((await notesFrom('exa')).notes).toEqual([])
})
