// scholar_search over engines on the loopback: one down and the next is asked, works joined, rules about hosts.
import { expect, test } from 'vitest'
import { createGuardedFetch } from '../../../../internal/net/ssrf-guard.ts'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import type { ToolSettings } from '../../../../internal/tool/ctx.ts'
import { scholarSearch } from '../../../../internal/tools/web/scholar_search.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { type ScholarServer, scholarServer } from '../../../support/scholar.ts'

function ctx({ fetch }: Pick<ScholarServer, 'fetch'>, web: Partial<ToolSettings['web']> = {}) {
  const base = ctxWith({ fetch })
  return { ...base, settings: { ...base.settings, web: { enabled: true, ...web } } }
}

test('asks no second engine if the first one finds enough', async () => {
  const server = await scholarServer()
  const { text, data } = await call(scholarSearch, { query: 'open access', max_results: 2 }, ctx(server))
  expect(server.asked()).toEqual(['openalex'])
  expect(data).toMatchObject({ engines: ['openalex'], notes: [] })
  expect(text).toBe(
    [
      '1. The state of OA: a large-scale analysis of the prevalence and impact of Open Access articles',
      '   Heather Piwowar, Jason Priem, Stefanie Haustein - PeerJ, 2018',
      '   cited by 1160',
      '   https://doi.org/10.7717/peerj.4375',
      '   pdf: https://peerj.com/articles/4375.pdf',
      '   Despite growing interest in Open Access in scholarship',
      '',
      '2. Sluice: A Survey of Gated Readers',
      '   2021',
      '   cited by 0',
      '   https://openalex.org/W4200000001',
    ].join('\n'),
  )
})

test('asks the next engine if the first finds too few, and merges works that both know', async () => {
  const server = await scholarServer()
  const { data } = await call(scholarSearch, { query: 'open access' }, ctx(server))
  expect(server.asked()).toEqual(['openalex', 'semantic_scholar'])
  expect(data?.results.map(({ sources, citations }) => [sources, citations])).toEqual([
    [['openalex', 'semantic_scholar'], 1201],
    [['openalex'], 0],
    [['semantic_scholar'], 120000],
  ])
})

test('skips engines that are down, and lists them', async () => {
  const server = await scholarServer({ openalex: { status: 503 }, semantic_scholar: { status: 429 } })
  const { data, text } = await call(scholarSearch, { query: 'open access', max_results: 1 }, ctx(server))
  expect(server.asked()).toEqual(['openalex', 'semantic_scholar', 'crossref'])
  expect(data?.engines).toEqual(['crossref'])
  expect(text).toContain('note: OpenAlex answered with status 503')
  expect(text).toContain('SEMANTIC_SCHOLAR_API_KEY')
})

test('if all engines are down, one failure lists every reason and a fix', async () => {
  const down = { status: 429 }
  const server = await scholarServer({ openalex: down, semantic_scholar: down, crossref: down, arxiv: down })
  const { failed } = await call(scholarSearch, { query: 'x' }, ctx(server))
  expect(failed).toMatchObject({ code: 'network', hint: expect.stringContaining('OPENALEX_API_KEY') })
  expect(failed?.message).toMatch(/OpenAlex.*Semantic Scholar.*Crossref.*arXiv/)
})

test('without a network the failure lists every engine and what to check', async () => {
  const unknown = Object.assign(new Error('no name server'), { code: 'EAI_AGAIN' })
  const fetch = createGuardedFetch({ resolve: () => Promise.reject(unknown) })
  const { failed } = await call(scholarSearch, { query: 'x' }, ctx({ fetch }))
  expect(failed).toMatchObject({ code: 'network', hint: expect.stringContaining('check the connection') })
  expect(failed?.message).toMatch(/openalex[\s\S]*semanticscholar[\s\S]*crossref[\s\S]*arxiv/)
})

test('a rule about another engine applies when the first one fails', async () => {
  const server = await scholarServer({ openalex: { status: 500 } })
  const rules: PermissionRule[] = [{ tool: '*', host: 'api.semanticscholar.org', action: 'deny' }]
  const base = ctx(server)
  const context = { ...base, policy: { ...base.policy, mode: 'unrestricted' as const, rules } }
  await call(scholarSearch, { query: 'x', max_results: 1 }, context)
  expect(server.asked()).toEqual(['openalex', 'crossref'])
})

test('applies the range of years to the results of any engine', async () => {
  const server = await scholarServer()
  const { data } = await call(scholarSearch, { query: 'x', from_year: 2019 }, ctx(server))
  expect(data?.results.map(({ title }) => title)).toEqual(['Sluice: A Survey of Gated Readers'])
  const bad = await call(scholarSearch, { query: 'x', from_year: 2020, to_year: 2019 }, ctx(server))
  expect(bad.failed?.code).toBe('bad_args')
})

test('one engine alone, nothing found, and who is not available', async () => {
  const server = await scholarServer({ crossref: { body: '{"message":{"items":[]}}' } })
  const { text, failed } = await call(scholarSearch, { query: 'zzz' }, ctx(server, { scholar: 'crossref' }))
  expect([failed, server.asked()]).toEqual([undefined, ['crossref']])
  expect(text).toMatch(/^No works found for zzz \(crossref\)/)
  expect(scholarSearch.available?.(ctx(server, { enabled: false }))).toMatch(/web\.enabled/)
  expect(scholarSearch.available?.(ctx(server, { scholar: 'serper' }))).toMatch(/SERPER_KEY/)
  expect(scholarSearch.available?.(ctxWith())).toMatch(/no network access/)
})

test('an abstract is evidence for its URL', async () => {
  const server = await scholarServer()
  const { data, text } = await call(scholarSearch, { query: 'x', max_results: 2 }, ctx(server))
  expect(data && (await scholarSearch.evidence?.(data, text))).toEqual([
    {
      canonical: 'https://doi.org/10.7717/peerj.4375',
      locator: 'The state of OA: a large-scale analysis of the prevalence and impact of Open Access articles',
      excerpt: 'Despite growing interest in Open Access in scholarship',
      published: '2018',
    },
  ])
})
