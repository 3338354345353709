// The fetch of one web page and the reading of its text. Pages of the last minutes are not fetched again.
import { FailureError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import type { FetchRequest, FetchResponse, GuardedFetch } from '../net/guarded-fetch.ts'
import { pageCacheOf } from './page-cache.ts'
import { readPageText, type WebPage } from './page-text.ts'
import { cleanLine } from './search/web-query.ts'

interface PageRequest extends Required<Pick<FetchRequest, 'allows' | 'judge' | 'signal'>> {
  url: URL
  raw: boolean
  timeoutMs: number
  headers: Readonly<Record<string, string>>
}

const maxPageBytes = 5 << 20
const maxFailureChars = 500
const accept =
  'text/html,application/xhtml+xml,text/markdown,text/plain,application/json,application/pdf,*/*;q=0.5'

/**
 * Returns a web page. A page that was fetched in the last 5 minutes comes from the cache, if it is still
 * there and the rules of this request allow each host that a rule had to allow by name. Rejects with the
 * FailureError of the fetch, with `http_status` for a status other than 2xx, and with
 * `binary_or_encoding` for a page that is neither text nor a readable PDF. Each URL of a redirect is
 * judged, also for a cached page.
 */
export async function fetchPage(request: PageRequest, fetch: GuardedFetch): Promise<WebPage> {
  const cache = pageCacheOf(fetch)
  const headers = Object.entries(request.headers).sort(([a], [b]) => (a < b ? -1 : 1))
  const key = fingerprint(JSON.stringify([withoutFragment(request.url), request.raw, headers]))
  const cachedPage = cache.get(key)
  // This request may have stricter rules than the request that stored the page in the cache.
  if (cachedPage?.named.every((hop) => request.allows(new URL(hop)))) {
    for (const hop of cachedPage.redirects) await request.judge(new URL(hop))
    return cachedPage
  }
  const named: string[] = []
  const response = await fetch({
    url: withoutFragment(request.url),
    headers: {
      accept,
      // Some servers reject a client that does not send the name of a browser.
      'user-agent': 'Mozilla/5.0 (compatible; anode)',
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    },
    timeoutMs: request.timeoutMs,
    maxBytes: maxPageBytes,
    signal: request.signal,
    allows: (hop) => {
      const isNamed = request.allows(hop)
      if (isNamed) named.push(hop.href)
      return isNamed
    },
    judge: request.judge,
  })
  if (response.status < 200 || response.status > 299) throw await statusFailure(response, request.signal)
  const page = { ...(await pageOf(response, request)), named }
  cache.put(key, page)
  return page
}

async function pageOf(
  response: FetchResponse,
  { raw, signal }: PageRequest,
): Promise<Omit<WebPage, 'named'>> {
  const { url, redirects, status, bytes, cut: isCut } = response
  const contentType = response.headers['content-type'] ?? ''
  const read = await readPageText({ url, contentType, bytes, cut: isCut }, raw, signal)
  const notes = isCut
    ? [...read.notes, `only the first ${maxPageBytes >> 20} MiB of the page were read`]
    : read.notes
  return {
    ...read,
    url,
    redirects,
    status,
    notes,
    sha256: fingerprint(bytes),
    contentType: cleanLine(contentType, 100),
    fetched: new Date().toISOString(),
  }
}

/**
 * Returns the error for an HTTP status. Its message contains the beginning of the response, which often
 * gives the reason.
 */
async function statusFailure(response: FetchResponse, signal: AbortSignal): Promise<FailureError> {
  const { url, status, bytes, cut: isCut, headers } = response
  const body = { url, contentType: headers['content-type'] ?? '', bytes, cut: isCut }
  const text = await readPageText(body, false, signal).then(
    (read) => cleanLine(read.text, maxFailureChars),
    () => '',
  )
  const code = 'http_status'
  const message = `${url} answered with status ${status}${text === '' ? '' : `: ${text}`}`
  const hint = hints[status]
  return new FailureError({ code, message, hint: hint || undefined, detail: { status, url } })
}

const hints: Readonly<Record<number, string>> = {
  401: 'The page is not public.',
  403: 'The server does not give the page to programs; look for the same text elsewhere.',
  404: 'Check the address, or search for the page.',
  410: 'The page is gone; search for another one.',
  429: 'The server limits how often it may be asked; wait a while.',
}

function withoutFragment(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}
