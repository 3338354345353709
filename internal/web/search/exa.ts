// The search with Exa through Exa's client library, whose requests go through the guarded fetch.
import {
  answerOf,
  jsonOf,
  makeHit,
  recencyWindows,
  resultEntries,
  type SearchCategory,
  type WebQuery,
  type WebSearch,
} from './web-query.ts'

export const exaBase = 'https://api.exa.ai'

const categories = {
  company: 'company',
  people: 'people',
  news: 'news',
  research: 'publication',
  blog: 'personal site',
} as const satisfies Record<SearchCategory, string>

export function createExaSearch(key: string, base: string = exaBase): WebSearch {
  return async (query, fetch) => {
    const { Exa } = await import('exa-js')
    const client = new Exa(key, base)
    // The Exa client accepts a base URL but no fetch function and would open its own connections. All
    // its requests go through this one method, so replacing the method keeps the address checks, limits
    // and the signal.
    client.request = async <T>(endpoint: string, method: string, body?: unknown): Promise<T> => {
      const answer = await answerOf(
        'Exa',
        fetch,
        {
          url: `${base}${endpoint}`,
          method: method === 'GET' ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': key },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: query.signal,
        },
        {
          401: 'The key is not valid: check web.exaKey or EXA_API_KEY.',
          402: 'The account has no credit left.',
          403: 'The key may not do this: check web.exaKey or EXA_API_KEY.',
          429: 'It limits how often it may be asked; wait a while.',
        },
      )
      return jsonOf('Exa', answer.body) as T
    }
    const { results } = await client.search(query.text, {
      numResults: query.limit,
      contents: { highlights: true },
      includeDomains: query.domains.length > 0 ? [...query.domains] : undefined,
      excludeDomains: query.exclude.length > 0 ? [...query.exclude] : undefined,
      category: query.category ? categories[query.category] : undefined,
      userLocation: query.country || undefined,
      moderation: query.safeSearch,
      ...toQueryDates(query),
    })
    return resultEntries(results).map(({ title, url, highlights, text, publishedDate }) => {
      const [best] = Array.isArray(highlights) ? highlights : []
      return makeHit('exa', { title, url, snippet: best ?? text, published: publishedDate })
    })
  }
}

/**
 * Returns the dates of a query, because Exa has no named time windows. If `recency` and `start` are both set,
 * the later beginning counts.
 */
function toQueryDates({ recency, start, end }: WebQuery) {
  const begin = recency && new Date(Date.now() - recencyWindows[recency] * 86_400_000).toISOString()
  const from = [start && `${start}T00:00:00.000Z`, begin].filter((date) => date !== undefined).sort()
  const last = from.at(-1)
  return {
    startPublishedDate: last || undefined,
    endPublishedDate: end ? `${end}T23:59:59.999Z` : undefined,
  }
}
