// Search for the position of a hunk in a file by its lines. The line number in its header decides
// between equal matches.
import { splitLines, withoutEol } from '../base/text/lines.ts'
import type { Hunk, HunkLine } from './patch.ts'
import { foldUnseen } from './unseen-characters.ts'

/** A file during patching. */
export interface PatchedLines {
  /** Lines with their line ends. */
  text: string[]
  /** For each line of `text`, whether it belongs to an earlier hunk. Later hunks may not match such lines. */
  fixed: boolean[]
}

export type HunkLeniency = 'exact' | 'line_ends' | 'trailing_whitespace' | 'typography'

export interface HunkSpot {
  /** Index of the first line that is replaced. */
  at: number
  /** The lines of the hunk without the outer context lines that were ignored. */
  lines: HunkLine[]
  /** Largest number of context lines that were ignored at each end, which patch(1) calls fuzz. */
  fuzz: number
  leniency: HunkLeniency
}

export type SpotResult = { spot: HunkSpot } | { ambiguous: number[] } | { missing: 'lines' | 'anchor' }

/**
 * Returns the position of a hunk, all positions if several fit equally well, or whether its lines or an
 * anchor are missing in the file. `expected` is the index by the hunk's header, shifted by the earlier hunks,
 * or undefined; `cursor` is the end of the previous hunk.
 */
export function findSpot(
  file: PatchedLines,
  hunk: Hunk,
  expected: number | undefined,
  cursor: number,
): SpotResult {
  const from = seekAnchors(file.text, hunk.anchors, cursor)
  if (from === undefined) return { missing: 'anchor' }
  for (const { fuzz, leniency } of attempts) {
    const { lines, head } = withoutOuter(hunk.lines, fuzz)
    if (fuzz > 0 && !containsAll(lines, hunk.lines)) continue
    const positions = findCandidates(file, hunk, lines, leniency)
    const want = expected === undefined ? undefined : expected + head
    const at =
      oldLines(lines).length === 0
        ? findInsertIndex(file, hunk, want, from)
        : pickPosition(positions, file, hunk, lines, want, from)
    if (at !== undefined) return { spot: { at, lines, fuzz, leniency } }
    if (positions.length > 0) return { ambiguous: positions }
  }
  return { missing: 'lines' }
}

/**
 * Attempts to match a hunk, strictest first. Ignoring context comes last, because it checks the fewest lines.
 */
const attempts: readonly { fuzz: number; leniency: HunkLeniency }[] = [
  { fuzz: 0, leniency: 'exact' },
  { fuzz: 0, leniency: 'line_ends' },
  { fuzz: 0, leniency: 'trailing_whitespace' },
  { fuzz: 0, leniency: 'typography' },
  { fuzz: 1, leniency: 'trailing_whitespace' },
  { fuzz: 2, leniency: 'trailing_whitespace' },
]

const keys: Readonly<Record<HunkLeniency, (line: string) => string>> = {
  exact: (line) => line,
  line_ends: (line) => withoutEol(line).replace(/^\uFEFF/, ''),
  trailing_whitespace: (line) => line.trimEnd().replace(/^\uFEFF/, ''),
  typography: (line) =>
    foldUnseen(line)
      .text.trimEnd()
      .replace(/^\uFEFF/, '')
      .replace(/[‘’‚‛′]/g, "'")
      .replace(/[“”„‟″]/g, '"')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
      .replaceAll('…', '...'),
}

/**
 * Returns every place that contains the old lines outside of lines from earlier hunks; empty without old
 * lines. With the leniency `exact`, a hunk whose last line has no line end only fits the end of the file.
 */
function findCandidates(
  file: PatchedLines,
  hunk: Hunk,
  lines: readonly HunkLine[],
  leniency: HunkLeniency,
): number[] {
  const key = keys[leniency]
  const oldKeys = oldLines(lines).map((line) => key(line.text))
  if (oldKeys.length === 0) return []
  const toEnd = endsFile(hunk)
  const positions: number[] = []
  for (let i = 0; i + oldKeys.length <= file.text.length; i++) {
    if (toEnd && leniency === 'exact' && i + oldKeys.length !== file.text.length) continue
    if (oldKeys.every((line, k) => !file.fixed[i + k] && key(file.text[i + k] as string) === line))
      positions.push(i)
  }
  return positions
}

