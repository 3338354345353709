// Where a quotation stands: the sources of a report in the order of tasks, and the exact lines of a quote
// within one.

import { parsePlace } from '../../document/document-place.ts'
import type { StudyClaim, StudyEvidence } from '../log/entries.ts'
import { parseLineRanges } from '../verify/line-ranges.ts'
import { containsQuote } from '../verify/quotation.ts'

/** Evidence of one place, whatever tasks have read it. */
export interface ReportSource {
  /** From 1, in the order in which claims first use them. */
  n: number
  canonical: string
  locator: string
  evidence: string[]
  claims: string[]
}

/** The sources that claims rest on; evidence with equal canonical source and locator is one. */
export function sourcesOf(
  claims: Iterable<StudyClaim>,
  evidence: ReadonlyMap<string, StudyEvidence>,
): ReportSource[] {
  const found = new Map<string, ReportSource>()
  for (const claim of claims) {
    const filed = evidence.get(claim.evidence)
    if (!filed) continue
    const { canonical, locator } = filed
    const key = `${canonical}\n${locator}`
    const source = found.get(key) ?? { n: found.size + 1, canonical, locator, evidence: [], claims: [] }
    found.set(key, source)
    if (!source.evidence.includes(filed.id)) source.evidence.push(filed.id)
    source.claims.push(claim.id)
  }
  return [...found.values()]
}

/**
 * `docs/a.md:12-14` for lines, `https://a.test/b, lines 2-3` for those of a page, `a.pdf, page 3` within
 * documents, `address (place)` for everything else.
 */
export function placeName(canonical: string, locator: string): string {
  if (locator === '') return canonical
  const lines = parseLineRanges(locator)
  // behind an address a colon is read as a port
  if (lines && /^https?:\/\//.test(canonical))
    return `${canonical}, ${/^\d+$/.test(locator) ? 'line' : 'lines'} ${locator}`
  if (lines) return `${canonical}:${locator}`
  return parsePlace(locator) ? `${canonical}, ${locator}` : `${canonical} (${locator})`
}

/**
 * The lines of the source that hold the quote for the first time, as a locator; that of the evidence if in
 * doubt.
 */
export function quoteLocator(quote: string, { excerpt, locator }: StudyEvidence): string {
  const numbers = parseLineRanges(locator)?.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, 100_000) }, (_, i) => from + i),
  )
  const lines = excerpt.replace(/\n$/, '').split('\n')
  if (!numbers || numbers.length < lines.length || !containsQuote(excerpt, quote)) return locator
  // both searches halve: more lines never hold less
  const last = first(lines.length, (count) => containsQuote(lines.slice(0, count).join('\n'), quote))
  const skipped =
    last - first(last, (count) => containsQuote(lines.slice(last - count, last).join('\n'), quote))
  const from = numbers[skipped]
  const to = numbers[last - 1]
  return from === to ? `${from}` : `${from}-${to}`
}

/**
 * The smallest count from 1 to `most` for which `test` holds, given that it holds for `most` and stays true.
 */
function first(max: number, test: (count: number) => boolean): number {
  let low = 1
  let high = max
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
