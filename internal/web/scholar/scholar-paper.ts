// The common form of a scholarly work, and of the query that every engine gets.
import { isObject, listOf, objectOf } from '../../base/untrusted-json.ts'
import type { GuardedFetch } from '../../net/guarded-fetch.ts'
import { cleanLine } from '../search/web-query.ts'

export interface ScholarQuery {
  text: string
  limit: number
  fromYear?: number | undefined
  toYear?: number | undefined
  signal?: AbortSignal
}

/** A scholarly work. Fields that an engine does not know are null. */
export interface ScholarPaper {
  title: string
  /** Names of at most 30 authors, each with the given name before the family name. */
  authors: readonly string[]
  venue: string | null
  year: number | null
  citations: number | null
  abstract: string | null
  /** URL of the work's text as PDF. */
  pdf: string | null
  link: string | null
  /** DOI of the work in lower case, without a URL before it. */
  doi: string | null
  /** Names of the engines that found the work. */
  sources: readonly string[]
}

/**
 * Sends a query to one engine. Rejects as GuardedFetch does, and with `network` if the engine rejects the
 * query or its response is invalid.
 */
export type ScholarSearch = (query: ScholarQuery, fetch: GuardedFetch) => Promise<ScholarPaper[]>

const maxAuthors = 30
const maxAbstractChars = 3_000

/** Returns a work from the untrusted values in an engine's response; undefined without a title. */
export function readPaper(
  source: string,
  raw: { authors: readonly unknown[] } & Readonly<
    Record<'title' | 'venue' | 'year' | 'citations' | 'abstract' | 'pdf' | 'link' | 'doi', unknown>
  >,
): ScholarPaper | undefined {
  const title = plainText(raw.title, 400)
  if (title === null) return undefined
  const doi = doiOf(raw.doi)
  return {
    title,
    authors: raw.authors.slice(0, maxAuthors).flatMap((name) => plainText(name, 100) ?? []),
    venue: plainText(raw.venue, 200),
    year: yearOf(raw.year),
    citations:
      Number.isSafeInteger(raw.citations) && Number(raw.citations) >= 0 ? Number(raw.citations) : null,
    abstract: plainText(raw.abstract, maxAbstractChars),
    pdf: addressOf(raw.pdf),
    link: addressOf(raw.link) ?? (doi === null ? null : `https://doi.org/${doi}`),
    doi,
    sources: [source],
  }
}

/**
 * Returns at most `limit` papers from the first `2 * limit` entries of a list. An entry that `read`
 * rejects is skipped.
 */
export function readPapers(
  list: unknown,
  limit: number,
  read: (entry: Record<string, unknown>) => ScholarPaper | undefined,
): ScholarPaper[] {
  const papers: ScholarPaper[] = []
  for (const entry of listOf(list).slice(0, 2 * limit)) {
    if (papers.length >= limit) break
    const paper = isObject(entry) ? read(entry) : undefined
    if (paper) papers.push(paper)
  }
  return papers
}

/** Returns the value that these keys lead to, one below the other; undefined if it is missing. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => objectOf(at)?.[key], value)
}

/**
 * Returns the text as one line of at most `limit` characters without markup (Crossref writes JATS, a form of
 * XML). Null if nothing remains, or for another value than a text.
 */
function plainText(text: unknown, limit: number): string | null {
  if (typeof text !== 'string') return null
  // The text is cut before its markup is removed. The cut leaves enough that nothing which would be
  // shown is lost.
  const bare = text
    .slice(0, limit * 8)
    .replace(/<\/?[a-z][\w:-]{0,30}(?:\s+[\w:-]{1,30}="[^"<>]{0,200}")*\s?\/?>/gi, ' ')
  return cleanLine(decodeEntities(bare), limit) || null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function yearOf(value: unknown): number | null {
  const year = typeof value === 'string' ? Number(/^\d{4}/.exec(value)?.[0]) : value
  return typeof year === 'number' && Number.isInteger(year) && year >= 1000 && year <= 2999 ? year : null
}

function doiOf(value: unknown): string | null {
  const text = typeof value === 'string' && value.length <= 300 ? value.trim().toLowerCase() : ''
  return /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)?(10\.\d{4,9}\/[^\s<>"]+)$/.exec(text)?.[1] ?? null
}

function addressOf(value: unknown): string | null {
  const text = typeof value === 'string' && value.length <= 2_000 ? value.trim() : ''
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url.href : null
}
