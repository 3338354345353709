// Horizontal bars with one common zero: their scale, their cells and their lines.

import { joinLines, type Pen, type RenderedLine } from '../pen.ts'
import { findExtent } from './number.ts'

/** One bar. A value that is not finite has no bar and does not change the scale. */
export interface ChartBar {
  label: string
  value: number
  /** Number as printed after the bar, or an empty text. */
  number: string
  color: string | undefined
}

/**
 * Returns one line for each bar: label (at most a third of the width), plot area, number. The plot area has
 * `area` cells, or fewer if the width is too small. The axis extends from min(0, values) to max(0, values).
 * Without room for a plot area, returns `label: number` in wrapped lines.
 */
export function drawBars(items: readonly ChartBar[], area: number, width: number, pen: Pen): RenderedLine[] {
  const labelWidth = Math.min(Math.floor(width / 3), findMaxCells(items, 'label', pen))
  const numberWidth = findMaxCells(items, 'number', pen)
  const beside = (labelWidth > 0 ? labelWidth + 1 : 0) + (numberWidth > 0 ? numberWidth + 1 : 0)
  // The axis needs at least one cell for each side of zero that has values.
  const least = items.some(({ value }) => value < 0) && items.some(({ value }) => value > 0) ? 2 : 1
  if (beside + least > width) return drawTextLines(items, width, pen)
  const plot = createBarScale(items, Math.min(Math.max(area, least), width - beside), pen)
  return items.map((item) => {
    const label = pen.clip(item.label, labelWidth)
    const lead = labelWidth > 0 ? label + ' '.repeat(labelWidth - pen.cells(label) + 1) : ''
    const tail = numberWidth > 0 ? ` ${item.number.padStart(numberWidth)}` : ''
    return joinLines(pen.line(lead), plot(item), pen.line(tail))
  })
}

function findMaxCells(items: readonly ChartBar[], key: 'label' | 'number', pen: Pen): number {
  return items.reduce((max, item) => Math.max(max, pen.cells(item[key])), 0)
}

/** Returns `label: number` for each value, wrapped, because the width leaves no cell for bars. */
function drawTextLines(items: readonly ChartBar[], width: number, pen: Pen): RenderedLine[] {
  return items.flatMap(({ label, number }) =>
    pen.wrap([label, number].filter(Boolean).join(': '), width).map((text) => pen.line(text)),
  )
}

/**
 * Returns a function that renders a bar on an axis from lo, min(0, values), to hi, max(0, values). Its length
 * is abs(value) / (hi - lo) of the plot area. To the right of the zero column it is in eighths of a cell, or
 * in full cells for ASCII. To the left it is in full cells, because partial blocks fill from the left only. A
 * value that is not 0 gets at least the smallest bar.
 */
function createBarScale(
  items: readonly ChartBar[],
  area: number,
  pen: Pen,
): (item: ChartBar) => RenderedLine {
  const [least, max] = findExtent(items.map((item) => item.value).filter(Number.isFinite))
  const lo = Math.min(0, least)
  const hi = Math.max(0, max)
  // Both values are halved first, because their difference could overflow.
  const range = hi / 2 - lo / 2
  const share = (value: number) => (Math.abs(value) / 2 / range) * area
  let zero = range > 0 ? Math.round(share(lo)) : 0
  if (lo < 0) zero = Math.max(1, zero)
  if (hi > 0) zero = Math.min(area - 1, zero)
  return ({ value, color }) => {
    if (!Number.isFinite(value) || value === 0) return pen.line(' '.repeat(area))
    const bar =
      value > 0
        ? drawRightBar(share(value), area - zero, pen)
        : pen.glyphs.full.repeat(Math.min(zero, Math.max(1, Math.round(share(value)))))
    const size = bar.length
    const before = value > 0 ? zero : zero - size
    return joinLines(
      pen.line(' '.repeat(Math.max(0, before))),
      pen.line(bar, { color }),
      pen.line(' '.repeat(Math.max(0, area - before - size))),
    )
  }
}

function drawRightBar(size: number, room: number, pen: Pen): string {
  const steps = pen.glyphs.eighths.length + 1
  const units = Math.min(room * steps, Math.max(1, Math.round(size * steps)))
  const rest = units % steps
  return pen.glyphs.full.repeat(Math.floor(units / steps)) + (rest > 0 ? pen.glyphs.eighths[rest - 1] : '')
}
