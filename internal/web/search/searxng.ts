// The search through a SearXNG server, which returns results as JSON.
import { answerOf, jsonOf, makeHit, resultEntries, type WebSearch, withSites } from './web-query.ts'

/** Returns a search through the SearXNG server whose start page has the URL `base`. */
export function createSearxngSearch(base: string): WebSearch {
  return async (query, fetch) => {
    const url = new URL('./search', base.endsWith('/') ? base : `${base}/`)
    url.searchParams.set('q', withSites(query))
    url.searchParams.set('format', 'json')
    if (query.recency) url.searchParams.set('time_range', query.recency)
    if (query.safeSearch !== undefined) url.searchParams.set('safesearch', query.safeSearch ? '2' : '0')
    const answer = await answerOf(
      'The SearXNG server',
      fetch,
      { url: url.href, headers: { accept: 'application/json' }, signal: query.signal },
      {
        403: 'Its operator must list json under search.formats in settings.yml.',
        404: 'Check web.searxngUrl: it must be the address of the start page.',
        429: 'It limits how often it may be asked; wait a while.',
      },
    )
    const { results } = jsonOf('The SearXNG server', answer.body)
    return resultEntries(results).map(({ title, url: address, content, publishedDate }) =>
      makeHit('searxng', { title, url: address, snippet: content, published: publishedDate }),
    )
  }
}
