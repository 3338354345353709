// The runs of a session as one SVG drawing: values, intervals, and the line of best.
import { countNoun } from '../../base/text/count-noun.ts'
import { formatAmount, formatChange, formatOutcome, formatSigned } from './format.ts'
import { escapeMarkup } from './markup-escape.ts'
import type { OverviewRow, SessionOverview } from './overview.ts'

const size = { width: 960, height: 380, left: 74, right: 20, top: 18, bottom: 40 }

interface ChartScales {
  x(index: number): number
  y(value: number): number
  low: number
  high: number
}

/** Renders the chart as SVG. Returns an empty text if no run has a value. */
export function drawRunChart(view: SessionOverview): string {
  const values = view.rows.flatMap((row) =>
    row.metric === undefined ? [] : [row.metric, ...(row.range ?? [])],
  )
  if (values.length === 0) return ''
  const scales = scalesOf(values, view.rows.length)
  const parts = [
    ...drawGrid(scales, view),
    drawFloor(scales, view),
    bestLine(scales, view),
    ...view.rows.map((row, i) => drawPoint(row, i, scales, view)),
  ]
  const label = escapeMarkup(`${view.metric} of ${countNoun(view.rows.length, 'run')} of ${view.name}`)
  return (
    `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" ` +
    `aria-label="${label}">\n${parts.join('\n')}\n</svg>`
  )
}

function scalesOf(values: readonly number[], count: number): ChartScales {
  const lowest = values.reduce((a, b) => Math.min(a, b))
  const highest = values.reduce((a, b) => Math.max(a, b))
  const room = (highest - lowest || Math.abs(highest) || 1) * 0.08
  const low = lowest - room
  const high = highest + room
  const across = size.width - size.left - size.right
  const down = size.height - size.top - size.bottom
  return {
    low,
    high,
    x: (index) => size.left + (across * (index + 0.5)) / count,
    y: (value) => size.top + down * (1 - (value - low) / (high - low)),
  }
}

/** Returns 5 to 13 multiples of a round number between two values, for the marks of an axis. */
export function axisTicks(low: number, high: number): number[] {
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].findLast((factor) => factor * power <= rough) ?? 1)
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/**
 * Returns the horizontal lines of the chart with their values, the numbers of at most 30 runs at equal
 * distances, and the titles of both axes.
 */
function drawGrid({ x, y, low, high }: ChartScales, { rows, unit, metric }: SessionOverview): string[] {
  const lines = axisTicks(low, high).map((value) => {
    const at = toTenths(y(value))
    const line =
      `<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${at}" ` + `y2="${at}"/>`
    return (
      `${line}<text class="axis" x="${size.left - 8}" y="${at}" text-anchor="end" ` +
      `dy="4">${escapeMarkup(formatAmount(value))}</text>`
    )
  })
  const step = Math.ceil(rows.length / 30)
  const numbers = rows.flatMap((row, i) =>
    i % step === 0
      ? [
          `<text class="axis" x="${toTenths(x(i))}" y="${size.height - 22}" ` +
            `text-anchor="middle">${row.run}</text>`,
        ]
      : [],
  )
  const title = escapeMarkup(unit === '' ? metric : `${metric} in ${unit}`)
  return [
    ...lines,
    ...numbers,
    `<text class="axis" x="${size.left}" y="${size.height - 4}">run</text>`,
    `<text class="axis" x="${size.left}" y="12">${title}</text>`,
  ]
}

/**
 * Returns the line of the baseline and the band of its noise floor around it; an empty text
 * without a baseline.
 */
function drawFloor({ y }: ChartScales, { baseline }: SessionOverview): string {
  if (!baseline) return ''
  const share = baseline.floorPct / 100
  const clamp = (at: number) => Math.min(size.height - size.bottom, Math.max(size.top, at))
  const a = clamp(y(baseline.value * (1 - share)))
  const b = clamp(y(baseline.value * (1 + share)))
  const top = Math.min(a, b)
  const bottom = Math.max(a, b)
  const wide = size.width - size.left - size.right
  const at = toTenths(y(baseline.value))
  return (
    `<rect class="floor" x="${size.left}" y="${toTenths(top)}" width="${wide}" ` +
    `height="${toTenths(bottom - top)}">` +
    `<title>baseline ${escapeMarkup(formatAmount(baseline.value))}, noise floor ` +
    `${baseline.floorPct.toFixed(1)}%</title></rect>` +
    `<line class="base" x1="${size.left}" x2="${size.width - size.right}" y1="${at}" y2="${at}"/>`
  )
}

/**
 * Returns the line of the best value, which steps from the value of the baseline to that of each kept run; an
 * empty text without such values.
 */
function bestLine({ x, y }: ChartScales, { rows }: SessionOverview): string {
  let path = ''
  for (const [i, { status, metric }] of rows.entries()) {
    if (metric === undefined || (status !== 'keep' && status !== 'baseline')) continue
    path +=
      path === '' ? `M${toTenths(x(i))} ${toTenths(y(metric))}` : `H${toTenths(x(i))}V${toTenths(y(metric))}`
  }
  return path === '' ? '' : `<path class="best" d="${path}H${size.width - size.right}"/>`
}

function drawPoint(
  row: OverviewRow,
  index: number,
  { x, y }: ChartScales,
  { unit }: SessionOverview,
): string {
  const at = toTenths(x(index))
  const kind = row.status === 'keep' && row.evidence !== 'paired' ? 'keep single' : row.status
  const title = `<title>${escapeMarkup(describeRun(row, unit))}</title>`
  if (row.metric === undefined) {
    return `<g class="point ${kind}">${title}${drawCross(Number(at), size.height - size.bottom - 6)}</g>`
  }
  const height = toTenths(y(row.metric))
  const bar =
    row.range === undefined
      ? ''
      : `<line class="interval" x1="${at}" x2="${at}" y1="${toTenths(y(row.range[0]))}" ` +
        `y2="${toTenths(y(row.range[1]))}"/>`
  const failed = row.status === 'crash' || row.status === 'checks_failed'
  const mark = failed
    ? drawCross(Number(at), Number(height))
    : row.status === 'baseline'
      ? `<rect x="${toTenths(Number(at) - 4)}" y="${toTenths(Number(height) - 4)}" width="8" height="8"/>`
      : `<circle cx="${at}" cy="${height}" r="5"/>`
  return `<g class="point ${kind}">${title}${bar}${mark}</g>`
}

function drawCross(x: number, y: number): string {
  return `<path d="M${toTenths(x - 4)} ${toTenths(y - 4)}l8 8m0 -8l-8 8"/>`
}

/** Returns the text that is shown when the pointer is on a run. */
function describeRun(row: OverviewRow, unit: string): string {
  const value = row.metric === undefined ? '' : ` ${formatAmount(row.metric, unit)}`
  const { effect } = row
  const exact = effect && effect.ci[0] === effect.ci[1]
  const change = effect ? ` ${exact ? formatSigned(effect.pct, effect) : formatChange(effect)}` : ''
  return `run ${row.run}: ${formatOutcome(row)}${value}${change}\n${row.description}`.trimEnd()
}

const toTenths = (value: number) => String(Number(value.toFixed(1)))
