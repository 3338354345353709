// Layout of a quote in readable form: as paragraphs, list items, table rows and code, instead of
// one long line.
import { languageOfFence, languageOfPath } from '../../../base/code/code-language.ts'
import { type InlineMarkup, joinParagraph, splitParagraph } from '../../../render/markdown/inline.ts'
import { kindOfFile } from '../../../retrieval/file-kind.ts'
import type { CodePiece, QuotePiece } from '../markdown-blocks.ts'
import { codeBlock } from './code-block.ts'
import { readRoff } from './roff-text.ts'
import { isGridRule, readRstTable } from './rst-tables.ts'
import { type RstCode, readRstCode, readRstDirective } from './rst-units.ts'

/** A block of a quote. Text of the kind `quote` has one paragraph, list item or row per line. */
type QuoteBlock = QuotePiece | CodePiece

interface QuotedText {
  /** Lines of the source, unchanged. */
  quote: string
  /** The most informative words of the quote. */
  key?: string | undefined
  /** Path or URL of the source, by which programs are distinguished from prose. */
  path: string
  /** Titles above the quote, outermost first, joined by ` > `. */
  heading?: string | undefined
}

/** Matches the start of fenced code. The language may follow a directive of MyST: `{code-block} python`. */
const fence = /^\s*(`{3,}|~{3,})\s*(?:\{(?:code-block|code-cell|code|sourcecode)\}\s*)?(\S*)/
const title = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/
const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
const rule = /^\s*(?:([-=~*_#^])\1{2,}|<a [^<>]*>(?:<\/a>)?)\s*$/
const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/
/** Matches the mark of a list item, which no form of a report shows as it is written. */
const itemMark = /^\s*[-*+]\s+(?=\S)/
const comment = /^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|\/\/+|#+(?!\[|!)|;+|--+|<!--)\s?/
const commentEnd = /\s*(?:\*\/|-->)\s*$/

/** Returns the blocks of a quote. Marks of headings and comments are removed; code keeps its lines. */
export function layOutQuote({ quote, key: keyWords, path, heading = '' }: QuotedText): QuoteBlock[] {
  const isManual = isManualPage(path)
  const lines = isManual ? readRoff(quote.split('\n')) : quote.split('\n')
  const key = isManual && keyWords ? readRoff(keyWords.split('\n')).join('\n').trim() : keyWords
  const kind = kindOf(path)
  const prose = { heading, key, markup: markupOf(path) ?? 'comment' }
  if (kind === 'prose') return layOutProse(lines, prose)
  if (kind === 'data') return [codeBlock(lines, { isBeginning: true, language: languageOfPath(path) })]
  // The comment of a program becomes a text above its code.
  const isComment = (line: string) => line.trim() === '' || comment.test(line)
  const end = lines.findIndex((line) => !isComment(line))
  const [words, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)]
  const bare = words.map((line) => line.replace(comment, '').replace(commentEnd, ''))
  const blocks = layOutProse(bare, prose)
  if (rest.length === 0) return blocks
  const isBeginning = words.length === 0
  return [...blocks, codeBlock(rest, { isBeginning, language: languageOfPath(path) })]
}

/**
 * Returns the last two titles above a quote, joined by ` > `; empty without titles. Titles that only contain
 * names of table columns, and those that end in a colon, are left out.
 */
export function titleOf({ quote, heading = '' }: Pick<QuotedText, 'quote' | 'heading'>): string {
  const row = quote.split('\n').find((line) => tableRow.test(line))
  const titles = heading.split(' > ').filter((one) => one.trim() !== '' && !/[:：]$/.test(one))
  if (row !== undefined && columnsOf(heading, cellsOf(row).length)) titles.pop()
  return titles.slice(-2).join(' > ').replace(/[`*]/g, '').trim()
}

const kindOf = (path: string) => (/^https?:/.test(path) ? 'prose' : kindOfFile(path))

/**
 * Returns the markup of prose in a file; undefined for programs and data. Plain text is read like comments.
 */
export function markupOf(path: string): InlineMarkup | undefined {
  if (kindOf(path) !== 'prose') return undefined
  if (/\.(?:rst|rest)$/i.test(path)) return 'rst'
  return /^https?:|\.(?:md|markdown|mdx|mkd|ipynb)$/i.test(path) ? 'markdown' : 'comment'
}

