// The search of Semantic Scholar's graph of papers. All clients without a key share one rate limit.
import { listOf } from '../../base/untrusted-json.ts'
import { jsonOf } from '../search/web-query.ts'
import { signalOf } from './openalex.ts'
import { readPaper, readPapers, type ScholarSearch, valueAt } from './scholar-paper.ts'
import { askEngine, yearRange } from './scholar-request.ts'

export const semanticScholarBase = 'https://api.semanticscholar.org'

const fields = 'title,abstract,venue,year,citationCount,authors,externalIds,openAccessPdf,url'

export function createSemanticScholarSearch(key: string, base: string = semanticScholarBase): ScholarSearch {
  return async (query, fetch) => {
    const url = new URL('/graph/v1/paper/search', base)
    // Semantic Scholar finds nothing for words that are joined by hyphens.
    url.searchParams.set('query', query.text.replaceAll('-', ' '))
    url.searchParams.set('limit', String(query.limit))
    url.searchParams.set('fields', fields)
    const years = yearRange(query, (from, to) => `${from}-${to}`)
    if (years !== undefined) url.searchParams.set('year', years)
    const reply = await askEngine(
      'Semantic Scholar',
      fetch,
      { url: url.href, headers: key ? { 'x-api-key': key } : undefined, ...signalOf(query) },
      key
        ? 'Check the key in SEMANTIC_SCHOLAR_API_KEY, or wait a while.'
        : 'Wait a while, or set SEMANTIC_SCHOLAR_API_KEY to a free key.',
    )
    return readPapers(jsonOf('Semantic Scholar', reply).data, query.limit, (paper) =>
      readPaper('semantic_scholar', {
        title: paper.title,
        authors: listOf(paper.authors).map((one) => valueAt(one, 'name')),
        venue: paper.venue,
        year: paper.year,
        citations: paper.citationCount,
        abstract: paper.abstract,
        pdf: valueAt(paper, 'openAccessPdf', 'url'),
        link: paper.url,
        doi: valueAt(paper, 'externalIds', 'DOI') ?? arxivDoi(valueAt(paper, 'externalIds', 'ArXiv')),
      }),
    )
  }
}

/**
 * Returns the DOI that arXiv registers for a paper with the number `id`, without its version; undefined if
 * `id` is empty or not a text.
 */
export function arxivDoi(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? `10.48550/arxiv.${id.replace(/v\d+$/, '')}` : undefined
}
