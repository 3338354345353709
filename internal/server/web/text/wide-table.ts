// A table that scrolls by itself where the screen is too narrow for it.
import { type ComponentChildren, h } from 'preact'
import { revealText } from './shown-text.ts'

interface WideTableProps {
  label: string
  heads: readonly string[]
  rows: ComponentChildren
  /** Rows of sums. */
  foot?: ComponentChildren
}

export function WideTable({ label, heads, rows, foot }: WideTableProps) {
  const headCells = heads.map((head) => h('th', { scope: 'col' }, revealText(head)))
  return h(
    'div',
    { class: 'wide-table', tabIndex: 0, role: 'region', 'aria-label': label },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, headCells)),
      h('tbody', null, rows),
      foot !== undefined && h('tfoot', null, foot),
    ),
  )
}
