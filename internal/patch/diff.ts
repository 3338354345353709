// Writer of the unified diff between two texts in git's form, which can be parsed and applied.
import { splitLines } from '../base/text/lines.ts'
import { quoteName } from './patch-file-name.ts'

interface TextDiff {
  /** Text of the diff, with `--- a/` and `+++ b/` lines; empty for equal texts. */
  text: string
  added: number
  removed: number
}

type DiffOp = ' ' | '-' | '+'

/**
 * Largest number of differences that are searched exactly, because time grows with their square. A
 * text with more is split at lines that both sides contain once; a part that still has more is shown
 * as replaced completely.
 */
const maxEdits = 400

/**
 * Returns the diff between `old` and `fresh`, each of which is `null` if the file does not exist. Its text is
 * empty if no line differs. `path` is relative, without a prefix.
 */
export async function diffTexts(path: string, old: string | null, fresh: string | null): Promise<TextDiff> {
  const a = splitLines(old ?? '')
  const b = splitLines(fresh ?? '')
  const ops = await compareLines(a, b)
  const hunks = groupHunks(ops)
  const head = `--- ${old === null ? '/dev/null' : quoteName(`a/${path}`)}\n+++ ${
    fresh === null ? '/dev/null' : quoteName(`b/${path}`)
  }\n`
  return {
    text: hunks.length > 0 ? head + hunks.map((hunk) => printHunk(hunk, ops, a, b)).join('') : '',
    added: ops.filter(({ op }) => op === '+').length,
    removed: ops.filter(({ op }) => op === '-').length,
  }
}

/**
 * One line of the comparison. `a` and `b` are the indices that the comparison has reached in the old and
 * the new lines.
 */
interface DiffLine {
  op: DiffOp
  a: number
  b: number
}

async function compareLines(a: readonly string[], b: readonly string[]): Promise<DiffLine[]> {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  const maxTail = Math.min(a.length, b.length) - head
  while (tail < maxTail && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const middle = await findChanges(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  const push = (op: DiffOp, count: number) => {
    for (let n = 0; n < count; n++) {
      lines.push({ op, a: i, b: j })
      if (op !== '+') i++
      if (op !== '-') j++
    }
  }
  push(' ', head)
  for (const [op, count] of middle) push(op, count)
  push(' ', tail)
  return lines
}

type LineChange = [DiffOp, number]

/**
 * Returns a minimal diff if it has at most 400 differences, else a diff that is split at the lines that both
 * sides contain exactly once.
 */
async function findChanges(a: string[], b: string[]): Promise<LineChange[]> {
  const short = await findMinimalDiff(a, b)
  if (short) return short
  const all: LineChange[] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...commonOnce(a, b), [a.length, b.length] as const]) {
    const left = a.slice(i, x)
    const right = b.slice(j, y)
    all.push(...((await findMinimalDiff(left, right)) ?? toReplacement(left, right)))
    if (x < a.length) all.push([' ', 1])
    i = x + 1
    j = y + 1
  }
  return all
}

const toReplacement = (a: readonly string[], b: readonly string[]): LineChange[] => [
  ['-', a.length],
  ['+', b.length],
]

async function findMinimalDiff(a: string[], b: string[]): Promise<LineChange[] | undefined> {
  if (a.length === 0 || b.length === 0) return toReplacement(a, b)
  const { diffArrays } = await import('diff')
  const parts = diffArrays(a, b, { maxEditLength: maxEdits })
  return parts?.map(({ added, removed, value }) => [added ? '+' : removed ? '-' : ' ', value.length])
}

/**
 * Returns the longest series of pairs of indices, rising on both sides, of equal lines that each side
 * contains once (Bram Cohen's patience diff).
 */
function commonOnce(a: readonly string[], b: readonly string[]): [number, number][] {
  const inB = findUniqueLines(b)
  const piles: { x: number; y: number; before: number }[][] = []
  for (const [line, x] of findUniqueLines(a)) {
    const y = inB.get(line)
    if (y === undefined) continue
    let low = 0
    let high = piles.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((piles[middle]?.at(-1)?.y ?? 0) < y) low = middle + 1
      else high = middle
    }
    const pile = piles[low] ?? []
    if (low === piles.length) piles.push(pile)
    pile.push({ x, y, before: (piles[low - 1]?.length ?? 0) - 1 })
  }
  const pairs: [number, number][] = []
  let top = (piles.at(-1)?.length ?? 0) - 1
  for (const pile of piles.reverse()) {
    const { x, y, before } = pile[top] as { x: number; y: number; before: number }
    pairs.unshift([x, y])
    top = before
  }
  return pairs
}

function findUniqueLines(lines: readonly string[]): Map<string, number> {
  const at = new Map<string, number>()
  const twice = new Set<string>()
  for (const [i, line] of lines.entries()) {
    if (at.has(line)) twice.add(line)
    else at.set(line, i)
  }
  for (const line of twice) at.delete(line)
  return at
}

const context = 3

/**
 * Returns the hunks as ranges of the compared lines, each with up to three unchanged lines
 * around its changes.
 */
function groupHunks(lines: readonly DiffLine[]): [number, number][] {
  const hunks: [number, number][] = []
  for (const [i, { op }] of lines.entries()) {
    if (op === ' ') continue
    const last = hunks.at(-1)
    const from = Math.max(0, i - context)
    const to = Math.min(lines.length, i + 1 + context)
    if (last && from <= last[1]) last[1] = to
    else hunks.push([from, to])
  }
  return hunks
}

function printHunk(
  [from, to]: [number, number],
  lines: readonly DiffLine[],
  a: readonly string[],
  b: readonly string[],
) {
  const part = lines.slice(from, to)
  const first = part[0] as DiffLine
  const olds = part.filter(({ op }) => op !== '+').length
  const news = part.filter(({ op }) => op !== '-').length
  const body = part.map(({ op, a: i, b: j }) => {
    const text = (op === '+' ? b[j] : a[i]) as string
    return `${op}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`
  })
  return `@@ -${formatRange(first.a, olds)} +${formatRange(first.b, news)} @@\n${body.join('')}`
}

/** In a hunk header, a range without lines has the number of the line before it. */
const formatRange = (index: number, count: number) =>
  `${count === 0 ? index : index + 1}${count === 1 ? '' : `,${count}`}`
