// ProgressBar: how much of a whole is done.

import { joinLines } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

const usual = 30

export const progressBar: ComponentRenderer<ComponentProps['ProgressBar']> = {
  draw({ progress, width: requestedWidth, color, label }, width, pen) {
    const percent = percentOf(progress)
    const name = label ? `${pen.clip(label, Math.max(1, Math.floor(width / 3)))} ` : ''
    const area = Math.min(Math.trunc(requestedWidth ?? usual), width - pen.cells(name) - 5)
    if (area < 1) {
      const text = label ? `${label}: ${percent}` : percent
      return pen.wrap(text, width).map((line) => pen.line(line))
    }
    const done = countFilledCells(progress, area)
    return [
      joinLines(
        pen.line(name),
        pen.line(pen.glyphs.full.repeat(done), { color: color ?? 'green' }),
        pen.line(pen.glyphs.track.repeat(area - done), { dim: true }),
        pen.line(` ${percent.padStart(4)}`),
      ),
    ]
  },
  speak: ({ progress, label }) => [label ? `${label}: ${percentOf(progress)}` : percentOf(progress)],
}

/** Returns the rounded percentage. Only complete progress gives 100%. */
const percentOf = (progress: number) => `${progress < 1 ? Math.min(99, Math.round(progress * 100)) : 100}%`

/**
 * Returns the number of filled cells. Only complete progress fills a bar of two or more cells, and progress
 * above 0 fills at least one cell.
 */
function countFilledCells(progress: number, area: number): number {
  if (progress <= 0 || progress >= 1) return progress <= 0 ? 0 : area
  return Math.min(Math.max(1, area - 1), Math.max(1, Math.round(progress * area)))
}
