// Width of a text in terminal cells, and cutting at a width.
import { eastAsianWidth } from 'get-east-asian-width'

/** Cells of a character of ambiguous width, which depends on the terminal. */
export type AmbiguousWidth = 1 | 2

/** A user-perceived character with its cells. */
interface TextCluster {
  text: string
  cells: number
}

const ASCII = /^[\x20-\x7e]*$/

/**
 * Matches characters that take no cell: marks, joiners, tags, and the vowels and finals of conjoining Hangul.
 */
const LIGHT =
  '\\p{M}|\\u200c|\\u200d|[\\u180e\\u1160-\\u11ff\\ud7b0-\\ud7ff\\u{1bca0}-\\u{1bca3}\\u{1d173}' +
  '-\\u{1d17a}\\u{e0020}-\\u{e007f}]'

/** Creates patterns that cover all of Unicode. They are created only when a text first needs them. */
const makePatterns = () => ({
  /**
   * Matches characters that change the cells of their neighbors. Only texts with such a character are
   * split into clusters.
   */
  joining: new RegExp(`\\p{RI}|\\p{EMod}|${LIGHT}`, 'u'),
  /** Matches flags, keycaps, emoji and joined emoji. */
  emoji: new RegExp(`\\p{RI}\\p{RI}|[0-9#*]\\ufe0f\\u20e3|${FACE}(?:\\u200d${FACE})*`, 'gu'),
  zeroes: new RegExp(LIGHT, 'gu'),
  /** Matches clusters that terminals show as an emoji and not as a text symbol. */
  picture: /^(?:\p{RI}\p{RI}|\p{Emoji_Presentation})|\ufe0f|\u200d|\p{EMod}/u,
})
let cachedPatterns: ReturnType<typeof makePatterns> | undefined

function getPatterns(): ReturnType<typeof makePatterns> {
  cachedPatterns ??= makePatterns()
  return cachedPatterns
}

/** Pattern of one emoji with its skin tone, selectors and tags. */
const FACE = '\\p{ExtPict}(?:\\p{EMod}|\\p{VS})*[\\u{e0020}-\\u{e007f}]*'

let segmenter: Intl.Segmenter | undefined

/**
 * Returns the number of cells of a text without control characters. Emoji, flags and joined clusters take two
 * cells, marks none, and other characters one or two, as their East Asian width says. The time is linear;
 * printable ASCII costs one test.
 */
export function countCells(text: string, ambiguous: AmbiguousWidth = 1): number {
  if (ASCII.test(text)) return text.length
  const { joining, emoji, zeroes, picture } = getPatterns()
  if (!joining.test(text)) return cellsOfChars(text, ambiguous)
  let pictures = 0
  const rest = text.replace(emoji, (cluster) => {
    if (!picture.test(cluster)) return cluster
    pictures += 2
    return ''
  })
  return pictures + cellsOfChars(rest.replace(zeroes, ''), ambiguous)
}

/** Yields the clusters of a text in order, each with its cells. */
export function* splitClusters(text: string, ambiguous: AmbiguousWidth = 1): Generator<TextCluster> {
  if (getPatterns().joining.test(text)) {
    segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
    for (const { segment } of segmenter.segment(text)) {
      yield { text: segment, cells: countCells(segment, ambiguous) }
    }
  } else {
    for (const char of text) yield { text: char, cells: cellsOfChars(char, ambiguous) }
  }
}

/**
 * Returns the longest beginning of `text` that fits into `width` cells. A space replaces a wide character
 * that does not fit, so that a text that is too long fills the width exactly.
 */
export function cutText(text: string, width: number, ambiguous: AmbiguousWidth = 1): string {
  if (width <= 0) return ''
  if (ASCII.test(text)) return text.slice(0, width)
  let out = ''
  let usedCells = 0
  for (const cluster of splitClusters(text, ambiguous)) {
    if (usedCells + cluster.cells > width) return out + ' '.repeat(width - usedCells)
    out += cluster.text
    usedCells += cluster.cells
  }
  return out
}

/**
 * Returns the longest end of `text` that fits. Like `cutText`, it fills a missing cell with a space, but
 * on the left.
 */
export function cutStart(text: string, width: number, ambiguous: AmbiguousWidth = 1): string {
  if (width <= 0) return ''
  if (ASCII.test(text)) return text.slice(-width)
  const all = [...splitClusters(text, ambiguous)]
  let usedCells = 0
  let first = all.length
  while (first > 0 && usedCells + (all[first - 1] as TextCluster).cells <= width) {
    first--
    usedCells += (all[first] as TextCluster).cells
  }
  const end = all.slice(first).map((cluster) => cluster.text)
  return (first > 0 ? ' '.repeat(width - usedCells) : '') + end.join('')
}

/**
 * The part that is kept of a text that is too long: its start or its end. With `middle`, its start and its
 * end are kept, and the ellipsis is between them.
 */
export type ClipSide = 'start' | 'middle' | 'end'

/**
 * Returns `text`, or as much of it as fits together with an ellipsis, and its width. `keep` says which part
 * of a long text is kept. If only the ellipsis fits, that or a part of it is returned.
 */
export function clipText(
  text: string,
  width: number,
  ellipsis: string,
  ambiguous: AmbiguousWidth = 1,
  keep: ClipSide = 'start',
): TextCluster {
  const size = countCells(text, ambiguous)
  if (size <= width) return { text, cells: size }
  const room = width - ellipsis.length
  if (room <= 0) return { text: ellipsis.slice(0, Math.max(0, width)), cells: Math.max(0, width) }
  const startCells = keep === 'start' ? room : keep === 'end' ? 0 : Math.ceil(room / 2)
  const start = cutText(text, startCells, ambiguous)
  const end = cutStart(text, room - startCells, ambiguous)
  return { text: start + ellipsis + end, cells: width }
}

function cellsOfChars(text: string, ambiguous: AmbiguousWidth): number {
  let sum = 0
  for (const char of text) {
    const code = char.codePointAt(0) as number
    sum += code < 0x7f ? 1 : eastAsianWidth(code, { ambiguousAsWide: ambiguous === 2 })
  }
  return sum
}