/**
 * Returns a quote from reStructuredText or a manual page as the texts of its blocks, joined by spaces,
 * without the marks of titles and directives. Any other quote is unchanged.
 */
export function plainQuote(quote: string, path: string): string {
  if (markupOf(path) !== 'rst' && !isManualPage(path)) return quote
  return layOutQuote({ quote, path })
    .map(({ text }) => text)
    .join(' ')
}

interface ProseOptions {
  heading: string
  key?: string | undefined
  markup: InlineMarkup
}

function layOutProse(lines: readonly string[], prose: ProseOptions): QuoteBlock[] {
  const blocks: QuoteBlock[] = []
  for (const { isCode, own: partLines, language } of cutAtFences(lines)) {
    const units = isCode ? [partLines] : unitsOf(partLines, prose.markup)
    let columns: string[] | undefined
    for (const [i, unit] of units.entries()) {
      const [line = ''] = unit
      const isHead = tableRule.test(units[i + 1]?.[0] ?? '')
      const rows = prose.markup === 'rst' ? readRstTable(unit) : undefined
      const indented = isCode ? undefined : readIndentedCode(units, i, prose.markup)
      if (indented) pushIndentedCode(blocks, unit, indented)
      else if (!isCode && rows) pushRows(blocks, rows, prose)
      else if (isCode || isPreformatted(unit)) {
        const isBeginning = blocks.length === 0 && unit[0] === lines[0]
        blocks.push(codeBlock(unit, { isBeginning, language }))
      } else if (isHead && tableRow.test(line)) columns = cellsOf(line)
      else if (tableRow.test(line) && !tableRule.test(line)) {
        const row = readRow(line, columns ?? columnsOf(prose.heading, cellsOf(line).length))
        const isKey = prose.key !== undefined && line.includes(prose.key.trim())
        pushWords(blocks, row, isKey ? { ...prose, key: row } : { ...prose, key: undefined })
      } else if (!tableRule.test(line)) pushWords(blocks, wordsOf(unit, prose), prose)
    }
  }
  return blocks.map((block, _, all) => (all.length === 1 ? plainIfWhole(block) : block))
}

/**
 * Returns the block without bold words if its whole text would be bold, because that would emphasize nothing.
 */
function plainIfWhole(block: QuoteBlock): QuoteBlock {
  return block.kind === 'quote' && block.keys?.includes(block.text) ? { ...block, keys: [] } : block
}

/** Adds a line to the last block if that is prose; otherwise begins a new block of prose. */
function pushWords(blocks: QuoteBlock[], text: string, { key, markup }: ProseOptions): void {
  if (text === '') return
  const words = joinWords(key?.replace(itemMark, '').split('\n') ?? [], markup)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
  const keys = words.filter((line) => line !== '' && text.includes(line))
  const last = blocks.at(-1)
  if (last?.kind !== 'quote') blocks.push({ kind: 'quote', text, markup, keys })
  else {
    last.text += `\n${text}`
    last.keys = [...new Set([...(last.keys ?? []), ...keys])]
  }
}

/** Adds the rows of a table, each on its line. Only the row with the most informative words is emphasized. */
function pushRows(
  blocks: QuoteBlock[],
  rows: readonly string[],
  { heading, key, markup }: ProseOptions,
): void {
  const words = key?.replace(/\s+/g, ' ').trim() ?? ''
  for (const row of rows) {
    const isKey = words !== '' && words.split(' ').every((word) => row.includes(word))
    pushWords(blocks, row, { heading, markup, key: isKey ? row : undefined })
  }
}

/**
 * Returns the language of code that an empty line and indentation mark instead of fences, and whether it is
 * new code; undefined for other text.
 */
function readIndentedCode(units: readonly string[][], i: number, markup: InlineMarkup): RstCode | undefined {
  const unit = units[i] as string[]
  const before = units[i - 1]
  if (before === undefined || !unit.every((line) => /^(?: {2}|\t)/.test(line))) return undefined
  if (markup === 'rst') return readRstCode(units, i)
  const isCode =
    unit.every((line) => /^(?: {4}|\t)/.test(line)) &&
    !units.slice(0, i).some(([line = '']) => item.test(line))
  return isCode ? { language: undefined, isNew: false } : undefined
}

/**
 * Adds indented code. If it continues the code before it, both become one block with an empty
 * line between them.
 */
