// List: bullets or numbers with hanging texts.

import { blankLine, hangText, type Pen, type RenderedLine } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import { type ComponentRenderer, limitItems } from './component.ts'

export const list: ComponentRenderer<ComponentProps['List']> = {
  draw(props, width, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(props.items, 'items', pen, warn)
    const digits = String(visibleItems.length).length + 1
    const lines: RenderedLine[] = []
    for (const [i, item] of visibleItems.entries()) {
      if (i > 0) for (let n = Math.trunc(props.spacing ?? 0); n > 0; n--) lines.push(blankLine)
      const mark = markOf(props, i, pen)
      const lead = `${props.ordered ? mark.padStart(digits) : mark} `
      for (const line of hangText(lead, {}, item, {}, width, pen)) lines.push(line)
    }
    const note = rest ?? (visibleItems.length === 0 ? '(no items)' : undefined)
    if (note) lines.push(...pen.wrap(note, width).map((text) => pen.line(text)))
    return lines
  },
  speak(props, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(props.items, 'items', pen, warn)
    if (visibleItems.length === 0) return ['(no items)']
    const lines = visibleItems.map((item, i) => `${props.ordered ? markOf(props, i, pen) : '-'} ${item}`)
    return rest ? [...lines, rest] : lines
  },
}

function markOf({ ordered, bulletChar }: ComponentProps['List'], i: number, pen: Pen): string {
  return ordered ? `${i + 1}.` : bulletChar || pen.glyphs.bullet
}
