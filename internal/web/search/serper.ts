// The search of Google through the service Serper, which needs a key.
import { serperBase } from '../scholar/serper.ts'
import { answerOf, jsonOf, makeHit, resultEntries, type WebSearch, withSites } from './web-query.ts'

export function createSerperWebSearch(key: string, base: string = serperBase): WebSearch {
  return async (query, fetch) => {
    const answer = await answerOf(
      'Serper',
      fetch,
      {
        url: new URL('/search', base).href,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': key },
        body: JSON.stringify({
          q: withSites(query),
          num: query.limit,
          gl: query.country ? query.country.toLowerCase() : undefined,
          tbs: query.recency ? `qdr:${query.recency[0]}` : undefined,
        }),
        signal: query.signal,
      },
      {
        400: 'Check the credit of the Serper account.',
        401: 'The key is not valid: check web.serperKey or SERPER_KEY.',
        403: 'The key is not valid: check web.serperKey or SERPER_KEY.',
        429: 'It limits how often it may be asked; wait a while.',
      },
    )
    return resultEntries(jsonOf('Serper', answer.body).organic).map(({ title, link, snippet, date }) =>
      makeHit('serper', { title, url: link, snippet, published: isoDay(date) }),
    )
  }
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/**
 * Returns the day of a text such as `Feb 3, 2024` in ISO form; undefined for any other text, such as
 * `2 days ago`.
 */
function isoDay(date: unknown): string | undefined {
  const [, name = '', day = '', year = ''] =
    /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(typeof date === 'string' ? date : '') ?? []
  const at = months.indexOf(name)
  if (year === '' || at % 3 !== 0) return undefined
  return `${year}-${String(at / 3 + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}
