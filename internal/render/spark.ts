// Sparklines: a row of marks as high as its values, and what the values were.
import { extent, formatNumber, fraction, shrink } from './number.ts'
import { join, type Line, type Pen } from './pen.ts'

/**
 * The marks of `values` in at most `width` cells, a gap where one is not finite; values outside `min` and `max` stand at
 * the edge.
 */
export function spark(
  values: readonly number[],
  width: number,
  bounds: { min?: number | null | undefined; max?: number | null | undefined },
  pen: Pen,
): string {
  const [least, most] = extent(values.filter(Number.isFinite))
  const lo = bounds.min ?? least
  const hi = bounds.max ?? most
  const marks = pen.glyphs.spark
  return shrink(values, width)
    .map((value) => {
      if (!Number.isFinite(value)) return ' '
      if (!(hi > lo)) return marks[Math.floor((marks.length - 1) / 2)]
      return marks[Math.min(marks.length - 1, Math.floor(fraction(value, lo, hi) * marks.length))]
    })
    .join('')
}

/** `min 1`, `max 9`, `last 4`. */
export function facts(values: readonly number[]): string[] {
  const finite = values.filter(Number.isFinite)
  const [least, most] = extent(finite)
  const last = finite.at(-1) ?? 0
  return [`min ${formatNumber(least)}`, `max ${formatNumber(most)}`, `last ${formatNumber(last)}`]
}

export interface Sparks {
  values: readonly number[]
  label: string
  /** Marks wanted. */
  marks: number
  color: string | undefined
  min?: number | null | undefined
  max?: number | null | undefined
}

/** Marks are not squeezed below this only to keep the facts on their line. */
const least = 8

/** Label, marks and facts on one line where they fit, the facts below where not. At least one value. */
export function sparkLines(sparks: Sparks, width: number, pen: Pen): Line[] {
  const { values, label } = sparks
  const name = label ? `${pen.clip(label, Math.max(1, Math.floor(width / 3) - 1))} ` : ''
  const room = width - pen.cells(name)
  const words = facts(values)
  if (room < 1) return gather([label, ...words], width, pen)
  const wanted = Math.min(sparks.marks, values.length)
  const beside = room - words.join('  ').length - 1
  const fits = beside >= Math.min(wanted, least)
  const marks = spark(values, Math.min(wanted, fits ? beside : room), sparks, pen)
  const line = join(pen.line(name), pen.line(marks, { color: sparks.color }))
  return fits ? [join(line, pen.line(` ${words.join('  ')}`))] : [line, ...gather(words, width, pen)]
}

/** Words on as few lines as hold them, two spaces between. */
function gather(words: readonly string[], width: number, pen: Pen): Line[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)}  ${word}` : word
    if (lines.length > 0 && pen.cells(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.flatMap((line) => pen.wrap(line, width)).map((line) => pen.line(line))
}
