// Metric: a figure with its name and trend.

import { joinLines, type Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const metric: ComponentRenderer<ComponentProps['Metric']> = {
  draw(props, width, pen) {
    const name = pen.wrap(props.label, width).map((text) => pen.line(text, { dim: true }))
    const value = props.value || pen.glyphs.nothing
    const extra = extraOf(props, pen)
    const style = { color: colorOf(props), dim: !props.trend }
    if (extra && pen.cells(value) + 1 + pen.cells(extra) <= width) {
      return [...name, joinLines(pen.line(value, { bold: true }), pen.line(' '), pen.line(extra, style))]
    }
    const below = extra ? pen.wrap(extra, width) : []
    return [
      ...name,
      ...pen.wrap(value, width).map((text) => pen.line(text, { bold: true })),
      ...below.map((text) => pen.line(text, style)),
    ]
  },
  speak({ label, value, detail, trend }, pen) {
    const rest = [trend, detail].filter(Boolean).join(' ')
    return [`${label}: ${value || pen.glyphs.nothing}${rest ? ` (${rest})` : ''}`]
  },
}

/**
 * Returns green for a trend in the good direction, red for the other direction, and undefined for a neutral
 * or missing trend. `up` is good by default.
 */
function colorOf({ trend, good = 'up' }: ComponentProps['Metric']): 'green' | 'red' | undefined {
  if (trend === undefined || trend === 'neutral') return undefined
  return trend === good ? 'green' : 'red'
}

/**
 * Returns the mark of the trend with the detail or else the trend's name, because a mark alone is unclear.
 * Without a trend, returns the detail or an empty text.
 */
function extraOf({ trend, detail }: ComponentProps['Metric'], pen: Pen): string {
  return trend ? `${pen.glyphs.trend[trend]} ${detail || trend}` : (detail ?? '')
}
