// Full-text search over the pages of the manual.
import { listPages, listSections, readPage, renamedPages } from './manual-pages.ts'

export interface ManualMatch {
  page: string
  /** Heading of the section that contains the line. */
  heading: string
  /** Line number in the file of the page, from 1. */
  line: number
  text: string
}

interface ManualLine extends ManualMatch {
  title: string
  isHeading: boolean
  isCode: boolean
}

/**
 * Returns the lines that contain every word of the query, best first; empty for an empty query. Without such
 * lines, returns one line of each section that contains every word: the line with most of the words. If the
 * query is the former name of a page, the title of the present page is added. Case does not matter; whole
 * words count more than parts of words.
 */
export function searchManual(query: string): ManualMatch[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const lines = inReadingOrder().flatMap(({ page, title }) => linesOf(page, title))
  const hits = lines.filter((line) => words.every((word) => line.text.toLowerCase().includes(word)))
  const matches = hits.length > 0 ? hits : bestOfSections(lines, words)
  const scored = [...matches, ...renamedTitles(lines, words, matches)].map((line) => ({
    line,
    score: scoreLine(line, words),
  }))
  // the sort is stable: equal scores keep the order of the pages
  scored.sort((a, b) => b.score - a.score)
  return scored.map(({ line: { page, heading, line, text } }) => ({ page, heading, line, text }))
}

/** Returns the pages that the index lists, in its order, then all other pages. */
function inReadingOrder() {
  const order = listSections().flatMap(({ pages }) => pages.map(({ page }) => page))
  const rank = (page: string) => (order.includes(page) ? order.indexOf(page) : order.length)
  return listPages().sort((a, b) => rank(a.page) - rank(b.page))
}

/**
 * Returns the lines with text. Code fences, separators in tables and the note on generated pages
 * are left out.
 */
function linesOf(page: string, title: string): ManualLine[] {
  let heading = title
  let isCode = false
  return readPage(page)
    .split('\n')
    .flatMap((text, i) => {
      if (text.startsWith('```')) {
        isCode = !isCode
        return []
      }
      if (text.trim() === '' || /^\|[-|: ]+\|$/.test(text) || text.startsWith('<!--')) return []
      const isHeading = !isCode && /^#+ /.test(text)
      if (isHeading) heading = text.replace(/^#+ /, '')
      return [{ page, title, heading, line: i + 1, text: text.trim(), isHeading, isCode }]
    })
}

function bestOfSections(lines: readonly ManualLine[], words: readonly string[]): ManualLine[] {
  const sections = new Map<string, ManualLine[]>()
  for (const line of lines) {
    const key = `${line.page}#${line.heading}`
    sections.set(key, [...(sections.get(key) ?? []), line])
  }
  return [...sections.values()].flatMap((section) => {
    const all = section.map(({ text }) => text.toLowerCase()).join('\n')
    if (!words.every((word) => all.includes(word))) return []
    const counts = section.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)).length)
    return [section[counts.indexOf(Math.max(...counts))] as ManualLine]
  })
}

/**
 * Returns a list with the title of the page whose former name is the query; an empty list without such a
 * page, or if its title is already a match.
 */
function renamedTitles(
  lines: readonly ManualLine[],
  words: readonly string[],
  matches: readonly ManualLine[],
): ManualLine[] {
  const [word = '', ...others] = words
  const page = others.length === 0 && Object.hasOwn(renamedPages, word) ? renamedPages[word] : undefined
  const title = lines.find((line) => line.page === page && line.isHeading)
  return title && !matches.includes(title) ? [title] : []
}

/**
 * Returns a score. It is higher for words in the name, title or headings and for whole words. It is lower for
 * code and for pages in subdirectories, which are generated.
 */
function scoreLine(
  { page, title, heading, text, isHeading, isCode }: ManualLine,
  words: readonly string[],
): number {
  const name = page.split('/').at(-1) ?? page
  const points = words.map((word) => {
    const isName = name === word || renamedPages[word] === page
    const inTitle = title.toLowerCase().includes(word)
    const inHeading = heading.toLowerCase().includes(word)
    return (isName ? 8 : 0) + (inTitle ? 4 : 0) + (inHeading ? 3 : 0) + (hasWord(text, word) ? 2 : 0)
  })
  const sum = points.reduce((total, point) => total + point, 0) / words.length
  const isTitle = title.toLowerCase() === words.join(' ')
  return sum + (isHeading ? 4 : 0) + (isTitle ? 8 : 0) - (isCode ? 1 : 0) - (page.includes('/') ? 6 : 0)
}

/** Returns true if `word` is in the text with no letter, digit, `_` or `-` on either side. */
function hasWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase()} `.split(/[^\p{L}\p{N}_-]+/u).includes(word)
}
