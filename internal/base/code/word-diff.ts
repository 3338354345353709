// The words that differ between two similar lines. Pure.

/** Start and end of a part of a line, in UTF-16 code units. */
export type TextRange = readonly [start: number, end: number]

interface ChangedWords {
  before: readonly TextRange[]
  after: readonly TextRange[]
}

/**
 * Largest length of a compared line in characters. A longer line is usually generated, so its words
 * are not compared.
 */
const maxLength = 500
/** Smallest share of equal text for two lines that count as similar. */
const leastAlike = 0.5
/**
 * Largest product of the numbers of words in two lines. Above it, as with lines of punctuation, words
 * are not compared.
 */
const maxPairs = 40_000

/**
 * Returns the changed ranges; undefined if the lines are too long, too different or only white space, or if
 * they have too many words.
 */
export function findChangedWords(before: string, after: string): ChangedWords | undefined {
  if (Math.max(before.length, after.length) > maxLength) return undefined
  const old = splitWords(before)
  const now = splitWords(after)
  if (old.length * now.length > maxPairs) return undefined
  const commonPairs = longestCommon(old, now)
  const same = commonPairs.reduce((sum, [i]) => sum + countVisible(old[i] as string), 0)
  const total = Math.max(countVisible(before), countVisible(after))
  if (total === 0 || same / total < leastAlike) return undefined
  return {
    before: rangesWithout(old, new Set(commonPairs.map(([i]) => i))),
    after: rangesWithout(now, new Set(commonPairs.map(([, j]) => j))),
  }
}

/** Returns the number of characters other than white space, so that equal indentation does not count. */
const countVisible = (text: string) => text.replace(/\s/g, '').length

const splitWords = (line: string) => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Returns the index pairs of the longest common subsequence of words. */
function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1
  const sizes = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => sizes[i * width + j] as number
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      sizes[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** Returns the ranges of words that are not in `commonIndexes`. Adjacent words form one range. */
function rangesWithout(words: readonly string[], commonIndexes: ReadonlySet<number>): TextRange[] {
  const ranges: [number, number][] = []
  let start = 0
  for (const [i, word] of words.entries()) {
    const end = start + word.length
    const last = ranges.at(-1)
    if (!commonIndexes.has(i)) {
      if (last?.[1] === start) last[1] = end
      else ranges.push([start, end])
    }
    start = end
  }
  return ranges
}

/**
 * Pairs the removed lines of each group with its added lines, in order. Returns the partner's index for each
 * paired line, in both directions; lines without a partner are missing.
 */
export function findPartners(signs: readonly string[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>()
  for (const { removed, added } of pairRuns(signs)) {
    for (const [i, old] of removed.entries()) {
      const now = added[i]
      if (now === undefined) break
      partners.set(old, now)
      partners.set(now, old)
    }
  }
  return partners
}

/**
 * Returns the groups of changed lines in a diff: indexes of consecutive removed lines, and of the added lines
 * directly after them. `signs` are the first characters of the lines.
 */
export function pairRuns(signs: readonly string[]): { removed: number[]; added: number[] }[] {
  const runs: { removed: number[]; added: number[] }[] = []
  for (let i = 0; i < signs.length; ) {
    const run = { removed: [] as number[], added: [] as number[] }
    while (signs[i] === '-') run.removed.push(i++)
    while (signs[i] === '+') run.added.push(i++)
    if (run.removed.length + run.added.length > 0) runs.push(run)
    else i++
  }
  return runs
}
