// A comparison as one SVG image: the change of each metric as a bar from zero, with its interval.
import type { ComparisonRecord, MetricComparison } from '../compare/comparison.ts'
import { axisTicks } from './chart.ts'
import { describeEvidence, formatInterval, sideName } from './comparison-lines.ts'
import { escapeMarkup } from './markup-escape.ts'

const size = { width: 900, row: 34, top: 56, bottom: 34, left: 230, right: 300 }
const colors = { loss: '#c0322b', gain: '#12804a', same: '#667078', undecided: '#b26a00' } as const

/** Longest name of a metric in characters that fits left of the bars. A longer name is cut. */
const maxName = 28

interface AxisRange {
  low: number
  high: number
  x(pct: number): number
}

/** Returns the image for `--svg`. A metric without a percentage has text and no bar. */
export function drawComparison(record: ComparisonRecord): string {
  const { verdict, head, base, metrics } = record
  const height = size.top + size.row * Math.max(1, metrics.length) + size.bottom
  const range = rangeOf(metrics)
  const title = `${verdict}: ${sideName(head)} against ${sideName(base)}`
  const body =
    metrics.length === 0
      ? [drawText(20, size.top + 20, record.notes[0] ?? 'not measured')]
      : [...drawGrid(range, height), ...metrics.flatMap((metric, i) => drawMetric(metric, i, range))]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" ` +
    `font-family="system-ui, sans-serif" font-size="13" aria-label="${escapeMarkup(title)}">\n` +
    `<rect width="${size.width}" height="${height}" fill="#fff"/>\n` +
    `<g font-weight="600">${drawText(20, 30, title, colors[verdict], 16)}</g>\n` +
    `${body.join('\n')}\n</svg>\n`
  )
}

/** Returns the range of the axis: every interval in percent with some room, and zero. */
function rangeOf(metrics: readonly MetricComparison[]): AxisRange {
  const values = metrics.filter(({ unit }) => unit === undefined).flatMap(({ pct, ci }) => [pct, ...ci])
  const lowest = Math.min(0, ...values)
  const highest = Math.max(0, ...values)
  const room = (highest - lowest || 1) * 0.08
  const low = lowest - room
  const high = highest + room
  const across = size.width - size.left - size.right
  return { low, high, x: (pct) => Math.round(size.left + (across * (pct - low)) / (high - low)) }
}

function drawGrid({ low, high, x }: AxisRange, height: number): string[] {
  const end = height - size.bottom
  return axisTicks(low, high).map((tick) => {
    const color = tick === 0 ? '#1c2024' : '#d5dade'
    const label = `${tick > 0 ? '+' : ''}${tick} %`
    return (
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="${size.top - 8}" y2="${end}" stroke="${color}"/>` +
      `<text x="${x(tick)}" y="${end + 18}" text-anchor="middle" fill="#667078">${label}</text>`
    )
  })
}

function drawMetric(metric: MetricComparison, i: number, { x }: AxisRange): string[] {
  const { name, pct, ci, unit, verdict, decides } = metric
  const middle = size.top + size.row * (i + 0.5)
  const shortName = name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name
  const parts = [
    drawText(20, middle + 4, shortName),
    drawText(size.width - size.right + 16, middle - 3, formatInterval(metric)),
    drawText(
      size.width - size.right + 16,
      middle + 13,
      `${verdict}, ${describeEvidence(metric)}`,
      '#667078',
      11,
    ),
  ]
  if (unit === 'absolute') return parts
  const [from = 0, to = 0] = [x(0), x(pct)].sort((a, b) => a - b)
  const color = colors[verdict]
  const opacity = decides ? 0.85 : 0.35
  parts.push(
    `<rect x="${from}" y="${middle - 8}" width="${Math.max(1, to - from)}" height="16" fill="${color}" ` +
      `opacity="${opacity}"/>`,
    `<path d="M${x(ci[0])} ${middle - 5}v10m0 -5H${x(ci[1])}m0 -5v10" fill="none" stroke="#1c2024"/>`,
  )
  return parts
}

const drawText = (x: number, y: number, words: string, color = '#1c2024', pixels = 13) =>
  `<text x="${x}" y="${y}" font-size="${pixels}" fill="${color}">${escapeMarkup(words)}</text>`
