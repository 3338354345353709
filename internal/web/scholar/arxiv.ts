// The search of arXiv's preprints through its Atom feed.
import { refusedError } from '../search/web-query.ts'
import { signalOf } from './openalex.ts'
import { readPaper, type ScholarPaper, type ScholarSearch } from './scholar-paper.ts'
import { askEngine, yearRange } from './scholar-request.ts'
import { arxivDoi } from './semantic-scholar.ts'

export const arxivBase = 'https://export.arxiv.org'

export function createArxivSearch(base: string = arxivBase): ScholarSearch {
  return async (query, fetch) => {
    const url = new URL('/api/query', base)
    url.searchParams.set('search_query', searchExpression(query))
    url.searchParams.set('max_results', String(query.limit))
    url.searchParams.set('sortBy', 'relevance')
    const reply = await askEngine(
      'arXiv',
      fetch,
      { url: url.href, headers: { accept: 'application/atom+xml' }, ...signalOf(query) },
      'Wait a while: it wants three seconds between requests.',
    )
    if (!/<feed[\s>]/.test(reply.slice(0, 2_000))) throw refusedError('arXiv answered with no Atom feed')
    return readFeed(reply, query.limit)
  }
}

/**
 * Returns a search expression that requires the first 30 words of the query, and its range of years.
 * Operators, and all signs except periods and hyphens, are removed because they are syntax.
 */
function searchExpression(query: Parameters<ScholarSearch>[0]): string {
  const words = query.text.replace(/[^\p{L}\p{N}\s.-]/gu, ' ').split(/\s+/)
  const terms = words.filter((word) => word !== '' && !/^(and|or|andnot)$/i.test(word)).slice(0, 30)
  const years = yearRange(
    query,
    (from, to) => `submittedDate:[${from || '1900'}01010000 TO ${to || '2999'}12312359]`,
  )
  return [...terms.map((word) => `all:${word}`), ...(years === undefined ? [] : [years])].join(' AND ')
}

/**
 * Parses the entries of a feed by plain searches in a text of limited length. The feed is not parsed as an
 * XML document, so nesting and custom entities have no effect.
 */
function readFeed(feed: string, limit: number): ScholarPaper[] {
  const entries = feed.split('<entry>', limit + 1).slice(1)
  return entries.flatMap((text) => readEntry(text.slice(0, Math.max(text.indexOf('</entry>'), 0))) ?? [])
}

/**
 * Parses one entry of the feed; undefined for an entry without a title. Throws FailureError for an error,
 * which arXiv returns as an entry.
 */
function readEntry(entry: string): ScholarPaper | undefined {
  const id = elementText(entry, 'id') ?? ''
  if (/^https?:\/\/arxiv\.org\/api\/errors/.test(id))
    throw refusedError(`arXiv refused the query: ${(elementText(entry, 'summary') ?? '').slice(0, 200)}`)
  const authors = entry.split('<author>').slice(1, 40)
  const pdf = /<link\b[^<>]{0,300}\btype="application\/pdf"[^<>]{0,300}>/.exec(entry)?.[0]
  return readPaper('arxiv', {
    title: elementText(entry, 'title'),
    authors: authors.map((author) => elementText(author, 'name')),
    venue: elementText(entry, 'arxiv:journal_ref') ?? 'arXiv',
    year: elementText(entry, 'published'),
    citations: undefined,
    abstract: elementText(entry, 'summary'),
    pdf: pdf && /\bhref="([^"]+)"/.exec(pdf)?.[1],
    link: id.replace(/^http:/, 'https:'),
    doi: elementText(entry, 'arxiv:doi') ?? arxivDoi(/\/abs\/(.+)$/.exec(id)?.[1]),
  })
}

/** Returns the text of the first XML element with this name; undefined without one. */
function elementText(xml: string, name: string): string | undefined {
  const start = xml.search(new RegExp(`<${name}[\\s>]`))
  const open = start < 0 ? -1 : xml.indexOf('>', start)
  const close = open < 0 ? -1 : xml.indexOf(`</${name}>`, open)
  return close < 0 ? undefined : xml.slice(open + 1, close).trim()
}
