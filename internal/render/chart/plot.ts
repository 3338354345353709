// Line charts through asciichart, which wants clean numbers and leaves labels and gaps to us.
import asciichart from 'asciichart'
import { joinLines, type Pen, type RenderedLine } from '../pen.ts'
import { downsampleValues, findExtent, formatNumber, fractionWithin, interpolateValues } from './number.ts'

const height = 8

/**
 * The lines of a chart eight rows high: labels, axis, and `area` points or as many as fit. Values that are
 * not finite split the line; all equal give one row. At least one value must be finite. `ends` are the labels
 * of the first and the last value, below them.
 */
export function drawPlot(
  values: readonly number[],
  area: number,
  width: number,
  pen: Pen,
  ends: readonly [string, string] = ['', ''],
): RenderedLine[] {
  const finite = values.filter(Number.isFinite)
  const [lo, hi] = findExtent(finite)
  if (finite.length === 1) return [clipped(`${pen.glyphs.dot} ${formatNumber(lo)}`, width, pen)]
  const labels =
    lo === hi ? [formatNumber(lo)] : Array.from({ length: height + 1 }, (_, row) => label(row, lo, hi))
  const labelWidth = Math.max(...labels.map((text) => text.length))
  const points = Math.min(area, width - labelWidth - 2)
  if (points < 2) return [clipped(labels.join(' '), width, pen)]
  const line = values.length < points ? interpolateValues(values, points) : downsampleValues(values, points)
  const rows = lo === hi ? [flat(line, pen)] : draw(line, lo, hi, pen)
  const drawn = rows.map((row, i) =>
    joinLines(pen.line(`${(labels[i] as string).padStart(labelWidth)} `), pen.line(row.trimEnd())),
  )
  return ends.some(Boolean) ? [...drawn, axis(ends, labelWidth + 1, points, pen)] : drawn
}

/** Each label has half of the plot; where both would touch, the last one is cut first. */
function axis(
  [first, last]: readonly [string, string],
  indent: number,
  points: number,
  pen: Pen,
): RenderedLine {
  const left = pen.clip(first, Math.max(1, Math.ceil(points / 2) - 1))
  const right = pen.clip(last, Math.max(1, points - pen.cells(left) - 1))
  const gap = Math.max(0, points - pen.cells(left) - pen.cells(right))
  return pen.line(`${' '.repeat(indent)}${left}${' '.repeat(gap)}${right}`, { dim: true })
}

function clipped(text: string, width: number, pen: Pen): RenderedLine {
  return pen.line(pen.clip(text, width))
}

/** The value at a row, the highest first, to a thousandth of the range. */
function label(row: number, lo: number, hi: number): string {
  const share = row / height
  const value = hi * (1 - share) + lo * share
  const decimals = 2 - Math.floor(Math.log10(hi / 2 - lo / 2))
  return formatNumber(Number(value.toFixed(Math.min(100, Math.max(0, decimals)))))
}

function flat(line: readonly number[], pen: Pen): string {
  const marks = line.map((value) => (Number.isFinite(value) ? pen.glyphs.plot[4] : ' '))
  return `${pen.glyphs.plot[1]}${marks.join('')}`
}

/**
 * asciichart gets one to nine instead of the values: every range has nine rows then, none overflows, and its
 * own labels (all in the axis column, which it draws over them) are not needed. Column x + 1 holds the step
 * from point x to the next, the axis column the first point.
 */
function draw(line: readonly number[], lo: number, hi: number, pen: Pen): string[] {
  const scaled = line.map((value) =>
    Number.isFinite(value) ? 1 + fractionWithin(value, lo, hi) * height : Number.NaN,
  )
  const text = asciichart.plot(bridge(scaled), {
    height,
    offset: 1,
    format: () => ' ',
    symbols: pen.glyphs.plot,
  })
  const rows = text.split('\n').map((row) => [...row])
  for (let x = 0; x < scaled.length; x++) {
    if (Number.isFinite(scaled[x])) continue
    for (const row of rows) {
      if (x > 0) row[x] = ' '
      if (x === 0) row[0] = pen.glyphs.plot[1] as string
      if (x < scaled.length - 1) row[x + 1] = ' '
    }
  }
  markLoners(scaled, rows, pen)
  return rows.map((row) => row.join(''))
}

/** Fills gaps with the nearest earlier value, or the first; what is drawn there is blanked afterwards. */
function bridge(values: readonly number[]): number[] {
  let last = values.find(Number.isFinite) ?? 1
  return values.map((value) => {
    if (Number.isFinite(value)) last = value
    return last
  })
}

/** A point between two gaps has no step that would show it. */
function markLoners(values: readonly number[], rows: string[][], pen: Pen): void {
  for (const [x, value] of values.entries()) {
    if (!Number.isFinite(value) || Number.isFinite(values[x - 1]) || Number.isFinite(values[x + 1])) continue
    const row = rows[height + 1 - Math.round(value)]
    if (row) row[Math.max(1, x)] = pen.glyphs.dot
  }
}
