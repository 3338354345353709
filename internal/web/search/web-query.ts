// What is asked of a search engine, what comes back, and what all engines have in common.

import { FailureError } from '../../base/errors.ts'
import { isObject } from '../../base/untrusted-json.ts'
import type { FetchRequest, FetchResponse, GuardedFetch } from '../../net/guarded-fetch.ts'

/** Windows every engine knows, shortest first, with their length in days. */
export const recencyWindows = { day: 1, week: 7, month: 31, year: 366 } as const
type Window = keyof typeof recencyWindows

export const searchCategories = ['company', 'people', 'news', 'research', 'blog'] as const
export type SearchCategory = (typeof searchCategories)[number]

export interface WebQuery {
  text: string
  limit: number
  /** Absent: any time. */
  recency: Window | undefined
  /** Bare host names; a result counts when its host is one of them or below one. */
  domains: readonly string[]
  exclude: readonly string[]
  /** These three only reach Exa; dates are YYYY-MM-DD. */
  category?: SearchCategory | undefined
  start?: string | undefined
  end?: string | undefined
  /** Two capital letters. */
  country?: string | undefined
  /** Whether pages for adults are left out; absent: as the engine does it. */
  safeSearch?: boolean | undefined
  signal?: AbortSignal
}

export interface WebHit {
  title: string
  url: string
  snippet: string
  /** YYYY-MM-DD, when the engine knows it. */
  published?: string
  /** The engine that found it. */
  source: string
}

/**
 * Asks one engine. Rejects as Fetch does, and with `network` when the engine refuses or is not understood.
 */
export type WebSearch = (query: WebQuery, fetch: GuardedFetch) => Promise<WebHit[]>

/**
 * The window behind a name or a shorthand of hours, days, weeks, months or years (`24h`, `7d`, `2w`, `1m`,
 * `1y`): the shortest one that holds it. `any` is undefined, what cannot be read is null.
 */
export function windowOf(text: string): Window | undefined | null {
  const word = text.trim().toLowerCase()
  if (word === 'any' || word === '') return undefined
  if (Object.hasOwn(recencyWindows, word)) return word as Window
  const parts = /^(\d{1,6})\s*(h|d|w|m|y)$/.exec(word)
  if (!parts || Number(parts[1]) === 0) return null
  const days = Number(parts[1]) * ({ h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[parts[2] as string] as number)
  const fitting = Object.entries(recencyWindows).find(([, length]) => days <= length)
  return fitting?.[0] as Window | undefined
}

/** The host name of a domain as people write it: an address, `*.example.com`, `www.example.com`, capitals. */
export function domainOf(text: string): string {
  const bare = text.trim().replace(/^(\*\.|\.)/, '')
  const url = /^https?:\/\//i.test(bare) ? bare : `https://${bare}`
  const host = URL.canParse(url) ? new URL(url).hostname : bare.toLowerCase()
  return host.replace(/^www\./, '').replace(/\.$/, '')
}

/** Words for engines that restrict domains only by operators in the query. */
export function withSites({ text, domains, exclude }: WebQuery): string {
  const sites = domains.map((domain) => `site:${domain}`)
  const some = sites.length > 1 ? [`(${sites.join(' OR ')})`] : sites
  return [text, ...some, ...exclude.map((domain) => `-site:${domain}`)].join(' ')
}

/**
 * The results that fit: web addresses, each once, in the domains asked for, no more than the limit, in order.
 */
export function filterHits(hits: readonly WebHit[], { domains, exclude, limit }: WebQuery): WebHit[] {
  const seen = new Set<string>()
  const fit = hits.filter(({ url }) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || seen.has(url)) return false
    seen.add(url)
    const { hostname } = new URL(url)
    const below = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
    return (domains.length === 0 || domains.some(below)) && !exclude.some(below)
  })
  return fit.slice(0, limit)
}

/**
 * One line without control characters, at most `limit` characters: what engines send is other people's text.
 */
export function cleanLine(text: unknown, limit: number): string {
  if (typeof text !== 'string') return ''
  const flat = text
    .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1).trimEnd()}…`
}

/** A result in the one shape; `published` is whatever date text the engine gave. */
export function makeHit(
  source: string,
  raw: Record<'title' | 'url' | 'snippet' | 'published', unknown>,
): WebHit {
  const url = typeof raw.url === 'string' ? raw.url.trim() : ''
  const date = /^\d{4}-\d{2}-\d{2}/.exec(typeof raw.published === 'string' ? raw.published : '')?.[0]
  return {
    title: cleanLine(raw.title, 200) || url,
    url,
    snippet: cleanLine(raw.snippet, 500),
    published: date,
    source,
  }
}

/** An answer with status 200, or the failure that says what the engine did instead. */
export async function answerOf(
  name: string,
  fetch: GuardedFetch,
  request: FetchRequest,
  hints: Readonly<Record<number, string>> = {},
): Promise<FetchResponse> {
  const answer = await fetch({ timeoutMs: 20_000, ...request })
  if (answer.status === 200) return answer
  const hint = hints[answer.status]
  throw refusedError(`${name} answered with status ${answer.status}`, hint)
}

export function refusedError(message: string, hint?: string): FailureError {
  return new FailureError({ code: 'network', message, hint })
}

/** The object an engine answered with. */
export function jsonOf(name: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw refusedError(`${name} answered with something that is not its JSON`)
}

/** The objects among the entries of `results`. */
export function resultEntries(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}
