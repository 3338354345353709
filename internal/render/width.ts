// How many terminal cells a text takes, and how to cut it there.
import { eastAsianWidth } from 'get-east-asian-width'

/** Cells of a character of ambiguous width; a property of the terminal, not of the text. */
export type Ambiguous = 1 | 2

/** What a reader sees as one character, with its cells. */
export interface Cluster {
  text: string
  cells: number
}

const ASCII = /^[\x20-\x7e]*$/

/** Characters that take no cell: marks, joiners, tags, the vowels and finals of conjoining Hangul. */
const LIGHT =
  '\\p{M}|\\u200c|\\u200d|[\\u180e\\u1160-\\u11ff\\ud7b0-\\ud7ff\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0020}-\\u{e007f}]'

const ZERO = new RegExp(`^(?:${LIGHT})$`, 'u')

/** Characters whose cells depend on their neighbours: only texts that hold one need to be segmented. */
const JOINING = new RegExp(`\\p{RI}|\\p{EMod}|${LIGHT}`, 'u')

const EMOJI = /^(?:\p{RI}\p{RI}|(?!\p{RI})\p{Emoji_Presentation})|\ufe0f|\u200d|\p{EMod}/u

let segmenter: Intl.Segmenter | undefined

/** Cells of a text without control characters. Linear; texts of printable ASCII cost one test. */
export function cells(text: string, ambiguous: Ambiguous = 1): number {
  if (ASCII.test(text)) return text.length
  let sum = 0
  if (JOINING.test(text)) {
    for (const { segment } of segments(text)) sum += cellsOfCluster(segment, ambiguous)
  } else {
    for (const char of text) sum += cellsOfChar(char, ambiguous)
  }
  return sum
}

/** The clusters of a text in order. */
export function* clusters(text: string, ambiguous: Ambiguous = 1): Generator<Cluster> {
  if (JOINING.test(text)) {
    for (const { segment } of segments(text))
      yield { text: segment, cells: cellsOfCluster(segment, ambiguous) }
  } else {
    for (const char of text) yield { text: char, cells: cellsOfChar(char, ambiguous) }
  }
}

/**
 * The longest beginning of `text` that fits into `width` cells. Where a wide character does not fit, a space takes
 * its place, so that a text that is too long fills the width exactly.
 */
export function cut(text: string, width: number, ambiguous: Ambiguous = 1): string {
  if (width <= 0) return ''
  if (ASCII.test(text)) return text.slice(0, width)
  let out = ''
  let used = 0
  for (const cluster of clusters(text, ambiguous)) {
    if (used + cluster.cells > width) return out + ' '.repeat(width - used)
    out += cluster.text
    used += cluster.cells
  }
  return out
}

/** The longest end of `text` that fits, filled on the left like `cut` on the right. */
export function cutStart(text: string, width: number, ambiguous: Ambiguous = 1): string {
  if (width <= 0) return ''
  if (ASCII.test(text)) return text.slice(-width)
  const all = [...clusters(text, ambiguous)]
  let used = 0
  let first = all.length
  while (first > 0 && used + (all[first - 1] as Cluster).cells <= width) {
    first--
    used += (all[first] as Cluster).cells
  }
  const end = all.slice(first).map((cluster) => cluster.text)
  return (first > 0 ? ' '.repeat(width - used) : '') + end.join('')
}

/** Where the ellipsis goes when a text is too long. */
export type Keep = 'start' | 'middle' | 'end'

/** `text`, or as much of its start, end or both as fits beside the ellipsis. */
export function clip(
  text: string,
  width: number,
  ellipsis: string,
  ambiguous: Ambiguous = 1,
  keep: Keep = 'start',
): string {
  if (text.length <= width && ASCII.test(text)) return text
  if (cells(text, ambiguous) <= width) return text
  const room = width - ellipsis.length
  if (room <= 0) return ellipsis.slice(0, Math.max(0, width))
  if (keep === 'end') return ellipsis + cutStart(text, room, ambiguous)
  if (keep === 'start') return cut(text, room, ambiguous) + ellipsis
  const left = Math.ceil(room / 2)
  return cut(text, left, ambiguous) + ellipsis + cutStart(text, room - left, ambiguous)
}

function segments(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

function cellsOfChar(char: string, ambiguous: Ambiguous): number {
  return eastAsianWidth(char.codePointAt(0) as number, { ambiguousAsWide: ambiguous === 2 })
}

/**
 * Emoji, flags and joined clusters take two cells. Elsewhere marks take none and the base characters count; older
 * and newer Unicode tables split Indic clusters differently, their sum is the same.
 */
function cellsOfCluster(cluster: string, ambiguous: Ambiguous): number {
  if (EMOJI.test(cluster)) return 2
  let sum = 0
  for (const char of cluster) if (!ZERO.test(char)) sum += cellsOfChar(char, ambiguous)
  return sum
}
