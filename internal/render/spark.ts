// Sparklines: a row of marks as high as its values, and what the values were.
import { extent, formatNumber, fraction, shrink } from './number.ts'
import type { Pen } from './pen.ts'

/** The marks of `values` (finite) in at most `width` cells; values outside `min` and `max` stand at the edge. */
export function spark(
  values: readonly number[],
  width: number,
  bounds: { min?: number | null | undefined; max?: number | null | undefined },
  pen: Pen,
): string {
  const [least, most] = extent(values)
  const lo = bounds.min ?? least
  const hi = bounds.max ?? most
  const marks = pen.glyphs.spark
  return shrink(values, width)
    .map((value) => {
      if (!(hi > lo)) return marks[Math.floor((marks.length - 1) / 2)]
      return marks[Math.min(marks.length - 1, Math.floor(fraction(value, lo, hi) * marks.length))]
    })
    .join('')
}

/** `min 1  max 9  last 4` with the given separator. */
export function range(values: readonly number[], separator: string): string {
  const [least, most] = extent(values)
  const last = values.at(-1) ?? 0
  return [`min ${formatNumber(least)}`, `max ${formatNumber(most)}`, `last ${formatNumber(last)}`].join(
    separator,
  )
}
