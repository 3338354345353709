// Text: wrapped or cut, in any style.
import type { Part } from '../part.ts'
import type { Props } from '../props.ts'
import type { Keep } from '../width.ts'

const keeps: Readonly<Record<string, Keep>> = {
  truncate: 'start',
  'truncate-end': 'start',
  'truncate-middle': 'middle',
  'truncate-start': 'end',
}

export const text: Part<Props['Text']> = {
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
