// Markdown blocks as lines: headings, paragraphs, lists, code, tables, quotes, rules.
import type { Token, Tokens } from 'marked'
import { languageOfFence } from '../../base/code/code-language.ts'
import { readCodeLines } from '../../base/code/code-reader.ts'
import { paintCode } from '../code/code-style.ts'
import { blankLine, joinLines, makeSpaces, type Pen, type RenderedLine } from '../pen.ts'
import { drawTable, type TableColumn } from '../table.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { inlineRuns, wrapRuns } from './wrap-runs.ts'

/** Number of cells by which code is indented, and width of the mark of a continued line of code. */
const indent = 2

/**
 * Smallest number of cells for the text of a list item. If the mark leaves fewer, the text is indented less.
 */
const narrowestText = 16

/** Returns the lines of blocks. An empty line separates two blocks, except within an item of a tight list. */
export function drawBlocks(tokens: readonly Token[], width: number, pen: Pen): RenderedLine[] {
  const visibleTokens = tokens.filter((token) => token.type !== 'space' && token.type !== 'def')
  return visibleTokens.flatMap((token, i) => {
    const lines = drawBlock(token, width, pen)
    return i > 0 && !isTight(visibleTokens[i - 1] as Token, token) ? [blankLine, ...lines] : lines
  })
}

/**
 * Returns true if `token` follows `before` without an empty line: content after a checkbox, and text or a
 * list inside an item of a tight list.
 */
const isTight = (before: Token, token: Token) =>
  before.type === 'checkbox' || (before.type === 'text' && (token.type === 'list' || token.type === 'text'))

function drawBlock(token: Token, width: number, pen: Pen): RenderedLine[] {
  switch (token.type) {
    case 'heading': {
      const style = token.depth === 1 ? { bold: true, underline: true } : { bold: true }
      return wrapRuns(inlineRuns(token.tokens, style), width, pen)
    }
    case 'code':
      return drawCode(token as CodeToken, width, pen)
    case 'list':
      return drawList(token as Tokens.List, width, pen)
    case 'blockquote':
      return drawQuote(token as Tokens.Blockquote, width, pen)
    case 'table':
      return drawMarkdownTable(token as Tokens.Table, width, pen)
    case 'hr':
      return [pen.line(pen.glyphs.rule.repeat(width), { dim: true })]
    case 'html':
      return wrapRuns([{ text: token.text.trimEnd(), style: {} }], width, pen)
    default:
      return wrapRuns(inlineRuns('tokens' in token ? token.tokens : [token]), width, pen)
  }
}

/**
 * A block of code. `earlier` contains lines of the block that are already above it on the screen, which its
 * colors depend on.
 */
export type CodeToken = Tokens.Code & { earlier?: string | undefined }

/**
 * Renders code with its original lines and spaces. A line that is too long wraps after a nearby space, or
 * else within a word. A mark on the left shows the continuation.
 */
function drawCode({ text, lang, earlier = '' }: CodeToken, width: number, pen: Pen): RenderedLine[] {
  const clean = sanitizeText(text, { keepLines: true })
  const isPainted = pen.look.color > 0
  const read = isPainted ? readCodeLines(earlier + clean, languageOfFence(lang)) : undefined
  const runs = read?.slice(earlier.split('\n').length - 1)
  const lines = clean.split('\n')
  const widest = pen.look.hasWideCode ? Math.max(...lines.map(pen.cells)) : 0
  const before = widest > width - indent && widest <= width ? 0 : indent
  return lines.flatMap((line, i) => {
    let at = 0
    return breakCode(line, width - before, pen).map((piece, part) => {
      const start = at
      at += piece.length
      if (piece === '') return blankLine
      const lead = part === 0 ? makeSpaces(before) : pen.line(`${pen.glyphs.goesOn} `, { dim: true })
      const lineRuns = runs?.[i]
      const body = lineRuns
        ? { text: paintCode(lineRuns, start, at, pen), cells: pen.cells(piece) }
        : pen.line(piece, { color: 'cyan' })
      return joinLines(lead, body)
    })
  })
}

