// One small chart: it parses the points, renders them, and reports the values that cannot be shown.

import { countNoun } from '../../base/text/count-noun.ts'
import { makePen, type Pen, type RenderedLine, type RenderLook } from '../pen.ts'
import { quoteValue } from '../spec/issues.ts'
import { drawTable } from '../table.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { drawBars } from './bar.ts'
import { formatNumber } from './number.ts'
import { drawPlot } from './plot.ts'
import { sparkLines } from './sparkline.ts'

export const chartTypes = ['bar', 'line', 'sparkline', 'table'] as const
type ChartType = (typeof chartTypes)[number]

export interface ChartInput {
  type: ChartType
  title?: string | undefined
  /** Values by label; either `data` or `series` is set. */
  data?: unknown
  /** A list of `{label, value}`, which is drawn in this order. */
  series?: unknown
  /** Cells of the plot area, limited to 10 to 500. */
  width: number
}

export interface ChartPoint {
  label: string
  /** The value exactly as the caller passed it. */
  value: unknown
  /** The value, or the decimal number that it has as text; NaN if it is not a finite number. */
  number: number
}

type ChartResult =
  | { ok: true; lines: string[]; points: ChartPoint[]; notes: string[] }
  | { ok: false; code: 'one_of_data_series' | 'bad_args'; message: string }

const minAreaCells = 10
const maxAreaCells = 500

/**
 * Renders a chart in lines of at most `look.width` cells. Returns an error for malformed points, and unless
 * exactly one of `data` and `series` is set. A value that is not a number only adds a note. Equal input
 * gives equal output.
 */
export function drawChart(input: ChartInput, look: RenderLook): ChartResult {
  const read = readPoints(input)
  if ('message' in read) return { ok: false, ...read }
  const { points } = read
  const notes = notesOn(input, points)
  const pen = makePen(look)
  const title = sanitizeText(input.title ?? '')
  const area = Math.min(maxAreaCells, Math.max(minAreaCells, Math.trunc(input.width)))
  const body = points.length > 0 ? drawPoints(input.type, points, area, pen) : []
  const head = points.length > 0 ? title : [title, '(no data)'].filter(Boolean).join(': ')
  const lines = [
    ...(head ? pen.wrap(head, look.width).map((text) => pen.line(text, { bold: true })) : []),
    ...body,
    ...notes.flatMap((note) => pen.wrap(note, look.width)).map((text) => pen.line(text, { dim: true })),
  ]
  return { ok: true, lines: lines.map((line) => line.text.trimEnd()), points, notes }
}

function drawPoints(type: ChartType, points: readonly ChartPoint[], area: number, pen: Pen): RenderedLine[] {
  const { width } = pen.look
  const numbers = points.map((point) => point.number)
  const finite = numbers.filter(Number.isFinite)
  switch (type) {
    case 'bar': {
      const items = points.map(({ label, number }) => {
        return { label, value: number, number: numberText(number, pen), color: 'green' }
      })
      return drawBars(items, area, width, pen)
    }
    case 'table': {
      const columns = [
        { header: 'label', align: 'left' },
        { header: 'value', align: 'right' },
      ] as const
      const rows = points.map(({ label, number }) => [label, numberText(number, pen)])
      return drawTable({ columns, rows, borderStyle: 'single' }, width, pen).lines
    }
    case 'sparkline':
      if (finite.length === 0) return [pen.line(pen.glyphs.noNumber)]
      return sparkLines({ values: numbers, label: '', marks: area, color: 'green' }, width, pen)
    case 'line':
      if (finite.length === 0) return [pen.line(pen.glyphs.noNumber)]
      return drawPlot(numbers, area, width, pen, [points[0]?.label ?? '', points.at(-1)?.label ?? ''])
  }
}

const numberText = (value: number, pen: Pen) =>
  Number.isFinite(value) ? formatNumber(value) : pen.glyphs.noNumber

type PointsResult = { points: ChartPoint[] } | { code: 'one_of_data_series' | 'bad_args'; message: string }

function readPoints({ data, series }: ChartInput): PointsResult {
  const hasData = data !== undefined && data !== null
  const hasSeries = series !== undefined && series !== null
  if (hasData === hasSeries) {
    const message = `give exactly one of data and series, got ${hasData ? 'both' : 'neither'}`
    return { code: 'one_of_data_series', message }
  }
  if (hasData) {
    if (typeof data !== 'object' || Array.isArray(data)) {
      return {
        code: 'bad_args',
        message: `data must be an object of label to value, got ${quoteValue(data)}`,
      }
    }
    return { points: Object.entries(data).map(([label, value]) => pointOf(label, value)) }
  }
  if (!Array.isArray(series)) {
    return {
      code: 'bad_args',
      message: `series must be an array of {label, value}, got ${quoteValue(series)}`,
    }
  }
  const points: ChartPoint[] = []
  for (const [i, raw] of series.entries()) {
    const { label, value } = (raw ?? {}) as { label?: unknown; value?: unknown }
    if ((typeof label !== 'string' && typeof label !== 'number') || value === undefined) {
      const missing = value === undefined ? 'value' : 'label'
      return { code: 'bad_args', message: `series[${i}] has no ${missing}; a point is {label, value}` }
    }
    points.push(pointOf(String(label), value))
  }
  return { points }
}

const pointOf = (label: string, value: unknown): ChartPoint => ({
  label: sanitizeText(label),
  value,
  number: numberOf(value),
})

/**
 * Returns the value as a number. A string with a decimal number counts as that number; any other value, and
 * an infinite number, gives NaN.
 */
function numberOf(value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : ''
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN
}

function notesOn({ data, width }: ChartInput, points: readonly ChartPoint[]): string[] {
  const notes: string[] = []
  const bad = points.filter((point) => Number.isNaN(point.number)).length
  if (bad > 0) notes.push(countNoun(bad, 'value is not a number', 'values are not numbers'))
  const whole = (label: string) => /^(?:0|[1-9]\d{0,9})$/.test(label)
  if (data && points.length > 1 && points.some((point) => whole(point.label))) {
    notes.push('labels that are whole numbers come first and in their order; series keeps any order')
  }
  if (width < minAreaCells || width > maxAreaCells)
    notes.push(`width ${width} was taken as ${width < minAreaCells ? minAreaCells : maxAreaCells}`)
  return notes
}
