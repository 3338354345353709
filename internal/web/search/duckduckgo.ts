// The search with DuckDuckGo's page for browsers without scripts, which needs no key and no server.
import { answerOf, makeHit, refusedError, type WebSearch, withSites } from './web-query.ts'

export const duckduckgoBase = 'https://html.duckduckgo.com'

export function createDuckduckgoSearch(base: string = duckduckgoBase): WebSearch {
  return async (query, fetch) => {
    const url = new URL('/html/', base)
    url.searchParams.set('q', withSites(query))
    // DuckDuckGo names a time window by its first letter.
    if (query.recency) url.searchParams.set('df', query.recency.slice(0, 1))
    const hint = 'Set web.searxngUrl or an Exa key, or wait a while: it limits how often it may be asked.'
    const answer = await answerOf(
      'DuckDuckGo',
      fetch,
      {
        url: url.href,
        // DuckDuckGo does not respond to requests without the name of a browser.
        headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; anode)' },
        signal: query.signal,
      },
      { 202: hint, 403: hint, 429: hint },
    )
    const { parseHTML } = await import('linkedom')
    const { document } = parseHTML(answer.body)
    if (document.querySelector('#challenge-form, .anomaly-modal__title')) {
      throw refusedError('DuckDuckGo requires a check that the user is human', hint)
    }
    const results = [...document.querySelectorAll('.result:not(.result--ad)')]
    if (results.length === 0 && !document.querySelector('.no-results, .results, #links')) {
      throw refusedError('DuckDuckGo answered with a page that is not understood', hint)
    }
    return results.map((result) => {
      const link = result.querySelector('a.result__a')
      return makeHit('duckduckgo', {
        title: link?.textContent,
        url: readLinkTarget(link?.getAttribute('href') ?? '', answer.url),
        snippet: result.querySelector('.result__snippet')?.textContent,
        published: result.querySelector('.result__timestamp')?.textContent?.trim(),
      })
    })
  }
}

/**
 * Returns the target of a link in the results. The link leads through a page of DuckDuckGo, with the real URL
 * in the parameter `uddg`.
 */
function readLinkTarget(href: string, base: string): string {
  if (!URL.canParse(href, base)) return ''
  const url = new URL(href, base)
  return url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? '') : url.href
}
