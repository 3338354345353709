// Splitter of prose at headings and paragraphs, in Markdown, reStructuredText, AsciiDoc, manual pages
// and plain text.
import { isBlank, type LineBlock } from './blocks.ts'

interface Title {
  level: number
  text: string
  /** Number of lines that the title takes. */
  lines: number
}

const fence = /^\s{0,3}(`{3,}|~{3,})/
const tableRow = /^\s*\|.*\|\s*$/
const dashes = /^\s*\|?[\s:|-]*-{2,}[\s:|-]*$/
const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/
const underline = /^([=\-~^"#*+`:.'_])\1{2,}\s*$/

/**
 * Returns the blocks of a file. Headings of all supported markups count, except those that the extension of
 * `path` excludes, such as `#` in reStructuredText.
 */
export function splitProse(lines: readonly string[], path: string): LineBlock[] {
  const blocks: LineBlock[] = []
  const titles: Title[] = []
  const heading = () => titles.map(({ text }) => text).join(' > ')
  let i = 0
  const matter = frontmatterEnd(lines)
  if (matter > 0) {
    const title = frontmatterTitle(lines, matter)
    if (title !== '') titles.push({ level: 0, text: title, lines: 0 })
    blocks.push({ from: 0, to: matter, heading: title, symbol: '' })
    i = matter + 1
  }
  while (i < lines.length) {
    const line = lines[i] as string
    if (isBlank(line)) {
      i++
      continue
    }
    const title = titleAt(lines, i, path)
    if (title) {
      while (titles.length > 0 && (titles.at(-1) as Title).level >= title.level) titles.pop()
      titles.push(title)
      blocks.push({ from: i, to: i + title.lines - 1, heading: heading(), symbol: '', leads: true })
      i += title.lines
      continue
    }
    i = pushBlock(blocks, lines, i, heading(), path)
  }
  return introduce(lines, blocks)
}

/**
 * Adds the paragraph, list item, table or fenced text that begins at `from`. Returns the index of
 * the line after it.
 */
function pushBlock(
  blocks: LineBlock[],
  lines: readonly string[],
  from: number,
  heading: string,
  path: string,
): number {
  const first = lines[from] as string
  const opening = fence.exec(first)?.[1]
  if (opening !== undefined) {
    let to = from + 1
    const closing = new RegExp(`^\\s{0,3}${opening[0]}{${opening.length},}\\s*$`)
    while (to < lines.length && !closing.test(lines[to] as string)) to++
    const end = Math.min(to, lines.length - 1)
    blocks.push({ from, to: end, heading, symbol: '' })
    return end + 1
  }
  if (tableRow.test(first)) return pushTable(blocks, lines, from, heading)
  let to = from
  while (to + 1 < lines.length) {
    const next = lines[to + 1] as string
    if (isBlank(next) || item.test(next) || tableRow.test(next)) break
    if (fence.test(next)) break
    if (titleAt(lines, to + 1, path)) break
    to++
  }
  blocks.push({ from, to, heading, symbol: '' })
  return to + 1
}

/**
 * Adds the head of a table and each of its rows as separate blocks. The rows keep the names of the columns.
 * Returns the index of the line after the table.
 */
function pushTable(blocks: LineBlock[], lines: readonly string[], from: number, heading: string): number {
  const hasHead = dashes.test(lines[from + 1] ?? '')
  const head = hasHead ? cellsOf(lines[from] as string) : ''
  let i = from
  if (hasHead) {
    blocks.push({ from, to: from + 1, heading, symbol: '', leads: true })
    i = from + 2
  }
  while (i < lines.length && tableRow.test(lines[i] as string)) {
    blocks.push({ from: i, to: i, heading, symbol: '', tableHead: head || undefined })
    i++
  }
  return Math.max(i, from + 1)
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(', ')

/**
 * Marks paragraphs that end in a colon as introductions of the list, indented text or fenced text below them.
 * If the two are in different passages, the lower passage repeats the introduction.
 */
function introduce(lines: readonly string[], blocks: readonly LineBlock[]): LineBlock[] {
  let lead: { text: string; heading: string } | undefined
  return blocks.map((block) => {
    const last = (lines[block.to] as string).trimEnd()
    const isItem = item.test(lines[block.from] as string)
    if (/[:：]$/.test(last) && !isItem && block.leads !== true) {
      const text = lines
        .slice(Math.max(block.from, block.to - 3), block.to + 1)
        .map((line) => line.trim())
        .join(' ')
      lead = { text: text.slice(-240), heading: block.heading }
      return { ...block, leads: true }
    }
    const indented = /^\s/.test(lines[block.from] as string)
    if (
      lead &&
      lead.heading === block.heading &&
      (isItem || indented || fence.test(lines[block.from] as string))
    )
      return { ...block, introduces: lead.text }
    if (block.tableHead === undefined && block.leads !== true) lead = undefined
    return block
  })
}

function frontmatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0
  const end = lines.findIndex((line, i) => i > 0 && i < 60 && /^(?:---|\.\.\.)\s*$/.test(line))
  return end > 0 ? end : 0
}

/** Returns the title in the front matter of a file; an empty text without one. */
function frontmatterTitle(lines: readonly string[], end: number): string {
  for (let i = 1; i < end; i++) {
    const title = /^(?:title|name|long):\s*["']?(.{1,160}?)["']?\s*$/i.exec(lines[i] as string)?.[1]
    if (title !== undefined) return title
  }
  return ''
}

/**
 * Returns the heading at line `i` in any of the supported markups; undefined if the line has none, or has
 * more than 300 characters.
 */
function titleAt(lines: readonly string[], i: number, path: string): Title | undefined {
  const line = lines[i] as string
  if (line.length > 300) return undefined
  const atx = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line)
  if (atx && !/\.(?:rst|[1-8])$/.test(path)) return found((atx[1] as string).length, atx[2] as string, 1)
  const tagged = taggedTitle(lines, i)
  if (tagged) return tagged
  const adoc = /^(={1,6})\s+(\S.*)$/.exec(line)
  if (adoc) return found((adoc[1] as string).length, adoc[2] as string, 1)
  const roff = /^\.(SH|SS)\s+"?(.*?)"?\s*$/.exec(line)
  if (roff) return found(roff[1] === 'SH' ? 1 : 2, roff[2] as string, 1)
  const under = underline.exec(lines[i + 1] ?? '')?.[1]
  const isPlain = /^[^\s|>#`~+*-]/.test(line) && !underline.test(line)
  if (
    under !== undefined &&
    isPlain &&
    (lines[i + 1] as string).trim().length >= Math.min(3, line.trim().length)
  ) {
    const rank = '=-~^"'.indexOf(under)
    const isMarkdown = /\.(?:md|markdown|mdx)$/i.test(path)
    if (isMarkdown && rank > 1) return undefined
    return found(rank < 0 ? 4 : rank + 1, line, 2)
  }
  return undefined
}

/**
 * Returns the HTML heading that begins at line `i` and ends there or on the next three lines;
 * undefined without one.
 */
function taggedTitle(lines: readonly string[], i: number): Title | undefined {
  const level = /^\s{0,3}<h([1-6])\b/i.exec(lines[i] as string)?.[1]
  if (level === undefined) return undefined
  const end = lines.slice(i, i + 4).findIndex((line) => new RegExp(`</h${level}>`, 'i').test(line))
  if (end < 0) return undefined
  const text = lines
    .slice(i, i + end + 1)
    .join(' ')
    .trim()
  return found(Number(level), text, end + 1)
}

const found = (level: number, text: string, lines: number): Title => ({
  level,
  text: text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|<[^>]*>|\{#[^}]*\}/g, '')
    .trim()
    .slice(0, 160),
  lines,
})
