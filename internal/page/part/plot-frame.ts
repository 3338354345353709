// uPlot chart as wide as its container, in the colors of the page. It is rendered again when data
// or colors change.
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { useMediaQuery } from './media-query.ts'

const names = ['soft', 'line', 'link', 'good', 'bad', 'wait', 'cached', 'panel', 'edge'] as const
export type PlotColors = Readonly<Record<(typeof names)[number], string>>

interface PlotProps {
  /** Accessible label; a table next to the chart contains the same values. */
  label: string
  /** Version of the data. A changed version makes the chart render again. */
  version: string
  height: number
  draw(target: HTMLElement, colors: PlotColors): uPlot
}

export function PlotFrame({ label, version, height, draw }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  // biome-ignore lint/correctness/useExhaustiveDependencies: rendered again when data or colors change
  useEffect(() => {
    const target = frame.current
    if (!target) return
    const chart = draw(target, readColors())
    const resize = new ResizeObserver(() => chart.setSize({ width: target.clientWidth, height }))
    resize.observe(target)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [version, isDark])
  return h('div', { ref: frame, class: 'chart', role: 'img', 'aria-label': label })
}

function readColors(): PlotColors {
  const style = getComputedStyle(document.documentElement)
  const entries = names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()] as const)
  return Object.fromEntries(entries) as PlotColors
}

/** Font of the axes. Its letters are smaller than those of tables. uPlot needs the font as a text. */
export const plotFont = '11px system-ui, sans-serif'
