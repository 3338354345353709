// The scholarly engines over recorded responses: requests, read fields, and hostile responses.
import { expect, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import { chooseScholarEngines } from '../../../../internal/web/scholar/scholar-engines.ts'
import { recordedReply, type ScholarName, scholarServer } from '../../../support/scholar.ts'

const query = { text: 'open-access: "state", of | it', limit: 10, fromYear: 2003, toYear: 2021 }

const engineOf = (name: ScholarName, env: Record<string, string> = {}) =>
  chooseScholarEngines({ scholar: name }, env)[0]

async function ask(name: ScholarName, reply: { status?: number; body?: string } = {}, env = {}) {
  const server = await scholarServer({ [name]: reply })
  const papers = await engineOf(name, env).search(query, server.fetch)
  return { papers, seen: server.seen[0] }
}

const state = 'The state of OA: a large-scale analysis of the prevalence and impact of Open Access articles'

test('openalex: restores the order of the words, and missing fields are null', async () => {
  const { papers, seen } = await ask('openalex', {}, { OPENALEX_API_KEY: 'k1' })
  expect(papers).toEqual([
    {
      title: state,
      authors: ['Heather Piwowar', 'Jason Priem', 'Stefanie Haustein'],
      venue: 'PeerJ',
      year: 2018,
      citations: 1160,
      abstract: 'Despite growing interest in Open Access in scholarship',
      pdf: 'https://peerj.com/articles/4375.pdf',
      link: 'https://doi.org/10.7717/peerj.4375',
      doi: '10.7717/peerj.4375',
      sources: ['openalex'],
    },
    {
      title: 'Sluice: A Survey of Gated Readers',
      authors: [],
      ...{ venue: null, year: 2021, citations: 0, abstract: null, pdf: null, doi: null },
      link: 'https://openalex.org/W4200000001',
      sources: ['openalex'],
    },
  ])
  const asked = new URL(seen?.url ?? '', 'http://x').searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    ...{ search: 'open-access: "state"  of   it', 'per-page': '10' },
    ...{ filter: 'publication_year:2003-2021', api_key: 'k1' },
  })
})

test('semantic scholar: sends its key in a header, and converts arXiv numbers to DOIs', async () => {
  const { papers, seen } = await ask('semantic_scholar', {}, { SEMANTIC_SCHOLAR_API_KEY: 'k2' })
  expect(papers.map(({ doi, pdf, citations }) => [doi, pdf, citations])).toEqual([
    ['10.7717/peerj.4375', 'https://peerj.com/articles/4375.pdf', 1201],
    ['10.48550/arxiv.1706.03762', null, 120000],
  ])
  expect(seen?.headers['x-api-key']).toBe('k2')
  expect(new URL(seen?.url ?? '', 'http://x').searchParams.get('year')).toBe('2003-2021')
})

test('crossref: reads markup and entities, and skips works without a title', async () => {
  const { papers, seen } = await ask('crossref')
  expect(papers).toHaveLength(2)
  expect(papers[0]).toMatchObject({
    authors: ['Heather Piwowar', 'Open Access Group'],
    ...{ venue: 'PeerJ', year: 2018, citations: 743, pdf: 'https://peerj.com/articles/4375.pdf' },
    abstract:
      'Despite growing interest in Open Access (OA) to scholarly literature & data, there is an unmet need ' +
      'where p < 0.05.',
  })
  expect(papers[1]).toMatchObject({ title: 'An undated report', year: null })
  expect(new URL(seen?.url ?? '', 'http://x').searchParams.get('filter')).toBe(
    'from-pub-date:2003,until-pub-date:2021',
  )
})

