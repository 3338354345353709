// Markdown of models as elements of the page: text nodes and elements of ours, never markup.

import { lexer, type Token, type Tokens } from 'marked'
import { type ComponentChildren, Fragment, h } from 'preact'
import { useMemo } from 'preact/hooks'
import { drawInline } from './markdown-inline.ts'
import { ProseText } from './prose.ts'
import { revealText } from './shown-text.ts'
import { WideTable } from './wide-table.ts'

/** Longer texts are shown as they are: nobody reads them, and parsing them would hold up the page. */
const maxChars = 300_000

export function MarkdownText({ text }: { text: string }) {
  const tokens = useMemo(() => (text.length > maxChars ? [] : lexer(revealText(text))), [text])
  if (text.length > maxChars) return h(ProseText, { text })
  return h('div', { class: 'markdown' }, drawBlocks(tokens, { depths: [] }))
}

/** Headings in force, so that levels follow each other whatever the text has. */
interface Outline {
  depths: number[]
}

function drawBlocks(tokens: readonly Token[], outline: Outline): ComponentChildren[] {
  return tokens.map((token) => drawBlock(token, outline))
}

function drawBlock(token: Token, outline: Outline): ComponentChildren {
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

/** From 2 on, as the page has the first; none is left out. */
function headingLevel({ depths }: Outline, depth: number): number {
  while (depths.length > 0 && (depths.at(-1) as number) >= depth) depths.pop()
  depths.push(depth)
  return Math.min(6, depths.length + 1)
}

const drawCode = ({ text }: Tokens.Code) => h('pre', { tabIndex: 0 }, h('code', null, revealText(text)))

function drawList({ ordered, start, items }: Tokens.List, outline: Outline) {
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
