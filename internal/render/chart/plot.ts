// Line charts through asciichart, which needs finite numbers and renders neither labels nor gaps
// for this program.
import asciichart from 'asciichart'
import { joinLines, type Pen, type RenderedLine } from '../pen.ts'
import { downsampleValues, findExtent, formatNumber, fractionWithin, interpolateValues } from './number.ts'

const height = 8

/**
 * Returns the lines of a chart with labels, axis, and at most `area` points. The chart is eight steps high,
 * or one row if all values are equal. A single finite value gives a dot with its number. If fewer than two
 * points fit in the width, the result is one line with the labels of the axis. Values that are not finite
 * split the line, and at least one must be finite. `ends` are the labels below the first and the last value.
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
  if (finite.length === 1) return [clipLine(`${pen.glyphs.dot} ${formatNumber(lo)}`, width, pen)]
  const labels =
    lo === hi ? [formatNumber(lo)] : Array.from({ length: height + 1 }, (_, row) => toRowLabel(row, lo, hi))
  const labelWidth = Math.max(...labels.map((text) => text.length))
  const points = Math.min(area, width - labelWidth - 2)
  if (points < 2) return [clipLine(labels.join(' '), width, pen)]
  const line = values.length < points ? interpolateValues(values, points) : downsampleValues(values, points)
  const rows = lo === hi ? [drawFlatLine(line, pen)] : drawLine(line, lo, hi, pen)
  const drawn = rows.map((row, i) =>
    joinLines(pen.line(`${(labels[i] as string).padStart(labelWidth)} `), pen.line(row.trimEnd())),
  )
  return ends.some(Boolean) ? [...drawn, drawAxisLabels(ends, labelWidth + 1, points, pen)] : drawn
}

/**
 * Returns the row below a chart with the labels of its first and last value. The first label gets at most
 * half of the plot, the last one the rest; a label that does not fit is clipped.
 */
function drawAxisLabels(
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

function clipLine(text: string, width: number, pen: Pen): RenderedLine {
  return pen.line(pen.clip(text, width))
}

/** Returns the label of a row to about a thousandth of the range. Row 0 has the highest value. */
function toRowLabel(row: number, lo: number, hi: number): string {
  const share = row / height
  const value = hi * (1 - share) + lo * share
  const decimals = 2 - Math.floor(Math.log10(hi / 2 - lo / 2))
  return formatNumber(Number(value.toFixed(Math.min(100, Math.max(0, decimals)))))
}

function drawFlatLine(line: readonly number[], pen: Pen): string {
  const marks = line.map((value) => (Number.isFinite(value) ? pen.glyphs.plot[4] : ' '))
  return `${pen.glyphs.plot[1]}${marks.join('')}`
}

/**
 * Renders the line with asciichart, without labels. All values are scaled to 1 to 9, so that every chart has
 * nine rows and no value overflows. Column 0 of the result is the axis with the first point. Column x + 1
 * contains the step from point x to the next point.
 */
function drawLine(line: readonly number[], lo: number, hi: number, pen: Pen): string[] {
  const scaled = line.map((value) =>
    Number.isFinite(value) ? 1 + fractionWithin(value, lo, hi) * height : Number.NaN,
  )
  const text = asciichart.plot(fillGaps(scaled), {
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

/**
 * Returns the values in which each gap has the previous value, or the first value at the start. The caller
 * makes these cells empty afterwards.
 */
function fillGaps(values: readonly number[]): number[] {
  let last = values.find(Number.isFinite) ?? 1
  return values.map((value) => {
    if (Number.isFinite(value)) last = value
    return last
  })
}

/** Draws a dot for each finite value without a finite neighbor, because the line has no step there. */
function markLoners(values: readonly number[], rows: string[][], pen: Pen): void {
  for (const [x, value] of values.entries()) {
    if (!Number.isFinite(value) || Number.isFinite(values[x - 1]) || Number.isFinite(values[x + 1])) continue
    const row = rows[height + 1 - Math.round(value)]
    if (row) row[Math.max(1, x)] = pen.glyphs.dot
  }
}
