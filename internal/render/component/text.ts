// Text: wrapped or cut, in any style.

import type { ComponentProps } from '../spec/props.ts'
import type { ClipSide } from '../text/cell-width.ts'
import type { ComponentRenderer } from './component.ts'

const keeps: Readonly<Record<string, ClipSide>> = {
  truncate: 'start',
  'truncate-end': 'start',
  'truncate-middle': 'middle',
  'truncate-start': 'end',
}

export const text: ComponentRenderer<ComponentProps['Text']> = {
  draw(props, width, pen) {
    const keep = keeps[props.wrap ?? 'wrap']
    const lines = keep
      ? props.text.split('\n').map((line) => pen.clip(line, width, keep))
      : pen.wrap(props.text, width)
    const style = { ...props, dim: props.dimColor }
    return lines.map((line) => pen.line(line, style))
  },
  speak: (props) => props.text.split('\n'),
}
