// Application of the hunks for one file to its text.
import { type Failure, FailureError } from '../base/errors.ts'
import { eolKind, eolOf, withoutEol } from '../base/text/lines.ts'
import { compareAt, findClosest } from './closest-block.ts'
import {
  findSpot,
  type HunkLeniency,
  type HunkSpot,
  oldLines,
  type PatchedLines,
  type SpotResult,
  toLines,
} from './hunk-placement.ts'
import type { Hunk, HunkLine } from './patch.ts'
import { describeClosest } from './text-edits.ts'

/** The position at which a hunk was applied, and how exactly its context matched there. */
export interface HunkLanding {
  hunk: number
  /** First line of the hunk in the text after this hunk was applied, from 1. */
  line: number
  /**
   * Difference in lines between the number in the hunk's header, shifted by the changes of earlier hunks, and
   * the actual position; 0 if the header has no number.
   */
  offset: number
  /**
   * Largest number of context lines that were ignored at each end of the hunk, because they did not match.
   */
  fuzz: number
  match: HunkLeniency
}

/**
 * Returns the patched text; a byte order mark is part of the text. Throws FailureError `hunk_mismatch`, with
 * the first line that differs if a similar block exists, or `ambiguous`. Text outside the hunks stays
 * unchanged; added lines get the file's line ends unless the patch matched byte for byte. With `inOrder`, no
 * hunk may apply before the previous one.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], shownPath: string, inOrder = false) {
  const file = toLines(text)
  const landings: HunkLanding[] = []
  let grown = 0
  let drift = 0
  let cursor = 0
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    const expected = hunk.start === undefined ? undefined : Math.max(0, hunk.start - 1) + grown
    const spotResult = findSpot(file, hunk, expected === undefined ? undefined : expected + drift, cursor)
    if (!('spot' in spotResult))
      throw createHunkFailure(spotResult, file, hunk, hunks.length, shownPath, (expected ?? cursor) + drift)
    const { spot } = spotResult
    if (inOrder && spot.at < cursor) throw outOfOrder(hunk, hunks.length, shownPath, spot.at)
    const count = oldLines(spot.lines).length
    const block = buildNewLines(file, spot, count)
    file.text = replaceItems(file.text, spot.at, count, block)
    file.fixed = replaceItems(
      file.fixed,
      spot.at,
      count,
      block.map(() => true),
    )
    if (!(count > 0 && spot.leniency === 'exact')) closeLines(file)
    const head = hunk.lines.indexOf(spot.lines[0] as HunkLine)
    const offset = expected === undefined ? 0 : spot.at - head - expected
    landings.push({
      hunk: hunk.number,
      line: spot.at - head + 1,
      offset,
      fuzz: spot.fuzz,
      match: spot.leniency,
    })
    drift = offset
    grown += block.length - count
    cursor = spot.at + block.length
    added += hunk.lines.filter(({ op }) => op === '+').length
    removed += hunk.lines.filter(({ op }) => op === '-').length
  }
  return { text: file.text.join(''), landings, added, removed }
}

/**
 * Replaces `count` items at `at` by `block`. `splice` is not used, because it takes items as arguments, of
 * which a hundred thousand are too many.
 */
function replaceItems<T>(list: readonly T[], at: number, count: number, block: readonly T[]): T[] {
  return [...list.slice(0, at), ...block, ...list.slice(at + count)]
}

/**
 * Returns the lines that replace the old ones: context from the file, and new lines, which get the file's
 * line ends unless the hunk matched exactly.
 */
function buildNewLines(file: PatchedLines, spot: HunkSpot, count: number): string[] {
  const region = file.text.slice(spot.at, spot.at + count)
  const literal = spot.leniency === 'exact' && count > 0
  const eol = literal ? undefined : eolFor(file, spot.at, region)
  let next = 0
  const block: string[] = []
  for (const { op, text } of spot.lines) {
    if (op === '+')
      block.push(eol === undefined || (count === 0 && eolOf(text) === '') ? text : withoutEol(text) + eol)
    else {
      if (op === ' ') block.push(region[next] as string)
      next++
    }
  }
  if (
    !literal &&
    spot.at === 0 &&
    region[0]?.startsWith('\uFEFF') &&
    block[0]?.startsWith('\uFEFF') === false
  ) {
    block[0] = `\uFEFF${block[0]}`
  }
  // If the last line of the file has no line end, the new last line gets none either.
  const last = block.length - 1
  if (!literal && spot.at + count === file.text.length && last >= 0) {
    const end = file.text.at(-1)
    if (end !== undefined && eolOf(end) === '') block[last] = withoutEol(block[last] as string)
  }
  return block
}