/**
 * Returns whether the last line that is not removed has no line end, so that it can only be the last
 * of the file.
 */
function endsFile(hunk: Hunk): boolean {
  const last = hunk.lines.findLast(({ op }) => op !== '-')
  return last !== undefined && !last.text.endsWith('\n')
}

function pickPosition(
  positions: readonly number[],
  file: PatchedLines,
  hunk: Hunk,
  lines: readonly HunkLine[],
  want: number | undefined,
  from: number,
): number | undefined {
  if (positions.length === 1) return positions[0]
  const last = file.text.length - oldLines(lines).length
  if (hunk.atEnd && positions.includes(last)) return last
  if (want !== undefined) return pickNearest(positions, want, opensEnd(lines) ? last : undefined)
  const behind = positions.filter((at) => at >= from)
  if (hunk.anchors.length > 0) return behind[0]
  return behind.length === 1 ? behind[0] : undefined
}

/**
 * Returns true if context lines precede the changes and none follow. A diff contains this only at the end
 * of a file.
 */
const opensEnd = (lines: readonly HunkLine[]) => lines[0]?.op === ' ' && lines.at(-1)?.op !== ' '

/**
 * Returns `want` if it is one of the found positions, else `end` if it is one, else the position
 * nearest to `want`. Of two equally near ones, returns the later one, as git does. Returns undefined if
 * nothing was found.
 */
function pickNearest(
  positions: readonly number[],
  want: number,
  end: number | undefined,
): number | undefined {
  if (positions.includes(want)) return want
  if (end !== undefined && positions.includes(end)) return end
  let best: number | undefined
  for (const at of positions) {
    if (best === undefined || Math.abs(at - want) <= Math.abs(best - want)) best = at
  }
  return best
}

/** Returns the index at which to insert a hunk without old lines, or undefined if its place is unknown. */
function findInsertIndex(
  file: PatchedLines,
  hunk: Hunk,
  want: number | undefined,
  from: number,
): number | undefined {
  if (want !== undefined) return Math.max(0, Math.min(want, file.text.length))
  if (hunk.anchors.length > 0) return from
  return hunk.atEnd || file.text.length === 0 ? file.text.length : undefined
}

/**
 * Returns the index after the last anchor, a line that must precede the hunk, or `cursor` without anchors.
 * Each anchor is searched after the previous one, then from the beginning. Returns undefined if the file does
 * not contain an anchor.
 */
function seekAnchors(
  text: readonly string[],
  anchors: readonly string[],
  cursor: number,
): number | undefined {
  let from = anchors.length > 0 ? cursor : Math.min(cursor, text.length)
  for (const anchor of anchors) {
    const tests = [
      (line: string) => withoutEol(line) === anchor,
      (line: string) => line.trim() === anchor.trim(),
      (line: string) => line.trim().startsWith(anchor.trim()),
    ]
    const at = [from, 0]
      .flatMap((start) => tests.map((test) => text.findIndex((line, i) => i >= start && test(line))))
      .find((index) => index >= 0)
    if (at === undefined) return undefined
    from = at + 1
  }
  return from
}

/**
 * Returns the lines without up to `count` lines of context at each end, and how many were removed
 * from the beginning.
 */
function withoutOuter(lines: readonly HunkLine[], count: number): { lines: HunkLine[]; head: number } {
  const leading = lines.findIndex(({ op }) => op !== ' ')
  const trailing = [...lines].reverse().findIndex(({ op }) => op !== ' ')
  const head = Math.min(count, Math.max(0, leading))
  return { lines: lines.slice(head, lines.length - Math.min(count, Math.max(0, trailing))), head }
}

/**
 * Returns true if `lines`, from which context was removed, is shorter than `all` and still contains a line
 * that can identify a position.
 */
function containsAll(lines: readonly HunkLine[], all: readonly HunkLine[]): boolean {
  return lines.length < all.length && oldLines(lines).some(({ text }) => text.trim().length > 1)
}

/** Returns the lines that the file must contain: context and removed lines. */
export function oldLines(lines: readonly HunkLine[]): HunkLine[] {
  return lines.filter(({ op }) => op !== '+')
}

/** Splits a text into the lines with which `findSpot` works. */
export function toLines(text: string): PatchedLines {
  const lines = splitLines(text)
  return { text: lines, fixed: lines.map(() => false) }
}