function pushIndentedCode(blocks: QuoteBlock[], unit: readonly string[], { language, isNew }: RstCode): void {
  const last = blocks.at(-1)
  const block = codeBlock(unit, { language })
  if (last?.kind === 'code' && !isNew) last.text += `\n\n${block.text}`
  else blocks.push(block)
}

/** Returns groups of lines: paragraphs, list items, titles and rows. */
function unitsOf(lines: readonly string[], markup: InlineMarkup): string[][] {
  const out: string[][] = []
  let open = false
  for (const line of lines) {
    const isInGrid: boolean = open && markup === 'rst' && isGridRule(out.at(-1)?.[0] ?? '')
    const isAlone: boolean = !isInGrid && (tableRow.test(line) || title.test(line))
    if (line.trim() === '' || rule.test(line)) open = false
    else if (open && !isAlone && (isInGrid || !item.test(line))) out.at(-1)?.push(line)
    else {
      out.push([line])
      open = !isAlone
    }
  }
  return out
}

/**
 * Returns true if the lines are aligned in columns, so that joining them to one line would
 * make them unreadable.
 */
const isPreformatted = (lines: readonly string[]) =>
  lines.filter((line) => /\S {3,}\S/.test(line)).length > Math.min(1, lines.length - 1)

/** Returns the text of the lines, without a title that is already shown above the quote. */
function wordsOf(lines: readonly string[], { heading, markup }: ProseOptions): string {
  if (markup === 'rst') return readRstDirective(lines, heading)
  const named = title.exec(lines[0] ?? '')?.[1]
  if (named !== undefined) return heading.includes(named.replace(/[`*]/g, '')) ? '' : named
  const bare = lines.map((line) => line.replace(/^\s*>\s?/, ''))
  return joinWords(bare, markup).replace(itemMark, '• ')
}

/** Returns the lines of a paragraph as one line, or as several if the markup has hard line breaks. */
const joinWords = (lines: readonly string[], markup: InlineMarkup): string =>
  markup === 'markdown'
    ? splitParagraph(joinParagraph(lines)).join('\n')
    : lines.map((line) => line.trim()).join(' ')

interface FencedPart {
  isCode: boolean
  own: string[]
  /** Language that the first line of the fence states. */
  language: string | undefined
}

/**
 * Splits lines at code fences. A quote may begin or end inside fenced code, so the opening or the closing
 * fence may be missing.
 */
function cutAtFences(lines: readonly string[]): FencedPart[] {
  const marks = lines.flatMap((line, i) => (fence.test(line) ? [i] : []))
  const isNamed = (at: number | undefined) => at !== undefined && fence.exec(lines[at] ?? '')?.[2] !== ''
  let isCode = marks.length % 2 === 1 && !isNamed(marks[0]) && marks[0] !== lines.length - 1
  if (marks.length % 2 === 1 && marks.length > 1 && isNamed(marks.at(-1))) isCode = false
  const out: FencedPart[] = [{ isCode, own: [], language: undefined }]
  for (const line of lines) {
    if (fence.test(line)) {
      isCode = !isCode
      out.push({ isCode, own: [], language: isCode ? languageOfFence(fence.exec(line)?.[2]) : undefined })
    } else out.at(-1)?.own.push(line)
  }
  return out.filter(({ own: partLines }) => partLines.some((line) => line.trim() !== ''))
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

/**
 * Returns the names of a table's columns from the heading of a part of the table; undefined if the heading
 * does not end in `count` names, or `count` is 1.
 */
function columnsOf(heading: string, count: number): string[] | undefined {
  const names = heading.split(' > ').at(-1)?.split(', ') ?? []
  return count > 1 && names.length === count ? names : undefined
}

/**
 * Returns the row of a table as `column: value` for each filled cell, so that long rows are readable on
 * narrow screens. Without `columns`, returns the values alone.
 */
function readRow(row: string, columns: readonly string[] | undefined): string {
  const cells = cellsOf(row).map((text, i) => ({ text, column: columns?.[i] ?? '' }))
  const filled = cells.filter(({ text }) => text !== '')
  return filled
    .map(({ text, column }) => (column === '' ? text : `${column}: ${text}`))
    .join(columns === undefined ? ' · ' : '; ')
}

/** Returns true for the path of a manual page, such as `ls.1`. */
const isManualPage = (path: string): boolean => /\.(?:[1-8]|man)$/i.test(path)