function eolFor(file: PatchedLines, at: number, region: readonly string[]): string | undefined {
  const kind = eolKind(file.text.join(''))
  if (kind === 'lf') return '\n'
  if (kind === 'crlf') return '\r\n'
  const near = [...region, file.text[at - 1] ?? '', file.text[at] ?? ''].map(eolOf).find((eol) => eol !== '')
  return region.length > 0 ? near : undefined
}

/** Adds a line end to a former last line without one. */
function closeLines(file: PatchedLines): void {
  const at = file.text.findIndex((line, i) => i < file.text.length - 1 && eolOf(line) === '')
  if (at >= 0) file.text[at] += eolOf(file.text[at - 1] ?? '') || '\n'
}

function outOfOrder(hunk: Hunk, count: number, shownPath: string, at: number): FailureError {
  const place = `line ${at + 1}, before the one above it`
  const message = `hunk ${hunk.number} of ${count} for ${shownPath} belongs to ${place}`
  const hint = 'Give the hunks in the order of the file.'
  return new FailureError({
    code: 'hunk_mismatch',
    message,
    hint,
    detail: { file: shownPath, hunk: hunk.number },
  })
}

function createHunkFailure(
  spotResult: Exclude<SpotResult, { spot: HunkSpot }>,
  file: PatchedLines,
  hunk: Hunk,
  count: number,
  shownPath: string,
  expected: number,
): FailureError {
  const name = `hunk ${hunk.number}${count > 1 ? ` of ${count}` : ''} for ${shownPath}`
  const detail: Record<string, unknown> = { file: shownPath, hunk: hunk.number, header: hunk.header }
  const refuse = (code: Failure['code'], message: string, hint: string) =>
    new FailureError({ code, message: `${name} (${hunk.header}) ${message}`, hint, detail })
  if ('ambiguous' in spotResult) {
    const lines = spotResult.ambiguous.map((at) => at + 1)
    detail.lines = lines
    const places = `${lines.slice(0, 20).join(', ')}${lines.length > 20 ? ', …' : ''}`
    const hint = 'Give more lines of context, or line numbers in the header.'
    return refuse('ambiguous', `fits in ${lines.length} places: line ${places}`, hint)
  }
  if (spotResult.missing === 'anchor') {
    const hint = 'Behind @@ goes a line exactly as the file has it.'
    return refuse(
      'hunk_mismatch',
      `looks for a line that is not in the file: ${hunk.anchors.join(' / ')}`,
      hint,
    )
  }
  const oldTexts = oldLines(hunk.lines).map(({ text }) => withoutEol(text))
  if (oldTexts.length === 0) {
    return refuse('ambiguous', 'adds lines and does not say where', 'Give context, or line numbers.')
  }
  const text = file.text.map(withoutEol)
  const numbered = hunk.start !== undefined && expected < text.length
  const near =
    findClosest(text, oldTexts, expected + 1) ??
    (numbered ? compareAt(text, oldTexts, expected + 1) : undefined)
  if (near) detail.closest = near
  const hint = isThere(file, hunk)
    ? 'The lines it adds are there already: the patch may have been applied before.'
    : 'Read the file again and make the patch from what it holds now.'
  return refuse(
    'hunk_mismatch',
    near ? `does not fit: ${describeClosest(near)}` : 'has nothing like it in the file',
    hint,
  )
}

/**
 * Returns true if the file already contains the lines that the hunk would produce, so that the patch was
 * probably applied before; false for a hunk that adds no lines or only blank ones.
 */
function isThere(file: PatchedLines, hunk: Hunk): boolean {
  const after = hunk.lines.filter(({ op }) => op !== '-').map(({ text }) => withoutEol(text))
  if (!hunk.lines.some(({ op, text }) => op === '+' && text.trim() !== '')) return false
  const text = file.text.map(withoutEol)
  return text.some((_, i) => after.every((line, k) => text[i + k] === line))
}

/** Returns the content of a file that a patch creates. */
export function contentOf(hunks: readonly Hunk[]): string {
  return hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)).join('')
}
