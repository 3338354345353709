// The search of Google Scholar through the service Serper, which needs a key.
import { jsonOf } from '../search/web-query.ts'
import { signalOf } from './openalex.ts'
import { readPaper, readPapers, type ScholarSearch } from './scholar-paper.ts'
import { askEngine } from './scholar-request.ts'

export const serperBase = 'https://google.serper.dev'

export function createSerperSearch(key: string, base: string = serperBase): ScholarSearch {
  return async (query, fetch) => {
    const reply = await askEngine(
      'Serper',
      fetch,
      {
        url: new URL('/scholar', base).href,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({
          q: query.text,
          num: query.limit,
          as_ylo: query.fromYear,
          as_yhi: query.toYear,
        }),
        ...signalOf(query),
      },
      'Check the Serper key in web.serperKey or SERPER_KEY, and its credit.',
    )
    return readPapers(jsonOf('Serper', reply).organic, query.limit, (hit) => {
      const { authors, venue } = readPublication(hit.publicationInfo)
      return readPaper('serper', {
        title: hit.title,
        authors,
        venue,
        year: hit.year,
        citations: hit.citedBy,
        abstract: hit.snippet,
        pdf: hit.pdfUrl,
        link: hit.link,
        doi: hit.link,
      })
    })
  }
}

/** Parses authors and venue from a text such as `A Author, B Author… - Journal, 2017 - publisher.org`. */
function readPublication(info: unknown): { authors: string[]; venue: string | undefined } {
  const [names = '', journal = ''] = typeof info === 'string' ? info.slice(0, 1_000).split(' - ') : []
  const authors = names.split(',').map((name) => name.replace('…', '').trim())
  const venue = journal.replace(/,?\s*\d{4}$/, '').replace(/^\d{4}$/, '')
  return { authors: authors.filter((name) => name !== ''), venue: venue.trim() || undefined }
}