/** Breaks a line of code into pieces of at most `room` cells. */
function breakCode(line: string, room: number, pen: Pen): string[] {
  const pieces: string[] = []
  let rest = line
  do {
    const head = pen.cells(rest) <= room ? rest : breakBehindBlank(takeCells(rest, room, pen))
    pieces.push(head)
    rest = rest.slice(head.length)
  } while (rest !== '')
  return pieces
}

/** Returns the text up to its last space, unless more than half of the line would stay empty. */
function breakBehindBlank(text: string): string {
  const blank = text.lastIndexOf(' ')
  return blank < text.length / 2 ? text : text.slice(0, blank + 1)
}

/** Returns the longest beginning of at most `width` cells, but at least one character. */
function takeCells(text: string, width: number, pen: Pen): string {
  let low = 1
  let high = Math.min(text.length, width)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (pen.cells(text.slice(0, middle)) <= width) low = middle
    else high = middle - 1
  }
  // never split a surrogate pair
  return /[\ud800-\udbff]$/.test(text.slice(0, low)) ? text.slice(0, low + 1) : text.slice(0, low)
}

function drawList(list: Tokens.List, width: number, pen: Pen): RenderedLine[] {
  const start = typeof list.start === 'number' ? list.start : 1
  const size = list.ordered ? String(start + list.items.length - 1).length + 1 : 1
  return list.items.flatMap((item, i) => {
    const isTask = !list.ordered && item.task
    const mark = list.ordered ? `${start + i}.`.padStart(size) : markOf(item, pen)
    const lead = `${mark} `
    const room = Math.max(Math.min(narrowestText, width - 1), width - lead.length)
    const body = isTask ? drawBlocks(withoutBox(item.tokens), room, pen) : drawItem(item, room, pen)
    const lines = body.map((line, y) =>
      y > 0 && line.cells === 0
        ? blankLine
        : joinLines(y === 0 ? pen.line(lead) : makeSpaces(width - room), line),
    )
    return i > 0 && list.loose ? [blankLine, ...lines] : lines
  })
}

const markOf = ({ task, checked }: Tokens.ListItem, { glyphs }: Pen) =>
  !task ? glyphs.bullet : checked ? glyphs.task.done : glyphs.task.open

/**
 * Returns the tokens of a task in a list without its checkbox, which is the first token or in
 * the first paragraph.
 */
function withoutBox([first, ...rest]: readonly Token[]): Token[] {
  if (!first || first.type === 'checkbox') return rest
  return 'tokens' in first && first.tokens
    ? [{ ...first, tokens: withoutBox(first.tokens) } as Token, ...rest]
    : [first, ...rest]
}

/** Renders an item. A checkbox goes before the first words of the text that follows it. */
function drawItem(item: Tokens.ListItem, width: number, pen: Pen): RenderedLine[] {
  const [first, second, ...rest] = item.tokens
  if (first?.type !== 'checkbox' || second === undefined) return drawBlocks(item.tokens, width, pen)
  const inner = 'tokens' in second && second.tokens ? second.tokens : [second]
  return drawBlocks([{ ...second, tokens: [first, ...inner] } as Token, ...rest], width, pen)
}

function drawQuote(quote: Tokens.Blockquote, width: number, pen: Pen): RenderedLine[] {
  const bar = `${pen.glyphs.bar} `
  const room = Math.max(1, width - bar.length)
  return drawBlocks(quote.tokens, room, pen).map((line) => joinLines(pen.line(bar, { dim: true }), line))
}

function drawMarkdownTable(token: Tokens.Table, width: number, pen: Pen): RenderedLine[] {
  const textOf = (cell: Tokens.TableCell) =>
    sanitizeText(
      inlineRuns(cell.tokens)
        .map(({ text }) => text)
        .join(''),
    )
  const columns = token.header.map(
    (cell): TableColumn => ({ header: textOf(cell), align: cell.align ?? 'left' }),
  )
  const rows = token.rows.map((row) => row.map(textOf))
  const all = { ...pen, look: { ...pen.look, all: true } }
  return drawTable({ columns, rows, borderStyle: 'single', wraps: true }, width, all).lines
}
