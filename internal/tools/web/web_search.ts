// The tool web_search: sends a query to the configured search engine, or to the next one if it fails. Results
// have one form for all engines.
import * as z from 'zod/mini'
import { type Failure, FailureError } from '../../base/errors.ts'
import type { GuardedFetch } from '../../net/guarded-fetch.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, filledText, wholeNumber } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { mayReachHost } from '../../tool-support/reachable-host.ts'
import { chooseEngine, type SearchEngine } from '../../web/search/search-engine.ts'
import {
  domainOf,
  filterHits,
  searchCategories,
  type WebHit,
  type WebQuery,
  windowOf,
} from '../../web/search/web-query.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './web_search.md'

const engineOf = ({ settings: { web }, env }: Ctx, preferred?: 'serper'): SearchEngine =>
  chooseEngine(web, env, preferred)

const date = /^\d{4}-\d{2}-\d{2}$/

const input = z.object({
  query: field(filledText(), 'A few distinctive words'),
  max_results: field(z._default(wholeNumber(), 10), 'Pages to list', { cap: 20 }),
  recency: field(
    z._default(z.string(), 'any'),
    'How old a page may be: any, day, week, month, year, 24h, 7d',
  ),
  domains: field(z._default(z.array(z.string()), []), 'Only pages of these domains and their subdomains'),
  exclude_domains: field(z._default(z.array(z.string()), []), 'No pages of these domains'),
  category: field(z.optional(z.enum(searchCategories)), 'Kind of page; only Exa knows it', {
    offer: 'exa',
  }),
  start_published_date: field(
    z.optional(z.string().check(z.regex(date))),
    'Earliest day of publication, YYYY-MM-DD; only Exa knows it',
    {
      offer: 'exa',
    },
  ),
  end_published_date: field(
    z.optional(z.string().check(z.regex(date))),
    'Latest day of publication, YYYY-MM-DD; only Exa knows it',
    {
      offer: 'exa',
    },
  ),
})

type SearchArgs = z.output<typeof input> & VariantArgs<'web_search'>

export const webSearch = defineTool({
  name: 'web_search',
  about,
  offer: { mentions: ['web_fetch'] },
  input,
  example: { query: 'node 24 release notes', max_results: 3, domains: ['nodejs.org'] },
  level: 'external_read',
  access: ({ prefer }: SearchArgs, ctx) => ({ scope: [{ kind: 'host', host: engineOf(ctx, prefer).host }] }),
  available(ctx) {
    if (!ctx.settings.web.enabled) return 'web access is off; set web.enabled to true in the configuration'
    if (!ctx.can.fetch) return 'this session has no network access'
    return engineOf(ctx).missing ?? true
  },
  async validate({ recency }) {
    readWindow(recency)
  },
  async run(args: SearchArgs, ctx) {
    const { fetch } = ctx.can
    if (!fetch) throw new FailureError({ code: 'unavailable', message: 'this session has no network access' })
    const first = engineOf(ctx, args.prefer)
    const window = readWindow(args.recency)
    const query = {
      text: args.query,
      limit: args.max_results,
      recency: window,
      domains: args.domains.map(domainOf).filter((domain) => domain !== ''),
      exclude: args.exclude_domains.map(domainOf).filter((domain) => domain !== ''),
      category: args.category,
      start: args.start_published_date,
      end: args.end_published_date,
      country: args.country?.toUpperCase(),
      safeSearch: args.safe_search,
      signal: ctx.signal,
    }
    const answer = await searchWith(first, query, fetch, ctx).catch((error: unknown) => {
      throw error instanceof FailureError ? withAdvice(error, first.name) : error
    })
    const results = filterHits(answer.hits, query)
    for (const { url } of results) ctx.gate.urls?.add(url)
    const { name } = answer.engine
    const notes = [...answer.notes, ...noteIgnoredArgs(args, name)]
    const recency = window ?? 'any'
    if (args.recency !== recency) notes.unshift(`recency ${args.recency} was searched as ${recency}`)
    const data = { query: args.query, engine: name, recency, results, notes }
    return {
      text: [listHits(results, args.query, name), ...notes.map((n) => `note: ${n}`)].join('\n\n'),
      data,
    }
  },
  evidence: async (data) =>
    (data?.results ?? []).flatMap(({ url, title, snippet, published }) =>
      snippet.trim() === '' ? [] : [{ canonical: url, locator: title, excerpt: snippet, published }],
    ),
})

