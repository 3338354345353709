// The runs of a session as a drawing: a point with its interval for each, and the line of best.
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { ResearchBoard } from '../../../session/board/research-board.ts'
import { readBestLine } from './best-line.ts'

const height = 260

export function RunChart({ board }: { board: ResearchBoard }) {
  const frame = useRef<HTMLDivElement>(null)
  const version = `${board.segment} ${board.runs.length} ${board.best}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew when the runs are others
  useEffect(() => {
    const target = frame.current
    if (!target || board.runs.length === 0) return
    const chart = drawChart(board, target)
    const resize = new ResizeObserver(() => chart.setSize({ width: target.clientWidth, height }))
    resize.observe(target)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [version])
  return h('div', { ref: frame, class: 'chart', role: 'img', 'aria-label': `${board.metric} of each run` })
}

function drawChart(board: ResearchBoard, target: HTMLElement): uPlot {
  const look = getComputedStyle(document.documentElement)
  const color = (name: string) => look.getPropertyValue(name).trim()
  const [ink, line, link, good] = ['--soft', '--line', '--link', '--good'].map(color) as [
    string,
    string,
    string,
    string,
  ]
  const axis = { stroke: ink, grid: { stroke: line }, ticks: { stroke: line } }
  const { runs, metric } = board
  const low = runs.map(({ metric: value, range }) => range?.[0] ?? value)
  const high = runs.map(({ metric: value, range }) => range?.[1] ?? value)
  const options: uPlot.Options = {
    width: target.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: 70 }],
    series: [
      {},
      { label: metric, stroke: link, paths: () => null, points: { show: true, size: 7, fill: link } },
      { label: 'best', stroke: good, width: 2, points: { show: false } },
      { label: 'from', show: true, stroke: 'transparent', points: { show: false } },
      { label: 'to', show: true, stroke: 'transparent', points: { show: false } },
    ],
    hooks: { draw: [(plot) => drawIntervals(plot, link)] },
  }
  const data = [runs.map(({ run }) => run), runs.map((run) => run.metric), readBestLine(runs), low, high]
  return new uPlot(options, data as uPlot.AlignedData, target)
}

function drawIntervals(plot: uPlot, color: string): void {
  const [runs, , , low = [], high = []] = plot.data
  const { ctx } = plot
  ctx.save()
  ctx.strokeStyle = color
  ctx.lineWidth = devicePixelRatio
  for (const [at, run] of runs.entries()) {
    const [from, to] = [low[at], high[at]]
    if (from == null || to == null) continue
    const x = plot.valToPos(run, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, plot.valToPos(from, 'y', true))
    ctx.lineTo(x, plot.valToPos(to, 'y', true))
    ctx.stroke()
  }
  ctx.restore()
}
