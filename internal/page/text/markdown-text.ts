// Component that shows Markdown of a model. It creates text nodes and fixed elements, never raw markup.

import { lexer, type Token, type Tokens } from 'marked'
import { type ComponentChildren, Fragment, h } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { languageOfFence } from '../../base/code/code-language.ts'
import { CodeText } from './code-text.ts'
import { drawInline } from './markdown-inline.ts'
import { ProseText } from './prose.ts'
import { revealText } from './shown-text.ts'
import { WideTable } from './wide-table.ts'

/** Characters above which a text is shown as source, because parsing it would block the page. */
const maxChars = 200_000
/** Milliseconds of parsing after which a text that grows is shown as source from its next change on. */
const slowMs = 100
/** Nesting depth above which Markdown blocks are shown as their source text. */
const maxDepth = 24

export function MarkdownText({ text }: { text: string }) {
  const isSlow = useRef(false)
  const tokens = useMemo(() => {
    if (isSlow.current) return undefined
    const began = performance.now()
    const parsed = parseMarkdown(text)
    isSlow.current = performance.now() - began > slowMs
    return parsed
  }, [text])
  if (tokens === undefined) return h(ProseText, { text })
  return h('div', { class: 'markdown' }, drawBlocks(tokens, { depths: [], depth: 0 }))
}

/** Returns the tokens, or undefined for a text that is too long or nested too deep for the parser. */
function parseMarkdown(text: string): Token[] | undefined {
  if (text.length > maxChars) return undefined
  try {
    return lexer(revealText(text))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * State while blocks are drawn. `depths` are the levels of the headings that contain the current position, so
 * that the shown levels are consecutive for any text.
 */
interface HeadingOutline {
  depths: number[]
  /** Current nesting depth of blocks. */
  depth: number
}

function drawBlocks(tokens: readonly Token[], outline: HeadingOutline): ComponentChildren[] {
  const { depths, depth } = outline
  if (depth > maxDepth) return tokens.map(({ raw }) => revealText(raw))
  return tokens.map((token) => drawBlock(token, { depths, depth: depth + 1 }))
}

function drawBlock(token: Token, outline: HeadingOutline): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return h(`h${headingLevel(outline, token.depth)}`, null, drawInline(token.tokens))
    case 'code':
      return drawCode(token as Tokens.Code)
    case 'list':
      return drawList(token as Tokens.List, outline)
    case 'blockquote':
      return h('blockquote', null, drawBlocks(token.tokens ?? [], outline))
    case 'table':
      return drawTable(token as Tokens.Table)
    case 'hr':
      return h('hr', null)
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'html':
      return h('p', null, revealText(token.text.trimEnd()))
    case 'text':
      return h(Fragment, null, drawInline(token.tokens ?? [token]))
    default:
      return h('p', null, drawInline('tokens' in token && token.tokens ? token.tokens : [token]))
  }
}

/**
 * Returns the shown level, from 2 to 6, of a heading that has the level `depth` in the text. The page has
 * level 1; no level is skipped.
 */
function headingLevel({ depths }: HeadingOutline, depth: number): number {
  while (depths.length > 0 && (depths.at(-1) as number) >= depth) depths.pop()
  depths.push(depth)
  return Math.min(6, depths.length + 1)
}

const drawCode = ({ text, lang }: Tokens.Code) =>
  h(
    'pre',
    { tabIndex: 0 },
    h('code', null, h(CodeText, { text: revealText(text), language: languageOfFence(lang) })),
  )

function drawList({ ordered, start, items }: Tokens.List, outline: HeadingOutline) {
  const rows = items.map(({ tokens, task }) =>
    h('li', { class: task ? 'task-item' : undefined }, drawBlocks(tokens, outline)),
  )
  return ordered ? h('ol', { start: Number(start) || 1 }, rows) : h('ul', null, rows)
}

function drawTable({ header, rows }: Tokens.Table) {
  const cell = ({ tokens, align }: Tokens.TableCell) =>
    h('td', { class: align === 'right' ? 'figure' : undefined }, drawInline(tokens))
  const heads = header.map(({ tokens, align }) => ({
    content: drawInline(tokens),
    isFigure: align === 'right',
  }))
  return h(WideTable, { label: 'Table', heads, rows: rows.map((row) => h('tr', null, row.map(cell))) })
}
