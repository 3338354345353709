// KeyValue: a name, a separator, and what it stands for.
import type { Part } from '../part.ts'
import { hang, type Pen } from '../pen.ts'
import type { Props } from '../props.ts'

export const keyValue: Part<Props['KeyValue']> = {
  draw(props, width, pen) {
    return hang(`${leadOf(props)} `, { color: props.labelColor }, textOf(props, pen), {}, width, pen)
  },
  speak: (props, pen) => `${leadOf(props)} ${textOf(props, pen)}`.split('\n'),
}

const leadOf = ({ label, separator }: Props['KeyValue']) => `${label}${separator ?? ':'}`

function textOf({ value }: Props['KeyValue'], pen: Pen): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text || pen.glyphs.nothing
}
