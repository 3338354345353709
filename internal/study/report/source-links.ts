// Links to positions in sources: to a web page, to a line of the file at its commit, or to the file
// on this machine.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parsePlace } from '../../document/document-place.ts'
import type { SourceFacts } from '../log/entries.ts'
import { parseLineRanges } from '../verify/line-ranges.ts'

/**
 * Returns the URL of a position in a source. Undefined for an unknown source, and for a file that has no URL
 * at a commit and did not exist any more at the end of the study. `root` is the directory in which the study
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
  // A source that did not exist any more at the end of the study gets no link.
  if (facts.bytes === undefined) return undefined
  return pathToFileURL(join(root, facts.canonical)).href + pageFragment(locator)
}

/**
 * Returns the fragment of a URL that selects lines on the page of a repository host. Such a page shows the
 * lines of Markdown only with `plain=1`.
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
