// Table: columns and rows, cut or converted to records if the width is too small.

import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import type { ComponentProps } from '../spec/props.ts'
import { drawTable, hiddenRows, isHidden, moreRows, type RenderedTable, tableWidth } from '../table.ts'
import type { ComponentRenderer } from './component.ts'

export const table: ComponentRenderer<ComponentProps['Table']> = {
  draw(props, width, pen, warn) {
    const { lines, hidden } = drawTable(tableOf(props), width, pen)
    if (hidden > 0)
      warn('truncated_rows', `${groupDigits(hidden)} of ${countNoun(props.rows.length, 'row')} are not shown`)
    return lines
  },
  speak(props, pen, warn) {
    const hidden = hiddenRows(props.rows.length, pen)
    if (hidden > 0)
      warn('truncated_rows', `${groupDigits(hidden)} of ${countNoun(props.rows.length, 'row')} are not shown`)
    const headers = props.columns.map(({ header }) => header)
    if (props.rows.length === 0) return [`${headers.join('; ')}: (no rows)`]
    return props.rows.flatMap((row, i) => {
      if (isHidden(i, hidden)) return isHidden(i - 1, hidden) ? [] : [moreRows(hidden, pen)]
      return [headers.map((header, c) => `${header}: ${row[c] || pen.glyphs.nothing}`).join('; ')]
    })
  },
  natural: (props, pen) => tableWidth(tableOf(props), pen),
}

function tableOf(props: ComponentProps['Table']): RenderedTable {
  return {
    columns: props.columns.map(({ header, width, align }) => ({
      header,
      width: width === null || width === undefined ? undefined : Math.trunc(width),
      align: align ?? 'left',
    })),
    rows: props.rows,
    borderStyle: props.borderStyle ?? 'single',
    headerColor: props.headerColor ?? undefined,
    backgroundColor: props.backgroundColor ?? undefined,
  }
}
