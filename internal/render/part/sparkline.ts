// Sparkline: a row of marks, then smallest, largest and last value.
import type { Part } from '../part.ts'
import { join, type Line } from '../pen.ts'
import type { Props } from '../props.ts'
import { range, spark } from '../spark.ts'

/** Marks are not squeezed below this only to keep the numbers on their line. */
const least = 8

export const sparkline: Part<Props['Sparkline']> = {
  draw(props, width, pen): Line[] {
    const { data, label } = props
    const name = label ? `${pen.clip(label, Math.max(1, Math.floor(width / 3) - 1))} ` : ''
    const room = width - pen.cells(name)
    if (data.length === 0) return pen.wrap(`${name}(no data)`, width).map((text) => pen.line(text))
    if (room < 1) return pen.wrap([label, range(data, '  ')].join(' '), width).map((text) => pen.line(text))
    const numbers = range(data, '  ')
    const wanted = Math.trunc(props.width ?? data.length)
    const beside = room - numbers.length - 1
    const style = { color: props.color ?? 'green' }
    if (Math.min(wanted, data.length) <= beside || beside >= least) {
      const marks = pen.line(spark(data, Math.min(wanted, beside), props, pen), style)
      return [join(pen.line(name), marks, pen.line(` ${numbers}`))]
    }
    const marks = pen.line(spark(data, Math.min(wanted, room), props, pen), style)
    return [join(pen.line(name), marks), ...pen.wrap(numbers, width).map((text) => pen.line(text))]
  },
  speak({ data, label }) {
    const numbers = data.length > 0 ? range(data, ', ') : '(no data)'
    return [label ? `${label}: ${numbers}` : numbers]
  },
}
