// KeyValue: a name, a separator, and a value.

import { hangText, type Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const keyValue: ComponentRenderer<ComponentProps['KeyValue']> = {
  draw(props, width, pen) {
    return hangText(`${leadOf(props)} `, { color: props.labelColor }, textOf(props, pen), {}, width, pen)
  },
  speak: (props, pen) => `${leadOf(props)} ${textOf(props, pen)}`.split('\n'),
}

const leadOf = ({ label, separator }: ComponentProps['KeyValue']) => `${label}${separator ?? ':'}`

function textOf({ value }: ComponentProps['KeyValue'], pen: Pen): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text || pen.glyphs.nothing
}
