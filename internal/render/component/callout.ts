// Callout: a highlighted note that starts with its kind.

import { joinLines, type RenderedLine } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

const kinds = {
  info: { word: 'Info', color: 'blue' },
  tip: { word: 'Tip', color: 'green' },
  warning: { word: 'Warning', color: 'yellow' },
  important: { word: 'Important', color: 'magenta' },
} as const

export const callout: ComponentRenderer<ComponentProps['Callout']> = {
  draw(props, width, pen) {
    const { color } = kinds[props.type ?? 'info']
    const bar: RenderedLine = width > 2 ? pen.line(`${pen.glyphs.bar} `, { color }) : pen.line('')
    const room = width - bar.cells
    const head = pen.wrap(headOf(props), room).map((text) => pen.line(text, { bold: true, color }))
    const body = pen.wrap(props.content, room).map((text) => pen.line(text))
    return [...head, ...body].map((line) => joinLines(bar, line))
  },
  speak: (props) => `${headOf(props)}: ${props.content}`.split('\n'),
}

function headOf({ type, title }: ComponentProps['Callout']): string {
  const { word } = kinds[type ?? 'info']
  return title ? `${word}: ${title}` : word
}
