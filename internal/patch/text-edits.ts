// Replacement of texts within the text of a file. Either all edits are made, in order, or none.
import { type Failure, type FailureCode, FailureError } from '../base/errors.ts'
import { eolNear, lineAt, splitLines, withEol, withoutEol } from '../base/text/lines.ts'
import { type ClosestBlock, findClosest } from './closest-block.ts'
import { findAll, narrowMatch } from './exact-match.ts'
import { type EditLeniency, findTolerant } from './tolerant-match.ts'
import { describeUnseen, findUnseen, foldLikeness, showUnseen } from './unseen-characters.ts'

export interface TextEdit {
  /** Name of the edit in messages, such as `edits[0]` or `old_str`. */
  name: string
  old: string
  new: string
  /** Occurrence from 1; 0: `old` must be unique; `all`: every occurrence, without overlaps. */
  occurrence: number | 'all'
}

export interface AppliedEdit {
  name: string
  /** Number of the line of the first replacement, from 1, in the text after this edit. */
  line: number
  replacements: number
  match: 'exact' | EditLeniency | 'escapes'
}

/**
 * How much `old` may differ from the file's text: not at all, in white space and look-alike characters, or
 * also in escapes as in source code.
 */
type EditStrictness = 'exact' | 'tolerant' | 'unescape'

/**
 * Returns the edited text; like `text` it has no byte order mark. Each edit sees the result of the previous
 * ones. Inserted lines get the file's line ends. Throws FailureError `old_not_found`, `ambiguous`,
 * `occurrence_out_of_range`, `no_change` or `bad_args` without any change; the message begins with the name
 * of the failed edit, unless several edits together change nothing.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], strictness: EditStrictness = 'exact') {
  let now = text
  const applied: AppliedEdit[] = []
  for (const edit of edits) {
    const [next, report] = applyEdit(now, edit, strictness)
    now = next
    applied.push(report)
  }
  if (now === text) throw createFailure('no_change', edits, 'the edits together leave the file as it is')
  return { text: now, applied }
}

interface EditSpot {
  start: number
  end: number
  fresh: string
}

/** Converts the line ends of an edit to CR if the file's lines end with CR alone. */
function fitLineEnds(text: string, edit: TextEdit): TextEdit {
  if (!text.includes('\r') || text.includes('\n')) return edit
  const withCr = (part: string) => part.replace(/\r?\n/g, '\r')
  return { ...edit, old: withCr(edit.old), new: withCr(edit.new) }
}

function applyEdit(text: string, rawEdit: TextEdit, strictness: EditStrictness): [string, AppliedEdit] {
  const edit = fitLineEnds(text, rawEdit)
  if (edit.old === '') {
    throw createFailure(
      'bad_args',
      [edit],
      'the text to find is empty',
      'To write a whole file use create_file.',
    )
  }
  if (edit.old.replaceAll('\r\n', '\n') === edit.new.replaceAll('\r\n', '\n')) {
    throw createFailure('no_change', [edit], 'old and new text are the same')
  }
  const { match, spots } = locateSpots(text, edit, strictness)
  const replacements = chooseSpots(text, edit, spots).map((spot) =>
    fitSpot(text, edit, spot, match === 'exact'),
  )
  let result = ''
  let from = 0
  for (const spot of replacements) {
    result += text.slice(from, spot.start) + spot.fresh
    from = spot.end
  }
  const [first] = replacements as [EditSpot]
  const report = {
    name: edit.name,
    line: lineAt(text, first.start),
    replacements: replacements.length,
    match,
  }
  return [result + text.slice(from), report]
}

function locateSpots(
  text: string,
  edit: TextEdit,
  strictness: EditStrictness,
): { match: AppliedEdit['match']; spots: EditSpot[] } {
  const result = searchText(text, edit, strictness !== 'exact')
  if (result) return result
  const bare = strictness === 'unescape' ? decodeEscapes(edit.old) : edit.old
  if (bare !== edit.old && bare !== '') {
    // If `old` was escaped by mistake, `new` was escaped in the same way, so both are decoded.
    const decoded = { ...edit, old: bare, new: decodeEscapes(edit.new) }
    const spots = searchText(text, decoded, true)?.spots
    if (spots) return { match: 'escapes', spots }
  }
  throw notFound(text, edit)
}