interface EngineAnswer {
  engine: SearchEngine
  hits: WebHit[]
  notes: string[]
}

/**
 * Returns the answer of the search engine or, if this engine fails, the answer of the next engine. Throws the
 * first error if the call is canceled, no next engine exists, or the rules do not let this call reach the
 * host of the next engine. If both engines fail, throws an error with both messages.
 */
async function searchWith(
  engine: SearchEngine,
  query: WebQuery,
  fetch: GuardedFetch,
  ctx: Ctx,
): Promise<EngineAnswer> {
  try {
    return { engine, hits: await engine.search(query, fetch), notes: [] }
  } catch (error) {
    const { next } = engine
    // Only the host of the first engine was judged, and its failure must not bypass a rule about the host of
    // the next engine.
    const isOver = !(error instanceof FailureError) || ctx.signal.aborted || !next
    if (isOver || !(await mayReachHost('web_search', { query: query.text }, next.host, ctx))) throw error
    try {
      const { title } = next
      const notes = [`${error.failure.message}; ${title} was asked instead`, ...hintOf(error.failure)]
      return { engine: next, hits: await next.search(query, fetch), notes }
    } catch (second) {
      if (!(second instanceof FailureError)) throw second
      const message = `${error.failure.message}; then: ${second.failure.message}`
      const { code, hint = second.failure.hint, detail = second.failure.detail } = error.failure
      throw new FailureError({ code, message, hint, detail })
    }
  }
}

const hintOf = ({ hint }: Failure) => (hint === undefined ? [] : [hint])

/**
 * Returns the period of time that `recency` means; undefined for `any`. Throws FailureError `bad_args` for
 * an invalid value.
 */
function readWindow(recency: string) {
  const window = windowOf(recency)
  if (window !== null) return window
  throw new FailureError({
    code: 'bad_args',
    message: `recency ${JSON.stringify(recency)} is not a window`,
    hint: 'Use any, day, week, month, year, or a shorthand such as 24h, 7d or 30d.',
  })
}

/**
 * Returns an error of the network or a time limit with a hint on what to configure, unless it has a hint.
 * Returns other errors unchanged.
 */
function withAdvice(error: FailureError, name: string): FailureError {
  const { failure } = error
  if ((failure.code !== 'network' && failure.code !== 'timeout') || failure.hint !== undefined) return error
  const other =
    name === 'searxng'
      ? 'check web.searxngUrl'
      : 'or set web.searxngUrl to a SearXNG server that can be reached, or web.exaKey to an Exa key'
  const hint = `Searching with ${name} needs the network: check the connection, ${other}.`
  return new FailureError({ ...failure, hint }, error)
}

/**
 * Returns notes that name the passed arguments that the answering engine does not support and has ignored.
 */
function noteIgnoredArgs(args: Readonly<Record<string, unknown>>, engine: SearchEngine['name']): string[] {
  const pickPassed = (names: readonly string[]) => names.filter((name) => args[name] !== undefined)
  const isExa = engine === 'exa'
  const dates = isExa ? [] : pickPassed(['category', 'start_published_date', 'end_published_date'])
  const place = isExa || engine === 'serper' ? [] : pickPassed(['country'])
  const safe = engine === 'duckduckgo' || engine === 'serper' ? pickPassed(['safe_search']) : []
  return [
    ...(dates.length > 0 ? [`${dates.join(', ')} ignored: only Exa knows them`] : []),
    ...[...place, ...safe].map((name) => `${name} ignored: ${engine} does not know it`),
  ]
}

function listHits(results: readonly WebHit[], query: string, engine: string): string {
  if (results.length === 0) return `No results for ${query} (${engine}). Try fewer words, domains or limits.`
  const lines = results.map(({ title, url, snippet, published }, i) =>
    [
      `${i + 1}. ${title}`,
      `${url}${published ? `  (${published})` : ''}`,
      ...(snippet ? [snippet] : []),
    ].join('\n   '),
  )
  return lines.join('\n\n')
}
