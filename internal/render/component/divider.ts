// Divider: a line, with an optional title in its middle.

import { joinLines, type Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import { splitClusters } from '../text/cell-width.ts'
import type { ComponentRenderer } from './component.ts'

const usual = 40

export const divider: ComponentRenderer<ComponentProps['Divider']> = {
  draw({ character, color, dimColor, title, width: requestedWidth }, available, pen) {
    const width = Math.min(available, Math.trunc(requestedWidth ?? usual))
    const mark = markOf(character, pen)
    const style = { color, dim: dimColor }
    const run = (count: number) => {
      const text = mark.text.repeat(Math.max(0, Math.floor(count / mark.cells)))
      return pen.line(text + ' '.repeat(Math.max(0, count - pen.cells(text))), style)
    }
    const titleText = title ? pen.clip(title, Math.max(1, width - 4)) : ''
    const free = width - pen.cells(titleText) - 2
    if (titleText === '') return [run(width)]
    if (free < 2) return [pen.line(pen.clip(titleText, width), style)]
    const leftCells = free >> 1
    return [joinLines(run(leftCells), { text: ` ${titleText} `, cells: width - free }, run(free - leftCells))]
  },
  speak: ({ title }) => [title ?? ''],
}

/** Returns the first visible character of the text with its cells, or the default mark. */
function markOf(character: string | null | undefined, pen: Pen) {
  for (const cluster of splitClusters(character ?? '', pen.look.ambiguous)) {
    if (cluster.cells > 0 && cluster.text !== ' ') return cluster
  }
  return { text: pen.glyphs.rule, cells: 1 }
}
