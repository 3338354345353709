// Chart of a session's runs: points with intervals, colored by verdict, and the best value.
import { h } from 'preact'
import uPlot from 'uplot'
import type { BoardRun, ResearchBoard } from '../../session/board/research-board.ts'
import { type PlotColors, PlotFrame, plotFont } from '../part/plot-frame.ts'
import { readBestLine } from './best-line.ts'
import { type RunVerdict, verdictOf } from './run-verdict.ts'

const height = 280

export function RunChart({ board }: { board: ResearchBoard }) {
  const { runs, metric, segment, best, baseline } = board
  if (runs.length === 0) return null
  const draw = (target: HTMLElement, colors: PlotColors) => drawChart(board, target, colors)
  const version = `${segment} ${runs.length} ${best}`
  return h(
    'figure',
    { class: 'card plot' },
    h(PlotFrame, { label: `${metric} of each run`, version, height, draw }),
    h(
      'figcaption',
      { class: 'legend quiet' },
      verdicts.map(([verdict, words]) => h('span', { class: `key ${verdict} ${shapes[verdict]}` }, words)),
      h('span', { class: 'key line' }, 'best so far'),
      baseline !== null && h('span', { class: 'key line dashes' }, 'baseline'),
    ),
  )
}

/** Shape of each verdict, in the chart and in its legend. */
const shapes: Readonly<Record<RunVerdict, 'disc' | 'ring' | 'cross'>> = {
  kept: 'disc',
  same: 'ring',
  broken: 'cross',
}

const verdicts: readonly (readonly [RunVerdict, string])[] = [
  ['kept', 'kept'],
  ['same', 'not kept'],
  ['broken', 'crashed or failed its checks'],
]

function drawChart(board: ResearchBoard, target: HTMLElement, colors: PlotColors): uPlot {
  const { runs, metric, unit, baseline } = board
  const low = runs.map(({ metric: value, range }) => range?.[0] ?? value)
  const high = runs.map(({ metric: value, range }) => range?.[1] ?? value)
  const axis = {
    stroke: colors.soft,
    font: plotFont,
    grid: { stroke: colors.line, width: 1 },
    ticks: { show: false },
  }
  const unseen = { stroke: 'transparent', points: { show: false } }
  const options: uPlot.Options = {
    width: target.clientWidth,
    height,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [0.4, (runs.at(-1)?.run ?? 1) + 0.6] } },
    axes: [
      { ...axis, size: 26, grid: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100] },
      { ...axis, size: 64, values: (_, splits) => splits.map((value) => `${value}${unit && ` ${unit}`}`) },
    ],
    series: [
      {},
      { label: metric, paths: () => null, points: { show: false } },
      {
        label: 'best',
        stroke: colors.good,
        width: 1.5,
        points: { show: false },
        paths: (uPlot.paths.stepped as NonNullable<uPlot.Series.PathBuilderFactories['stepped']>)({
          align: 1,
        }),
      },
      ...[unseen, unseen],
    ],
    hooks: {
      draw: [
        (plot) => baseline !== null && drawBaseline(plot, baseline.value, colors.edge),
        (plot) => drawPoints(plot, runs, colors),
      ],
    },
  }
  const data = [runs.map(({ run }) => run), runs.map((run) => run.metric), readBestLine(runs), low, high]
  return new uPlot(options, data as uPlot.AlignedData, target)
}

function drawBaseline({ ctx, bbox, valToPos }: uPlot, value: number, color: string): void {
  const y = Math.round(valToPos(value, 'y', true))
  ctx.save()
  ctx.strokeStyle = color
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/** Draws the points with their intervals. A run without a value is at the bottom. */
function drawPoints({ ctx, bbox, valToPos }: uPlot, runs: readonly BoardRun[], colors: PlotColors): void {
  const ink = { kept: colors.good, same: colors.soft, broken: colors.bad }
  const size = 3.5 * devicePixelRatio
  ctx.save()
  ctx.lineWidth = 1.5 * devicePixelRatio
  for (const { run, metric, range, status } of runs) {
    const verdict = verdictOf(status)
    const shape = shapes[verdict]
    const x = valToPos(run, 'x', true)
    ctx.strokeStyle = ink[verdict]
    ctx.fillStyle = shape === 'ring' ? colors.panel : ink[verdict]
    ctx.beginPath()
    if (range) {
      ctx.moveTo(x, valToPos(range[0], 'y', true))
      ctx.lineTo(x, valToPos(range[1], 'y', true))
      ctx.stroke()
      ctx.beginPath()
    }
    const y = metric === null ? bbox.top + bbox.height - 2 * size : valToPos(metric, 'y', true)
    if (shape === 'cross') {
      ctx.moveTo(x - size, y - size)
      ctx.lineTo(x + size, y + size)
      ctx.moveTo(x + size, y - size)
      ctx.lineTo(x - size, y + size)
    } else ctx.arc(x, y, size, 0, 2 * Math.PI)
    if (shape !== 'cross') ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}
