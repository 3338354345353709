// Table that scrolls separately on screens that are too narrow for it.
import { type ComponentChildren, h } from 'preact'
import { revealText } from './shown-text.ts'

interface WideTableProps {
  label: string
  /** Column headings; invisible characters of a string are made visible. */
  heads: readonly (string | { content: ComponentChildren; isFigure: boolean })[]
  rows: ComponentChildren
  /** Rows of totals at the end of the table. */
  foot?: ComponentChildren
}

export function WideTable({ label, heads, rows, foot }: WideTableProps) {
  const headCells = heads.map((head) =>
    typeof head === 'string'
      ? h('th', { scope: 'col' }, revealText(head))
      : h('th', { scope: 'col', class: head.isFigure ? 'figure' : undefined }, head.content),
  )
  return h(
    'div',
    { class: 'wide-table', tabIndex: 0, role: 'group', 'aria-label': label },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, headCells)),
      h('tbody', null, rows),
      foot !== undefined && h('tfoot', null, foot),
    ),
  )
}

/** Returns headings for columns with numbers, which are aligned right. */
export const figureHeads = (...names: readonly string[]) =>
  names.map((name) => ({ content: revealText(name), isFigure: true }))
