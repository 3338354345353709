// Sparklines: a row of marks whose heights show the values, with the range of the values.

import { joinLines, type Pen, type RenderedLine } from '../pen.ts'
import { downsampleValues, findExtent, formatNumber, fractionWithin } from './number.ts'

/**
 * Returns the marks of `values` in at most `width` cells, with a gap for a value that is not finite. `min`
 * and `max` are by default the smallest and largest value. Values beyond them get the lowest or the highest
 * mark. If `max` is not above `min`, all values get a middle mark.
 */
export function drawSpark(
  values: readonly number[],
  width: number,
  bounds: { min?: number | null | undefined; max?: number | null | undefined },
  pen: Pen,
): string {
  const [least, max] = findExtent(values.filter(Number.isFinite))
  const lo = bounds.min ?? least
  const hi = bounds.max ?? max
  const marks = pen.glyphs.spark
  return downsampleValues(values, width)
    .map((value) => {
      if (!Number.isFinite(value)) return ' '
      if (!(hi > lo)) return marks[Math.floor((marks.length - 1) / 2)]
      return marks[Math.min(marks.length - 1, Math.floor(fractionWithin(value, lo, hi) * marks.length))]
    })
    .join('')
}

/**
 * Returns the smallest, largest and last finite value as texts: `min 1`, `max 9`, `last 4`. Each is 0 without
 * a finite value.
 */
export function describeValues(values: readonly number[]): string[] {
  const finite = values.filter(Number.isFinite)
  const [least, max] = findExtent(finite)
  const last = finite.at(-1) ?? 0
  return [`min ${formatNumber(least)}`, `max ${formatNumber(max)}`, `last ${formatNumber(last)}`]
}

interface SparkSeries {
  values: readonly number[]
  label: string
  /** Largest number of marks; fewer are shown for fewer values or on a narrow line. */
  marks: number
  color: string | undefined
  min?: number | null | undefined
  max?: number | null | undefined
}

/**
 * Smallest number of marks to which a sparkline is shortened so that its smallest, largest and last value fit
 * on the same line.
 */
const least = 8

/**
 * Returns label, marks, and the texts of `describeValues` on one line if they fit, else these texts below. If
 * the label leaves no cell for marks, returns only label and texts. Needs at least one value.
 */
export function sparkLines(sparks: SparkSeries, width: number, pen: Pen): RenderedLine[] {
  const { values, label } = sparks
  const name = label ? `${pen.clip(label, Math.max(1, Math.floor(width / 3) - 1))} ` : ''
  const room = width - pen.cells(name)
  const words = describeValues(values)
  if (room < 1) return gatherWords([label, ...words], width, pen)
  const markCount = Math.min(sparks.marks, values.length)
  const beside = room - words.join('  ').length - 1
  const fits = beside >= Math.min(markCount, least)
  const marks = drawSpark(values, Math.min(markCount, fits ? beside : room), sparks, pen)
  const line = joinLines(pen.line(name), pen.line(marks, { color: sparks.color }))
  return fits
    ? [joinLines(line, pen.line(` ${words.join('  ')}`))]
    : [line, ...gatherWords(words, width, pen)]
}

/** Returns the words on as few lines as possible, separated by two spaces. */
function gatherWords(words: readonly string[], width: number, pen: Pen): RenderedLine[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)}  ${word}` : word
    if (lines.length > 0 && pen.cells(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.flatMap((line) => pen.wrap(line, width)).map((line) => pen.line(line))
}
