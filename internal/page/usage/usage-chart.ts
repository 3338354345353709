// Chart of usage as stacked bars: input from the cache, other input, output. The cost is a line for days, and
// single points for models, profiles and tools.
import { h } from 'preact'
import uPlot from 'uplot'
import { type PlotColors, PlotFrame, plotFont } from '../part/plot-frame.ts'
import { formatCount, formatMoney } from '../text/figures.ts'
import { nameRow, type UsageRow } from './usage-row.ts'

const height = 240
/**
 * Largest number of bars. If there are more rows, the chart shows the latest days, or the most expensive
 * models, profiles or tools.
 */
const maxBars = 60
const maxLabel = 14

export function UsageChart({ by, rows }: { by: string; rows: readonly UsageRow[] }) {
  const visibleRows = by === 'day' ? rows.slice(-maxBars) : rows.slice(0, maxBars)
  const draw = (target: HTMLElement, colors: PlotColors) => drawChart(by, visibleRows, target, colors)
  const version = `${by} ${JSON.stringify(visibleRows)}`
  return h(
    'figure',
    { class: 'card plot' },
    h(PlotFrame, { label: `Tokens and cost by ${by}`, version, height, draw }),
    h(
      'figcaption',
      { class: 'legend quiet' },
      h('span', { class: 'key cached' }, 'input from the cache'),
      h('span', { class: 'key fresh' }, 'other input'),
      h('span', { class: 'key output' }, 'output'),
      hasCost(visibleRows) && h('span', { class: 'key line money' }, 'cost'),
    ),
  )
}

/**
 * Returns the rows with cumulative values. Each bar includes those below it, so the highest one
 * is drawn first.
 */
function stackRows(rows: readonly UsageRow[]) {
  const cached = rows.map((row) => row.cache_read)
  const input = rows.map((row) => row.cache_read + row.fresh + row.cache_write)
  const all = rows.map((row, at) => (input[at] as number) + row.output)
  return { cached, input, all }
}

function drawChart(by: string, rows: readonly UsageRow[], target: HTMLElement, colors: PlotColors): uPlot {
  const labels = rows.map((row) => shortenLabel(nameRow(by, row), by))
  const bars = uPlot.paths.bars as NonNullable<uPlot.Series.PathBuilderFactories['bars']>
  const bar = (fill: string): uPlot.Series => ({
    fill,
    stroke: fill,
    width: 0,
    points: { show: false },
    paths: bars({ size: [0.7, 56] }),
  })
  const axis = { stroke: colors.soft, font: plotFont, ticks: { show: false } }
  const { cached, input, all } = stackRows(rows)
  const options: uPlot.Options = {
    width: target.clientWidth,
    height,
    padding: [10, 0, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, rows.length - 0.4] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.08, 1)] },
      usd: { range: (_, __, max) => [0, Math.max(max * 1.08, 0.01)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        incrs: [1, 2, 5, 10, 20],
        space: 84,
        values: (_, splits) => splits.map((at) => labels[at] ?? ''),
      },
      {
        ...axis,
        size: 52,
        grid: { stroke: colors.line, width: 1 },
        values: (_, splits) => splits.map((count) => formatCount(count)),
      },
      {
        ...axis,
        show: hasCost(rows),
        scale: 'usd',
        side: 1,
        size: 60,
        grid: { show: false },
        values: (_, splits) => splits.map((usd) => formatMoney(usd)),
      },
    ],
    series: [
      {},
      bar(colors.wait),
      bar(colors.link),
      bar(colors.cached),
      { ...moneyLine(by, colors), show: hasCost(rows) },
    ],
  }
  const data = [rows.map((_, at) => at), all, input, cached, rows.map(({ usd }) => usd)]
  return new uPlot(options, data as uPlot.AlignedData, target)
}

/** Returns true if any row has a cost. Without one, the line and its axis would only show zeros. */
const hasCost = (rows: readonly UsageRow[]) => rows.some(({ usd }) => (usd ?? 0) > 0)

const moneyLine = (by: string, colors: PlotColors): uPlot.Series => ({
  scale: 'usd',
  stroke: colors.soft,
  width: 1.5,
  points: { show: true, size: 6, fill: colors.panel },
  // Only days form a sequence, so the line is drawn for days and not between models or tools.
  ...(by !== 'day' && { paths: () => null }),
})

/**
 * Returns the label of a bar: the month and day of a date, or a name without its provider, at
 * most `maxLabel` characters.
 */
function shortenLabel(name: string, by: string): string {
  const short = by === 'day' ? name.slice(5) : name.replace(/^.*\//, '')
  return short.length > maxLabel ? `${short.slice(0, maxLabel - 1)}…` : short
}