function searchText(text: string, edit: TextEdit, tolerant: boolean) {
  const exact = findAll(text, edit.old)
  if (exact.length > 0) {
    return { match: 'exact' as const, spots: exact.map((match) => ({ ...match, fresh: edit.new })) }
  }
  const lenient = tolerant ? findTolerant(text, edit.old, edit.new) : undefined
  return lenient && { match: lenient.leniency, spots: lenient.matches }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

/** Decodes quotes, line ends, tabs and backslashes that were escaped as in source code. */
const decodeEscapes = (text: string) =>
  text.replace(/\\(["'nt\\])/g, (_, char: string) => escapes[char] ?? char)

function chooseSpots(text: string, edit: TextEdit, spots: readonly EditSpot[]): EditSpot[] {
  const { occurrence } = edit
  if (occurrence === 'all') {
    let end = -1
    const apart: EditSpot[] = []
    for (const spot of spots) {
      if (spot.start < end) continue
      apart.push(spot)
      end = spot.end
    }
    return apart
  }
  const lines = spots.map((spot) => lineAt(text, spot.start))
  if (occurrence === 0 && spots.length > 1) {
    const hint = 'Quote more of the surrounding text, or name one with occurrence.'
    throw createFailure(
      'ambiguous',
      [edit],
      `the text occurs ${spots.length} times, ${describeLines(lines)}`,
      hint,
      { lines },
    )
  }
  const spot = spots[Math.max(0, occurrence - 1)]
  if (!spot) {
    const occurrenceText = `the text occurs ${spots.length} times, ${describeLines(lines)}`
    const message = `occurrence ${occurrence} was asked for, ${occurrenceText}`
    throw createFailure('occurrence_out_of_range', [edit], message, undefined, { lines })
  }
  return [spot]
}

/**
 * Returns the replacement with the file's line ends. Of an exact match, the parts that `old` and `new` have
 * in common stay unchanged.
 */
function fitSpot(text: string, edit: TextEdit, spot: EditSpot, exact: boolean): EditSpot {
  const part = exact ? narrowMatch(text, spot, edit.old, edit.new) : spot
  const eol = endIn(text, spot) ?? eolNear(text, spot.start)
  return { ...part, fresh: eol ? withEol(part.fresh, eol) : part.fresh }
}

function endIn(text: string, spot: EditSpot): '\n' | '\r\n' | undefined {
  const at = text.slice(spot.start, spot.end).indexOf('\n')
  return at < 0 ? undefined : text[spot.start + at - 1] === '\r' ? '\r\n' : '\n'
}

function notFound(text: string, edit: TextEdit): FailureError {
  const oldLines = splitLines(edit.old).map(withoutEol)
  const near = findClosest(splitLines(text).map(withoutEol), oldLines) ?? findAlike(text, oldLines)
  const tolerated = findTolerant(text, edit.old, edit.new)
  const numbered = oldLines.length > 0 && oldLines.every((line) => /^\s*\d+\t/.test(line))
  const hint = numbered
    ? 'The text begins with line numbers as read prints them; leave them out.'
    : tolerated
      ? `It differs only in ${leniencyNames[tolerated.leniency]}. ` +
        "Set match to tolerant, or copy the file's text."
      : near
        ? 'Copy the text as the file has it, or read the file again.'
        : 'Nothing in the file is like it: is it the right file?'
  const message = near
    ? `the text is not in the file; ${describeClosest(near)}`
    : 'the text is not in the file'
  return createFailure('old_not_found', [edit], message, hint, near ? { closest: near } : {})
}

/**
 * Returns the block that is most similar if characters that look alike count as equal; undefined without a
 * similar block. `differs` is the first line whose exact characters differ.
 */
function findAlike(text: string, oldLines: readonly string[]): ClosestBlock | undefined {
  const lines = splitLines(text).map(withoutEol)
  const near = findClosest(lines.map(foldLikeness), oldLines.map(foldLikeness))
  if (!near) return undefined
  const at = near.line - 1
  const i = oldLines.findIndex((line, k) => lines[at + k] !== line)
  const differs = { line: near.line + i, wanted: oldLines[i] ?? '', found: lines[at + i] }
  return {
    line: near.line,
    block: lines.slice(at, at + near.block.length),
    differs: i < 0 ? undefined : differs,
  }
}

/** Names of the differences that a tolerant match ignores. */
const leniencyNames: Readonly<Record<EditLeniency | 'escapes', string>> = {
  escapes: 'escapes',
  line_ends: 'line ends',
  indentation: 'indentation',
  whitespace: 'spaces and tabs',
  quotes: 'quotes, dashes or spaces',
  unseen: 'characters that look alike',
}

/** Returns a line for each edit whose text did not match exactly. */
export function describeMatches(applied: readonly AppliedEdit[]): string[] {
  return applied.flatMap(({ name, match }) =>
    match === 'exact' ? [] : [`${name} matched only tolerantly (${leniencyNames[match]})`],
  )
}

/**
 * Returns the first difference and up to 12 lines of the closest block as text, for a model to compare
 * with its input.
 */
export function describeClosest({ line, block, differs }: ClosestBlock): string {
  const rows = block.slice(0, 12).map((text, i) => `${line + i}\t${shortenText(text)}`)
  if (block.length > rows.length) rows.push(`… ${block.length - rows.length} more lines`)
  const alike = differs?.found === undefined ? undefined : describeUnseen(differs.wanted, differs.found)
  const unseen = alike ?? findUnseen(block, line, differs?.wanted ?? '')
  const where = differs
    ? `first difference in line ${differs.line}:\n  wanted ${quoteText(differs.wanted)}\n  found  ${
        differs.found === undefined ? 'the end of the file' : quoteText(differs.found)
      }${unseen === undefined ? '' : `\n  ${unseen}`}`
    : 'the difference is at the ends'
  const lines = block.length === 1 ? `line ${line}` : `lines ${line} to ${line + block.length - 1}`
  return `closest: ${lines}, ${where}\n${rows.join('\n')}`
}

const shortenText = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
const quoteText = (text: string) => showUnseen(JSON.stringify(shortenText(text)))
const describeLines = (lines: readonly number[]) =>
  `in line${lines.length === 1 ? '' : 's'} ${lines.slice(0, 20).join(', ')}${lines.length > 20 ? ', …' : ''}`

function createFailure(
  code: FailureCode,
  edits: readonly TextEdit[],
  message: string,
  hint?: string,
  detail: Record<string, unknown> = {},
): FailureError {
  const name = edits.length === 1 ? (edits[0] as TextEdit).name : undefined
  const failure: Failure = { code, message: name === undefined ? message : `${name}: ${message}` }
  if (hint !== undefined) failure.hint = hint
  failure.detail = { edit: name, ...detail }
  return new FailureError(failure)
}
