// The tool scholar_search: finds scholarly works in public search engines and lists each work once.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, wholeNumber } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { mayReachHost } from '../../tool-support/reachable-host.ts'
import { chooseScholarEngines } from '../../web/scholar/scholar-engines.ts'
import type { ScholarPaper } from '../../web/scholar/scholar-paper.ts'
import { searchPapers } from '../../web/scholar/search-papers.ts'
import about from './scholar_search.md'

const enginesOf = ({ settings: { web }, env }: Ctx) => chooseScholarEngines(web, env)

export const scholarSearch = defineTool({
  name: 'scholar_search',
  about,
  offer: { mentions: ['web_fetch'], optional: true },
  input: z.object({
    query: field(z.string().check(z.minLength(1), z.maxLength(400)), 'Words of a title, topic or author.'),
    max_results: field(z._default(wholeNumber(), 10), 'Works to list', { cap: 20 }),
    from_year: field(z.optional(wholeNumber(1000).check(z.lte(2999))), 'First year of publication.'),
    to_year: field(z.optional(wholeNumber(1000).check(z.lte(2999))), 'Last year of publication.'),
  }),
  example: { query: 'speculative decoding large language models', from_year: 2023, max_results: 5 },
  level: 'external_read',
  access: (_args, ctx) => ({ scope: [{ kind: 'host', host: enginesOf(ctx)[0].host }] }),
  available(ctx) {
    if (!ctx.settings.web.enabled) return 'web access is off; set web.enabled to true in the configuration'
    if (!ctx.can.fetch) return 'this session has no network access'
    return enginesOf(ctx)[0].missing ?? true
  },
  async validate({ from_year, to_year }) {
    if (from_year === undefined || to_year === undefined || from_year <= to_year) return
    throw new FailureError({ code: 'bad_args', message: '`to_year` lies before `from_year`' })
  },
  async run({ query, max_results, from_year, to_year }, ctx) {
    const { fetch } = ctx.can
    if (!fetch) throw new FailureError({ code: 'unavailable', message: 'this session has no network access' })
    const { papers, engines, notes } = await searchPapers(
      enginesOf(ctx),
      { text: query, limit: max_results, fromYear: from_year, toYear: to_year, signal: ctx.signal },
      fetch,
      ({ host }) => mayReachHost('scholar_search', { query }, host, ctx),
    )
    for (const url of papers.flatMap(({ link, pdf }) => [link, pdf]))
      if (url !== null) ctx.gate.urls?.add(url)
    const results = papers.map((paper) => ({ ...paper, publication: publicationLine(paper) }))
    const list =
      results.length === 0
        ? `No works found for ${query} (${engines.join(', ')}). Try fewer or other words.`
        : results.map(describePaper).join('\n\n')
    return {
      text: [list, ...notes.map((note) => `note: ${note}`)].join('\n\n'),
      data: { query, engines, results, notes },
    }
  },
  evidence: async (data) =>
    (data?.results ?? []).flatMap(({ link, title, abstract, year }) =>
      link === null || abstract === null
        ? []
        : [
            {
              canonical: link,
              locator: title,
              excerpt: abstract,
              published: year === null ? undefined : String(year),
            },
          ],
    ),
})

/**
 * Returns a line such as `Ada Lovelace, Alan Turing - Journal, 2017`, with at most four authors and the
 * number of the others; null if authors, venue and year are unknown.
 */
function publicationLine({ authors, venue, year }: ScholarPaper): string | null {
  const named = authors.slice(0, 4).join(', ')
  const rest = authors.length > 4 ? ` and ${authors.length - 4} more` : ''
  const place = [venue, year].filter((part) => part !== null).join(', ')
  return [named + rest, place].filter((part) => part !== '').join(' - ') || null
}

function describePaper(paper: ScholarPaper & { publication: string | null }, index: number): string {
  const { title, publication, citations, abstract, pdf, link } = paper
  const lines = [
    `${index + 1}. ${title}`,
    publication,
    citations === null ? null : `cited by ${citations}`,
    link,
    pdf === null || pdf === link ? null : `pdf: ${pdf}`,
    abstract,
  ]
  return lines.filter((line) => line !== null).join('\n   ')
}
