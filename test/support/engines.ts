// Four search engines on the loopback that answer in the form of the real ones.
import type { GuardedFetch } from '../../internal/net/guarded-fetch.ts'
import { createGuardedFetch } from '../../internal/net/ssrf-guard.ts'
import { type WebServer, webServer } from './web-server.ts'

export interface Page {
  title: string
  url: string
  about: string
  date?: string
}

export const pages: readonly Page[] = [
  { title: 'Iterators & <b>more</b>', url: 'https://go.dev/a?x=1&y=2', about: 'First', date: '2024-02-03' },
  { title: 'Elsewhere', url: 'https://example.com/b', about: 'Second' },
]

export const forms = {
  exa: (found: readonly Page[]) =>
    JSON.stringify({
      results: found.map(({ title, url, about, date }) => ({
        id: url,
        title,
        url,
        highlights: [about],
        publishedDate: date && `${date}T00:00:00.000Z`,
      })),
    }),
  searxng: (found: readonly Page[]) =>
    JSON.stringify({
      query: 'q',
      results: found.map(({ title, url, about, date }) => ({
        title,
        url,
        content: about,
        engine: 'some',
        publishedDate: date ? `${date}T00:00:00` : null,
      })),
    }),
  serper: (found: readonly Page[]) =>
    JSON.stringify({
      searchParameters: { q: 'q' },
      organic: found.map(({ title, url, about, date }, i) => ({
        ...{ title, link: url, snippet: about, position: i + 1 },
        ...(date && { date: serperDate(date) }),
      })),
    }),
  duckduckgo: (found: readonly Page[]) => {
    const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const one = ({ title, url, about }: Page) => `<div class="result results_links web-result">
      <h2 class="result__title"><a class="result__a"
      href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1">${safe(title)}</a></h2>
      <a class="result__snippet" href="x">${safe(about)}</a></div>`
    const advert = `<div class="result result--ad"><a class="result__a" href="https://ads.test/">Buy</a></div>`
    return `<html><body><div id="links" class="results">${advert}${found.map(one).join('')}</div></body></html>`
  },
}

/** As Google shows a day. */
const serperDate = (day: string) =>
  new Date(day).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  })

export type Name = keyof typeof forms

export interface Engine extends WebServer {
  /** Guarded, and leading the public engines' addresses to this server. */
  fetch: GuardedFetch
}

/** Starts an engine with these pages, or with this status and body. */
export async function engine(
  name: Name,
  over: { status?: number; body?: string; found?: readonly Page[] } = {},
): Promise<Engine> {
  const server = await webServer((_, response) => {
    response.writeHead(over.status ?? 200, {
      'content-type': name === 'duckduckgo' ? 'text/html; charset=UTF-8' : 'application/json',
    })
    response.end(over.body ?? forms[name](over.found ?? pages))
  })
  const guarded = createGuardedFetch({ allow: [server.place] })
  const fetch: GuardedFetch = (request) =>
    guarded({
      ...request,
      url: request.url.replace(
        /^https:\/\/(api\.exa\.ai|google\.serper\.dev|html\.duckduckgo\.com)/,
        server.base,
      ),
    })
  return { ...server, fetch }
}
