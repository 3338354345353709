// The search of OpenAlex, an open catalog of scholarly works. Without a key it allows few searches a day.
import { listOf, objectOf } from '../../base/untrusted-json.ts'
import { jsonOf } from '../search/web-query.ts'
import { readPaper, readPapers, type ScholarSearch, valueAt } from './scholar-paper.ts'
import { askEngine, yearRange } from './scholar-request.ts'

export const openalexBase = 'https://api.openalex.org'

const fields = [
  ...['id', 'doi', 'display_name', 'publication_year', 'cited_by_count', 'authorships'],
  ...['primary_location', 'best_oa_location', 'abstract_inverted_index'],
]

export function createOpenalexSearch(key: string, base: string = openalexBase): ScholarSearch {
  return async (query, fetch) => {
    const url = new URL('/works', base)
    // OpenAlex would read commas, bars and exclamation marks as operators.
    url.searchParams.set('search', query.text.replace(/[,|!]/g, ' '))
    url.searchParams.set('per-page', String(query.limit))
    url.searchParams.set('select', fields.join(','))
    const years = yearRange(query, (from, to) => `publication_year:${from}-${to}`)
    if (years !== undefined) url.searchParams.set('filter', years)
    if (key) url.searchParams.set('api_key', key)
    const remedy = key
      ? 'Check the OpenAlex key in web.openalexKey or OPENALEX_API_KEY, or wait a while.'
      : 'Set a free OpenAlex key in web.openalexKey or OPENALEX_API_KEY.'
    const reply = await askEngine('OpenAlex', fetch, { url: url.href, ...signalOf(query) }, remedy)
    return readPapers(jsonOf('OpenAlex', reply).results, query.limit, (work) =>
      readPaper('openalex', {
        title: work.display_name,
        authors: listOf(work.authorships).map((one) => valueAt(one, 'author', 'display_name')),
        venue: valueAt(work, 'primary_location', 'source', 'display_name'),
        year: work.publication_year,
        citations: work.cited_by_count,
        abstract: readInvertedIndex(work.abstract_inverted_index),
        pdf: valueAt(work, 'best_oa_location', 'pdf_url') ?? valueAt(work, 'primary_location', 'pdf_url'),
        link: valueAt(work, 'primary_location', 'landing_page_url') ?? work.doi ?? work.id,
        doi: work.doi,
      }),
    )
  }
}

export const signalOf = ({ signal }: { signal?: AbortSignal }) => (signal ? { signal } : {})

const maxWords = 2_000

/**
 * Returns the abstract as a text of at most `maxWords` words. OpenAlex sends it as the positions
 * of each word.
 */
function readInvertedIndex(index: unknown): string {
  const words: string[] = []
  for (const [word, positions] of Object.entries(objectOf(index) ?? {})) {
    for (const at of listOf(positions)) {
      if (Number.isInteger(at) && Number(at) >= 0 && Number(at) < maxWords) words[Number(at)] = word
    }
  }
  return words.filter((word) => word !== undefined).join(' ')
}
