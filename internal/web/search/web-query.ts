// The query and result of a web search engine, and functions that all engines share.

import { FailureError } from '../../base/errors.ts'
import { isObject, parseJson } from '../../base/untrusted-json.ts'
import type { FetchRequest, FetchResponse, GuardedFetch } from '../../net/guarded-fetch.ts'

/** Time windows that every engine supports, shortest first, in days. */
export const recencyWindows = { day: 1, week: 7, month: 31, year: 366 } as const
type RecencyWindow = keyof typeof recencyWindows

export const searchCategories = ['company', 'people', 'news', 'research', 'blog'] as const
export type SearchCategory = (typeof searchCategories)[number]

export interface WebQuery {
  text: string
  limit: number
  /** Time window of the query. Default: any time. */
  recency: RecencyWindow | undefined
  /**
   * Host names to which results are limited. A result matches if its host is one of them or a
   * subdomain of one.
   */
  domains: readonly string[]
  exclude: readonly string[]
  /**
   * `category`, `start` and `end` are filters that only Exa supports. `start` and `end` are the earliest and
   * the latest day of publication, as YYYY-MM-DD.
   */
  category?: SearchCategory | undefined
  start?: string | undefined
  end?: string | undefined
  /** Country of the searcher, as a code of two capital letters. */
  country?: string | undefined
  /** True to skip adult pages. Default: that of the engine. */
  safeSearch?: boolean | undefined
  signal?: AbortSignal
}

export interface WebHit {
  title: string
  url: string
  snippet: string
  /** Date of publication as YYYY-MM-DD, if the engine reports it. */
  published?: string
  /** Name of the engine that found the result. */
  source: string
}

/**
 * Sends a query to one engine. Rejects as the fetch does, and with `network` if the engine rejects the query
 * or its response is invalid.
 */
export type WebSearch = (query: WebQuery, fetch: GuardedFetch) => Promise<WebHit[]>

/**
 * Returns the time window for its name or for a number of hours, days, weeks, months or years (`24h`, `7d`,
 * `2w`, `1m`, `1y`): the shortest one that contains that time. `any`, an empty text and a time of more than
 * 366 days give undefined, an invalid text null.
 */
export function windowOf(text: string): RecencyWindow | undefined | null {
  const word = text.trim().toLowerCase()
  if (word === 'any' || word === '') return undefined
  if (Object.hasOwn(recencyWindows, word)) return word as RecencyWindow
  const parts = /^(\d{1,6})\s*(h|d|w|m|y)$/.exec(word)
  if (!parts || Number(parts[1]) === 0) return null
  const days = Number(parts[1]) * ({ h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[parts[2] as string] as number)
  const fitting = Object.entries(recencyWindows).find(([, length]) => days <= length)
  return fitting?.[0] as RecencyWindow | undefined
}

/**
 * Returns the host name in a domain of any usual form (a URL, `*.example.com`, `www.example.com`, capitals),
 * in lower case and without `www.`. A text that is not a host name is returned in lower case.
 */
export function domainOf(text: string): string {
  const bare = text.trim().replace(/^(\*\.|\.)/, '')
  const url = /^https?:\/\//i.test(bare) ? bare : `https://${bare}`
  const host = URL.canParse(url) ? new URL(url).hostname : bare.toLowerCase()
  return host.replace(/^www\./, '').replace(/\.$/, '')
}

/** Returns a query with operators that restrict domains, for engines that have no other way. */
export function withSites({ text, domains, exclude }: WebQuery): string {
  const sites = domains.map((domain) => `site:${domain}`)
  const some = sites.length > 1 ? [`(${sites.join(' OR ')})`] : sites
  return [text, ...some, ...exclude.map((domain) => `-site:${domain}`)].join(' ')
}

/**
 * Returns the matching results in order: web URLs, each once, in the wanted domains and not in excluded ones,
 * up to the limit.
 */
export function filterHits(hits: readonly WebHit[], { domains, exclude, limit }: WebQuery): WebHit[] {
  const seenUrls = new Set<string>()
  const fit = hits.filter(({ url }) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || seenUrls.has(url)) return false
    seenUrls.add(url)
    const { hostname } = new URL(url)
    const below = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
    return (domains.length === 0 || domains.some(below)) && !exclude.some(below)
  })
  return fit.slice(0, limit)
}

/**
 * Returns the text as one line without control characters and with at most `limit` characters, because
 * engines return untrusted text.
 */
export function cleanLine(text: unknown, limit: number): string {
  if (typeof text !== 'string') return ''
  const flat = text
    .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1).trimEnd()}…`
}

/**
 * Returns a result in the common form. `published` is left out unless it begins with a date as YYYY-MM-DD.
 */
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

/**
 * Returns a response with status 200. For another status, throws FailureError `network` with the status and
 * its hint from `hints`.
 */
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

/**
 * Returns the object in an engine's response. Throws FailureError `network` if the response is not
 * a JSON object.
 */
export function jsonOf(name: string, text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (isObject(value)) return value
  throw refusedError(`${name} answered with something that is not its JSON`)
}

/** Returns those entries of a list that are objects; an empty list if `value` is not a list. */
export function resultEntries(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}
