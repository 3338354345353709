// Badge: a word in brackets. Every variant except `default` adds a mark before the word.

import type { Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'
import { statusColors } from './status-line.ts'

export const badge: ComponentRenderer<ComponentProps['Badge']> = {
  draw({ label, variant }, width, pen) {
    const kind = variant ?? 'default'
    const text = kind === 'default' ? label : `${markOf(kind, pen)} ${label}`
    const style = { bold: true, color: kind === 'default' ? undefined : statusColors[kind] }
    // If the width is too small, the brackets are omitted before any letter is.
    const visibleText = pen.cells(text) + 2 <= width ? `[${text}]` : pen.clip(text, width)
    return [pen.line(visibleText, style)]
  },
  speak: ({ label, variant }) => [variant && variant !== 'default' ? `${label} (${variant})` : label],
}

/** Returns the mark of a status without its brackets. */
function markOf(kind: keyof typeof statusColors, pen: Pen): string {
  return pen.glyphs.status[kind].replace(/^\[(.+)\]$/, '$1')
}