test('arxiv: reads the feed, and no word of the query is syntax', async () => {
  const { papers, seen } = await ask('arxiv')
  expect(papers).toEqual([
    {
      title: 'Attention Is All You Need',
      authors: ['Ashish Vaswani', 'Noam Shazeer'],
      ...{ venue: 'arXiv', year: 2017, citations: null },
      abstract:
        'The dominant sequence transduction models are based on recurrent & convolutional networks, with n < m.',
      pdf: 'http://arxiv.org/pdf/1706.03762v7',
      link: 'https://arxiv.org/abs/1706.03762v7',
      doi: '10.48550/arxiv.1706.03762',
      sources: ['arxiv'],
    },
    expect.objectContaining({ venue: 'Eur.Phys.J. C31 (2003) 17-29', doi: '10.1140/epjc/s2003-01326-x' }),
  ])
  expect(new URL(seen?.url ?? '', 'http://x').searchParams.get('search_query')).toBe(
    'all:open-access AND all:state AND all:of AND all:it AND submittedDate:[200301010000 TO 202112312359]',
  )
})

test('serper: reads authors and venue from one line', async () => {
  const { papers, seen } = await ask('serper', {}, { SERPER_KEY: 'k3' })
  expect(papers[0]).toMatchObject({
    authors: ['A Vaswani', 'N Shazeer', 'N Parmar'],
    ...{ venue: 'Advances in neural …', year: 2017, citations: 118000 },
  })
  expect(papers[1]).toMatchObject({ authors: ['B Writer'], venue: null, doi: '10.1000/xyz' })
  expect(JSON.parse(seen?.body ?? '')).toMatchObject({ as_ylo: 2003, as_yhi: 2021, num: 10 })
  expect(seen?.headers['x-api-key']).toBe('k3')
})

const names: readonly ScholarName[] = ['openalex', 'semantic_scholar', 'crossref', 'arxiv', 'serper']

