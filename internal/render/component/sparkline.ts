// Sparkline: a row of marks, then smallest, largest and last value.

import { describeValues, sparkLines } from '../chart/sparkline.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const sparkline: ComponentRenderer<ComponentProps['Sparkline']> = {
  draw({ data, label, color, width: requestedWidth, min, max }, width, pen) {
    if (data.length === 0) {
      return pen.wrap(label ? `${label} (no data)` : '(no data)', width).map((text) => pen.line(text))
    }
    const marks = Math.trunc(requestedWidth ?? data.length)
    const sparks = { values: data, label: label ?? '', marks, color: color ?? 'green', min, max }
    return sparkLines(sparks, width, pen)
  },
  speak({ data, label }) {
    const words = data.length > 0 ? describeValues(data).join(', ') : '(no data)'
    return [label ? `${label}: ${words}` : words]
  },
}
