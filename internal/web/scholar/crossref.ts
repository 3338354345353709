// The search of Crossref, the register of DOIs. It needs no key and has few abstracts.
import { isObject, listOf, stringOf } from '../../base/untrusted-json.ts'
import { jsonOf } from '../search/web-query.ts'
import { signalOf } from './openalex.ts'
import { readPaper, readPapers, type ScholarSearch, valueAt } from './scholar-paper.ts'
import { askEngine } from './scholar-request.ts'

export const crossrefBase = 'https://api.crossref.org'

const fields = 'DOI,title,author,container-title,issued,is-referenced-by-count,abstract,link,URL'

export function createCrossrefSearch(base: string = crossrefBase): ScholarSearch {
  return async (query, fetch) => {
    const url = new URL('/works', base)
    url.searchParams.set('query', query.text)
    url.searchParams.set('rows', String(query.limit))
    url.searchParams.set('select', fields)
    const years = [
      ...(query.fromYear === undefined ? [] : [`from-pub-date:${query.fromYear}`]),
      ...(query.toYear === undefined ? [] : [`until-pub-date:${query.toYear}`]),
    ]
    if (years.length > 0) url.searchParams.set('filter', years.join(','))
    const request = { url: url.href, ...signalOf(query) }
    const reply = await askEngine(
      'Crossref',
      fetch,
      request,
      'Wait a while: it limits how often it is asked.',
    )
    return readPapers(valueAt(jsonOf('Crossref', reply), 'message', 'items'), query.limit, (work) =>
      readPaper('crossref', {
        title: listOf(work.title)[0],
        authors: listOf(work.author).map(nameOf),
        venue: listOf(work['container-title'])[0],
        year: listOf(listOf(valueAt(work, 'issued', 'date-parts'))[0])[0],
        citations: work['is-referenced-by-count'],
        abstract: work.abstract,
        pdf: pdfOf(work.link),
        link: work.URL,
        doi: work.DOI,
      }),
    )
  }
}

/** Returns the full name of an author. A group has a single name; others have two. */
function nameOf(author: unknown): string {
  if (!isObject(author)) return ''
  return stringOf(author.name) || [author.given, author.family].map(stringOf).join(' ')
}

function pdfOf(links: unknown): unknown {
  const pdf = listOf(links).find((link) => /\bpdf$/.test(stringOf(valueAt(link, 'content-type'))))
  return valueAt(pdf, 'URL')
}