test.each(names)('%s: a rejection contains the fix', async (name) => {
  const error = await ask(name, { status: 429 }, { SERPER_KEY: 'k' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FailureError)
  const { code, hint } = (error as FailureError).failure
  expect([code, hint]).toEqual(['network', expect.stringMatching(/key|[Ww]ait/)])
})

test.each(names)('%s: a response of another form is a failure or empty', async (name) => {
  const bodies = ['', '<html><feeds></html>', '[]', 'null', '['.repeat(50_000)]
  for (const body of bodies) {
    const found = await ask(name, { body }).catch((error: FailureError) => error.failure.code)
    expect(found).toBe('network')
  }
  const odd = ['{}', '{"results":{},"data":{},"message":{"items":{}},"organic":{}}']
  for (const body of name === 'arxiv' ? ['<feed>', '<feed><entry><title>x', '<feed></entry><entry>'] : odd)
    expect((await ask(name, { body })).papers).toEqual([])
})

/** Responses without a match, as the documentation of each engine shows them. */
const empty: Readonly<Record<ScholarName, string>> = {
  openalex: '{"meta":{"count":0,"db_response_time_ms":9,"page":1,"per_page":10},"results":[],"group_by":[]}',
  semantic_scholar: '{"total":0,"offset":0}',
  crossref:
    '{"status":"ok","message-type":"work-list","message":{"facets":{},"total-results":0,"items":[],"items-per-page":10}}',
  arxiv:
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title>' +
    '<opensearch:totalResults>0</opensearch:totalResults></feed>',
  serper: '{"searchParameters":{"q":"x","type":"scholar","engine":"google"},"organic":[],"credits":1}',
}

/** Rejected or failed requests, as the documentation shows them: status and body. */
const refusals: Readonly<Record<ScholarName, readonly (readonly [number, string])[]>> = {
  openalex: [
    [400, '{"error":"Invalid query parameters error.","message":"x is not a valid field"}'],
    [403, '<html><h1>403 Forbidden</h1></html>'],
    [429, '{"error":"Rate limit exceeded","message":"Insufficient budget"}'],
  ],
  semantic_scholar: [
    [400, '{"error":"Unacceptable query params: [year=x]"}'],
    [429, '{"message":"Too Many Requests. Please wait and try again","code":"429"}'],
    [504, '{"message":"Endpoint request timed out"}'],
  ],
  crossref: [
    [
      400,
      '{"status":"failed","message-type":"validation-failure","message":[{"type":"x","value":"y","message":"z"}]}',
    ],
    [404, 'Resource not found.'],
    [503, ''],
  ],
  arxiv: [
    [
      200,
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id>' +
        '<title>Error</title><summary>incorrect id format for x</summary></entry></feed>',
    ],
    [200, 'Rate exceeded.'],
    [429, 'Rate exceeded.'],
    [503, ''],
  ],
  serper: [
    [400, '{"message":"Not enough credits","statusCode":400}'],
    [403, '{"message":"Unauthorized.","statusCode":403}'],
  ],
}

test.each(names)(
  '%s: returns nothing without a match, and never reads a rejection as papers',
  async (name) => {
    const env = { SERPER_KEY: 'k' }
    expect((await ask(name, { body: empty[name] }, env)).papers).toEqual([])
    for (const [status, body] of refusals[name]) {
      const error = await ask(name, { status, body }, env).catch((thrown: unknown) => thrown)
      expect(error, `${status} ${body}`).toBeInstanceOf(FailureError)
      expect((error as FailureError).failure.code).toBe('network')
    }
  },
)

test('limits the request: numbers, lists, texts, URLs', async () => {
  const work = {
    display_name: `Title\u001b[31m ${'long '.repeat(500)}`,
    publication_year: 1e9,
    cited_by_count: -4,
    doi: 'javascript:alert(1)',
    authorships: Array.from({ length: 500 }, () => ({ author: { display_name: 'A\nB' } })),
    abstract_inverted_index: {
      far: [2 ** 31, -1, 1.5, 'x'],
      word: Array.from({ length: 1999 }, (_, i) => i),
    },
    primary_location: { pdf_url: 'file:///etc/passwd', landing_page_url: 'https://user:pw@host/' },
  }
  const body = JSON.stringify({ results: [work, ...Array.from({ length: 50 }, () => work)] })
  const { papers } = await ask('openalex', { body })
  expect(papers).toHaveLength(10)
  expect(papers[0]).toMatchObject({ year: null, citations: null, doi: null, pdf: null, link: null })
  expect(papers[0]?.authors).toEqual(Array.from({ length: 30 }, () => 'A B'))
  expect(papers[0]?.title).toHaveLength(400)
  expect(papers[0]?.title.startsWith('Title [31m long')).toBe(true)
  expect(papers[0]?.abstract?.length).toBeLessThanOrEqual(3_000)
})

test('rejects a response that is too long, and finds nothing in a feed of opening tags', async () => {
  const long = await ask('crossref', { body: ' '.repeat(3 << 20) }).catch((error: FailureError) => error)
  expect((long as FailureError).failure.message).toBe('Crossref sent more than is read')
  const body = `<feed>${'<entry><author><link '.repeat(90_000)}`
  expect((await ask('arxiv', { body })).papers).toEqual([])
})

test('rejects a redirect to another host', async () => {
  const server = await scholarServer({ crossref: { status: 302, location: 'https://example.com/works' } })
  const error = await engineOf('crossref')
    .search(query, server.fetch)
    .catch((thrown: unknown) => thrown)
  expect((error as FailureError).failure.message).toBe('Crossref leads to example.com, which was not asked')
})

test('orders engines by the available keys, and a setting selects one', () => {
  const order = (web: object, env = {}) => chooseScholarEngines(web, env).map(({ name }) => name)
  const open = ['openalex', 'semantic_scholar', 'crossref', 'arxiv']
  expect(order({})).toEqual(open)
  expect(order({ serperKey: 'k' })).toEqual(['serper', ...open])
  expect(order({ scholar: 'arxiv', serperKey: 'k' })).toEqual(['arxiv'])
  expect(engineOf('serper').missing).toMatch(/SERPER_KEY/)
  expect(recordedReply('serper')).toContain('organic')
})
