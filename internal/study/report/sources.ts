// The sources of a report: each with its quotes, its position and a link to it.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parsePlace } from '../../document/document-place.ts'
import { placesOf, type SourceFacts, type StudyClaim, type StudyEvidence } from '../log/entries.ts'
import { containsQuote } from '../verify/quotation.ts'
import { parseLineRanges } from '../verify/source-reader.ts'

/** A position in a source that claims cite, with the ids of the evidence that they cite and of the claims. */
export interface ReportSource {
  /** Number of the source, from 1, in the order in which the report first cites the sources. */
  n: number
  canonical: string
  locator: string
  evidence: string[]
  claims: string[]
}

/**
 * Returns the sources that claims cite, in the order of the claims. Evidence with the same canonical source
 * and locator is one source.
 */
export function sourcesOf(
  claims: Iterable<StudyClaim>,
  evidence: ReadonlyMap<string, StudyEvidence>,
): ReportSource[] {
  const sources = new Map<string, ReportSource>()
  for (const [claim, place] of [...claims].flatMap((one) => placesOf(one).map((at) => [one, at] as const))) {
    const filed = evidence.get(place.evidence)
    if (!filed) continue
    const { canonical, locator } = filed
    const key = `${canonical}\n${locator}`
    const source = sources.get(key) ?? { n: sources.size + 1, canonical, locator, evidence: [], claims: [] }
    sources.set(key, source)
    if (!source.evidence.includes(filed.id)) source.evidence.push(filed.id)
    if (!source.claims.includes(claim.id)) source.claims.push(claim.id)
  }
  return [...sources.values()]
}

/**
 * Returns a position as text: `docs/a.md:12-14` for lines, `https://a.test/b, lines 2-3` for lines of a
 * page, `a.pdf, page 3` in a document, `address (place)` for everything else. Returns `canonical` for
 * an empty locator.
 */
export function placeName(canonical: string, locator: string): string {
  if (locator === '') return canonical
  const lines = parseLineRanges(locator)
  // After a URL, a colon and a number would look like a port, so words are used.
  if (lines && /^https?:\/\//.test(canonical))
    return `${canonical}, ${/^\d+$/.test(locator) ? 'line' : 'lines'} ${locator}`
  if (lines) return `${canonical}:${locator}`
  return parsePlace(locator) ? `${canonical}, ${locator}` : `${canonical} (${locator})`
}

/**
 * Returns the lines of all locators, each line once: `1-3` for `3` and `1-3`, `2, 14-16` for `14-16` and `2`.
 * Undefined if a locator does not mean lines.
 */
export function joinLineRanges(locators: readonly string[]): string | undefined {
  const ranges: { from: number; to: number }[] = []
  for (const locator of locators) {
    const lines = parseLineRanges(locator)
    if (!lines) return undefined
    ranges.push(...lines)
  }
  const distinctRanges: { from: number; to: number }[] = []
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const last = distinctRanges.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else distinctRanges.push({ from, to })
  }
  return distinctRanges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

/**
 * Returns the first lines of the source that contain the quote, as a locator. If they are not certain,
 * returns the locator of the evidence.
 */
export function quoteLocator(quote: string, { excerpt, locator }: StudyEvidence): string {
  const numbers = parseLineRanges(locator)?.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, 100_000) }, (_, i) => from + i),
  )
  const lines = excerpt.replace(/\n$/, '').split('\n')
  if (!numbers || numbers.length < lines.length || !containsQuote(excerpt, quote)) return locator
  // Both ends are found by binary search, because a longer range of lines contains at least as much.
  const last = findSmallest(lines.length, (count) => containsQuote(lines.slice(0, count).join('\n'), quote))
  const skipped =
    last - findSmallest(last, (count) => containsQuote(lines.slice(last - count, last).join('\n'), quote))
  // Comment marks at both ends belong to the quote only if the quote contains them.
  const exact = linesOfExact(quote, lines)
  const isWider = exact !== undefined && exact.from <= skipped && exact.to >= last - 1
  const { from, to } = isWider ? exact : { from: skipped, to: last - 1 }
  return numbers[from] === numbers[to] ? `${numbers[from]}` : `${numbers[from]}-${numbers[to]}`
}

/**
 * Returns the indices of the lines that contain exactly the quote, including its comment marks; undefined
 * if none do.
 */
function linesOfExact(quote: string, lines: readonly string[]): { from: number; to: number } | undefined {
  const text = lines.join('\n')
  const trimmedQuote = quote.trim()
  const at = text.indexOf(trimmedQuote)
  if (at < 0) return undefined
  const lineAt = (end: number) => text.slice(0, end).split('\n').length - 1
  return { from: lineAt(at), to: lineAt(at + trimmedQuote.length) }
}

/** Returns the smallest number from 1 to `max` that passes `test`. All larger numbers have to pass too. */
function findSmallest(max: number, test: (count: number) => boolean): number {
  let low = 1
  let high = max
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the URL of a position in a source. Undefined for an unknown source, and for a file that has no
 * URL at a commit and could not be read at the end of the study. `root` is the directory in which the study
 * read the sources.
 */
export function linkToPlace(
  facts: SourceFacts | undefined,
  root: string,
  locator: string,
): string | undefined {
  if (!facts) return undefined
  if (/^https?:\/\//.test(facts.canonical)) return facts.canonical
  if (facts.link !== undefined) return facts.link + lineFragment(facts.link, locator)
  // A file that could not be read at the end of the study gets no link.
  if (facts.bytes === undefined) return undefined
  return pathToFileURL(join(root, facts.canonical)).href + pageFragment(locator)
}

/**
 * Returns the fragment of a URL that selects lines on the page of a repository host; empty if `locator` has
 * no lines. Such a page shows the lines of Markdown, reStructuredText and AsciiDoc only with `plain=1`.
 */
function lineFragment(link: string, locator: string): string {
  const [first] = parseLineRanges(locator) ?? []
  if (!first) return ''
  const isGitLab = link.includes('/-/blob/')
  const to = first.to === first.from ? '' : `-${isGitLab ? '' : 'L'}${first.to}`
  return `${/\.(?:md|markdown|rst|adoc)$/i.test(link) ? '?plain=1' : ''}#L${first.from}${to}`
}

/**
 * Returns the fragment of a file URL: the page, which readers of PDF use, or the first line, which
 * most programs ignore.
 */
function pageFragment(locator: string): string {
  const place = parsePlace(locator)
  const page = place?.outer?.unit === 'page' ? place.outer.n : place?.unit === 'page' ? place.from : undefined
  if (page !== undefined) return `#page=${page}`
  const [first] = parseLineRanges(locator) ?? []
  return first ? `#L${first.from}` : ''
}
