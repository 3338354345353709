// Finished rows of a paragraph that still grows. Text that follows later can no longer change these rows.
import type { Token } from 'marked'
import type { OpenSplit } from './finished-blocks.ts'
import { readBlocks } from './read-blocks.ts'

/** Matches characters that may get another meaning by later text, such as the start of an emphasis. */
const unsettled = /[*`~<[\]\\&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|[\0-\x09\x0b-\x1f\x7f-\x9f]/u

/** Matches a word in brackets that no URL follows, such as the number of a source. */
const bracketed = /\[[^\s[\]*`_~<\\&]*\](?=[^([])/g

/** Matches a complete first word that cannot begin a block other than a paragraph. */
const plainStart = /^(?![-+*#>|=~:]|\d{1,9}[.)]\s)\S+\s/

/**
 * Largest number of positions for a split that are tried. A position inside an emphasis or a link fails, and
 * then an earlier one is tried.
 */
const maxTries = 4

/**
 * Splits off at most `maxRows` whole rows at the start of a growing paragraph. `draw` returns the rows of a
 * text. Returns undefined if every row may still change, if no position for a split is found in `maxTries`
 * tries, or if the text is not one paragraph.
 */
export function splitRows(
  text: string,
  draw: (text: string) => readonly string[],
  maxRows: number,
): OpenSplit | undefined {
  const ends = findWordEnds(text)
  const rowsTo = (i: number) => draw(text.slice(0, ends[i])).length
  if (ends.length === 0) return undefined
  const whole = draw(text)
  let rows = Math.min(maxRows, rowsTo(ends.length - 1) - 1)
  for (let tries = 0; rows > 0 && tries < maxTries; tries++) {
    const end = ends[findLast(ends.length, (i) => rowsTo(i) <= rows)]
    if (end === undefined) return undefined
    const drawn = draw(text.slice(0, end))
    const rest = text.slice(end + 1)
    if (plainStart.test(rest) && isSame([...drawn, ...draw(rest)], whole))
      return { done: text.slice(0, end + 1), next: { isApart: false } }
    rows = drawn.length - 1
  }
  return undefined
}

/** Returns the positions of single spaces and line ends at which a paragraph may be split. */
function findWordEnds(text: string): number[] {
  const blocks = readBlocks(text)
  const at = blocks.findIndex(({ type }) => type !== 'space')
  const paragraph = blocks[at]
  if (paragraph?.type !== 'paragraph' || blocks.length > at + 2) return []
  const start = blocks.slice(0, at).reduce((sum, { raw }) => sum + raw.length, 0)
  return findEndsIn(paragraph.tokens ?? [], text, start)
}

function findEndsIn(tokens: readonly Token[], text: string, start: number): number[] {
  const ends: number[] = []
  let at = start
  for (const token of tokens) {
    if (!text.startsWith(token.raw, at)) return ends
    if (token.type === 'text') {
      const doubt = token.raw
        .replace(bracketed, (bracketText) => 'x'.repeat(bracketText.length))
        .search(unsettled)
      const settled = doubt < 0 ? token.raw : token.raw.slice(0, doubt)
      for (const { index } of settled.matchAll(/(?<=\S)[ \n](?=\S)/g)) ends.push(at + index)
      if (doubt >= 0) return ends
    }
    at += token.raw.length
  }
  return ends
}

/** Returns the last index below `count` for which `isLow` is true, or -1. All such indexes come first. */
function findLast(count: number, isLow: (index: number) => boolean): number {
  let low = -1
  let high = count
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isLow(middle)) low = middle
    else high = middle
  }
  return low
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((row, i) => row === b[i])
