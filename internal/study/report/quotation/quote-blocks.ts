// Quote in readable form: paragraphs, list items, table rows and code instead of one long line.
import { kindOfFile } from '../../../retrieval/file-kind.ts'

/** `quote` has one paragraph, list item or row per line, with the most informative words in bold. */
type QuoteBlock = { kind: 'quote'; text: string } | { kind: 'code'; text: string }

interface QuotedText {
  /** Lines of the source, unchanged. */
  quote: string
  /** The most informative words in one of them. */
  key?: string | undefined
  /** Path or URL. It distinguishes programs from prose. */
  path: string
  /** Titles above it, outermost first, joined by ` > `. */
  heading?: string | undefined
}

const fence = /^\s*(`{3,}|~{3,})\s*(\S*)/
const title = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/
const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
const rule = /^\s*(?:([-=~*_#^])\1{2,}|<a [^<>]*>(?:<\/a>)?)\s*$/
const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/
const comment = /^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|\/\/+|#+(?!\[|!)|;+|--+|<!--)\s?/
const commentEnd = /\s*(?:\*\/|-->)\s*$/

/** Returns the blocks of a quote. Marks of headings and comments are removed; lines of code stay lines. */
export function layOutQuote({ quote, key, path, heading = '' }: QuotedText): QuoteBlock[] {
  const lines = quote.split('\n')
  const kind = /^https?:/.test(path) ? 'prose' : kindOfFile(path)
  if (kind === 'prose') return layOutProse(lines, heading, key)
  if (kind === 'data') return [codeBlock(lines, true)]
  // the comment of a program is shown above its code
  const isComment = (line: string) => line.trim() === '' || comment.test(line)
  const end = lines.findIndex((line) => !isComment(line))
  const [words, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)]
  const bare = words.map((line) => line.replace(comment, '').replace(commentEnd, ''))
  return [
    ...layOutProse(bare, heading, key),
    ...(rest.length > 0 ? [codeBlock(rest, words.length === 0)] : []),
  ]
}

/** Returns the titles above a quote, without titles that only name table columns or introduce it. */
export function titleOf({ quote, heading = '' }: Pick<QuotedText, 'quote' | 'heading'>): string {
  const row = quote.split('\n').find((line) => tableRow.test(line))
  const titles = heading.split(' > ').filter((one) => one.trim() !== '' && !/[:：]$/.test(one))
  if (row !== undefined && columnsOf(heading, cellsOf(row).length)) titles.pop()
  return titles.slice(-2).join(' > ').replace(/[`*]/g, '').trim()
}

/** Makes the words bold. A text that already has asterisks stays unchanged. */
function embolden(text: string, key: string | undefined): string {
  const words = key?.replaceAll('**', '').replace(/\s+/g, ' ').trim() ?? ''
  const plain = text.replaceAll('**', '')
  const at = words === '' || words.includes('*') ? -1 : plain.indexOf(words)
  if (at < 0) return plain
  // the pattern of bold text allows no letter next to its marks
  const before = plain.slice(0, at)
  const after = plain.slice(at + words.length)
  return /[\w*/\\]$/.test(before) || /^[\w*/]/.test(after) ? plain : `${before}**${words}**${after}`
}

function layOutProse(lines: readonly string[], heading: string, key: string | undefined): QuoteBlock[] {
  const blocks: QuoteBlock[] = []
  let shown: string[] = []
  const flush = () => {
    if (shown.length > 0) blocks.push({ kind: 'quote', text: shown.join('\n') })
    shown = []
  }
  for (const { isCode, own } of cutAtFences(lines)) {
    const units = isCode ? [own] : unitsOf(own)
    let columns: string[] | undefined
    for (const [i, unit] of units.entries()) {
      const [line = ''] = unit
      const isHead = tableRule.test(units[i + 1]?.[0] ?? '')
      if (isCode || isPreformatted(unit)) {
        flush()
        blocks.push(codeBlock(unit, blocks.length === 0 && unit[0] === lines[0]))
      } else if (isHead && tableRow.test(line)) columns = cellsOf(line)
      else if (tableRow.test(line) && !tableRule.test(line)) {
        const row = readRow(line, columns ?? columnsOf(heading, cellsOf(line).length))
        shown.push(embolden(row, key !== undefined && line.includes(key.trim()) ? row : undefined))
      } else if (!tableRule.test(line)) {
        const text = wordsOf(unit, heading)
        if (text !== '') shown.push(embolden(text, key))
      }
    }
  }
  flush()
  return blocks
}

/** Groups lines into paragraphs, items, titles and rows. */
function unitsOf(lines: readonly string[]): string[][] {
  const out: string[][] = []
  let open = false
  for (const line of lines) {
    const isAlone = tableRow.test(line) || title.test(line)
    if (line.trim() === '' || rule.test(line)) open = false
    else if (open && !isAlone && !item.test(line)) out.at(-1)?.push(line)
    else {
      out.push([line])
      open = !isAlone
    }
  }
  return out
}

/** Returns whether lines are aligned in columns, which would be unreadable on one line. */
const isPreformatted = (lines: readonly string[]) =>
  lines.filter((line) => /\S {3,}\S/.test(line)).length > Math.min(1, lines.length - 1)

/** Returns the text without a title that is already shown above the quote. */
function wordsOf(lines: readonly string[], heading: string): string {
  const named = title.exec(lines[0] ?? '')?.[1]
  if (named !== undefined) return heading.includes(named.replace(/[`*]/g, '')) ? '' : named
  return lines.map((line) => line.replace(/^\s*>\s?/, '').trim()).join(' ')
}

/** Splits at fences. A quote may begin or end inside fenced code, so a fence may lack its partner. */
function cutAtFences(lines: readonly string[]): { isCode: boolean; own: string[] }[] {
  const marks = lines.flatMap((line, i) => (fence.test(line) ? [i] : []))
  const isNamed = (at: number | undefined) => at !== undefined && fence.exec(lines[at] ?? '')?.[2] !== ''
  let isCode = marks.length % 2 === 1 && !isNamed(marks[0]) && marks[0] !== lines.length - 1
  if (marks.length % 2 === 1 && marks.length > 1 && isNamed(marks.at(-1))) isCode = false
  const out: { isCode: boolean; own: string[] }[] = [{ isCode, own: [] }]
  for (const line of lines) {
    if (fence.test(line)) {
      isCode = !isCode
      out.push({ isCode, own: [] })
    } else out.at(-1)?.own.push(line)
  }
  return out.filter(({ own }) => own.some((line) => line.trim() !== ''))
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

/** Returns the column names of a split table, which are part of its heading. */
function columnsOf(heading: string, count: number): string[] | undefined {
  const names = heading.split(' > ').at(-1)?.split(', ') ?? []
  return count > 1 && names.length === count ? names : undefined
}

/** Returns `column: value` for each filled cell, so that long rows stay readable on narrow screens. */
function readRow(row: string, columns: readonly string[] | undefined): string {
  const cells = cellsOf(row).map((text, i) => ({ text, column: columns?.[i] ?? '' }))
  const filled = cells.filter(({ text }) => text !== '')
  return filled
    .map(({ text, column }) => (column === '' ? text : `${column}: ${text}`))
    .join(columns === undefined ? ' · ' : '; ')
}

/** Returns code without its common indentation. The first line of a quote has lost its indentation. */
function codeBlock(lines: readonly string[], isBeginning = false): QuoteBlock {
  const shown = lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .split('\n')
  const widthOf = (own: readonly string[]) =>
    Math.min(...own.flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)])))
  const [first = '', ...rest] = shown
  if (!isBeginning || /^\s/.test(first) || rest.every((line) => line.trim() === ''))
    return { kind: 'code', text: shown.map((line) => line.slice(widthOf(shown))).join('\n') }
  // a line that opens a block has a smaller indentation than the following lines
  const inner = Math.max(0, widthOf(rest) - (/[({[:]$/.test(first) ? 2 : 0))
  return { kind: 'code', text: [first, ...rest.map((line) => line.slice(inner))].join('\n') }
}
