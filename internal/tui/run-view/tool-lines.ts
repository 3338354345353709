// The lines of a finished call: the name and outcome of the call, then its folded diff, output or list.

import { countNoun } from '../../base/text/count-noun.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { Pen } from '../../render/pen.ts'
import { render } from '../../render/render.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { FileDiff } from '../../tool/ask.ts'
import { textLook } from '../approval/argument-lines.ts'
import { formatDuration } from '../duration.ts'
import { breakLines } from '../terminal/rows.ts'
import { diffLines } from './diff-lines.ts'
import { drawSideBySide, sideBySideCells } from './side-by-side.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import { type TodoItem, type ToolDetail, viewOutcome } from './tool-view.ts'

/** Largest numbers of rows of a diff, of a command's output, of a drawn component, and of a list. */
export interface DetailRows {
  diff: number
  output: number
  spec: number
  todos: number
  /** True if diffs have line numbers. */
  numbered?: boolean
}

const usualRows: DetailRows = { diff: 20, output: 8, spec: 40, todos: 12 }
/**
 * Largest width of a call's line in cells. In wider lines, the figures would be too far from their subject.
 */
const widestLine = 100
/** Length of the longest name of a tool that changes files. */
const nameColumn = 11
/** Length of the longest ASCII mark of a call. */
const markColumn = 7
const indent = '  '

/**
 * Returns the lines about the outcome of a call, at most as wide as the pen. All text is sanitized. `tool` is
 * the shown name of the tool.
 */
export function drawOutcome(outcome: ToolOutcome, pen: Pen, rows = usualRows, tool = outcome.tool): string[] {
  const { subject, facts, reason, detail } = viewOutcome(outcome)
  const time = outcome.ms === undefined ? [] : [formatDuration(outcome.ms)]
  const head = drawHead({ ok: outcome.ok, tool, subject, facts: [...facts, ...time] }, pen)
  const why = reason === undefined ? [] : pen.wrap(sanitizeText(reason), pen.look.width - 2).slice(0, 3)
  const below = [...why.map(pen.paint({ color: 'red' })), ...drawDetail(detail, indentPen(pen), rows)]
  return [head, ...below.map((line) => indent + line)]
}

/** Returns the pen for indented lines, which are narrower. */
const indentPen = (pen: Pen): Pen => ({
  ...pen,
  look: { ...pen.look, width: pen.look.width - indent.length },
})

interface CallHead {
  tool: string
  /** True if the call succeeded, false if it failed; undefined while it waits or runs. */
  ok: boolean | undefined
  subject: string
  facts: readonly string[]
}

/** Returns the text in one line, with a visible mark for each newline. */
const oneLine = (text: string, unicode: boolean): string =>
  sanitizeText(text, { keepLines: true })
    .trim()
    .replace(/\s*\n\s*/g, unicode ? ' ⏎ ' : ' \\n ')

export function drawHead({ tool, ok, subject, facts }: CallHead, pen: Pen): string {
  const { glyphs, paint } = pen
  const isWide = pen.look.width >= 60
  const width = Math.min(pen.look.width, widestLine)
  const running = pen.look.unicode ? '●' : '[>]'
  const mark = ok === undefined ? running : glyphs.status[ok ? 'success' : 'error']
  // ASCII marks of calls differ in length, so they are padded to the same width.
  const lead = `${isWide && !pen.look.unicode ? mark.padEnd(markColumn) : mark} `
  const name = pen.clip(sanitizeText(tool), Math.max(4, Math.floor(width / 3)))
  const column = isWide ? name.padEnd(nameColumn) : name
  const named = pen.cells(lead) + pen.cells(column)
  const end = pen.clip(sanitizeText(facts.join('  ')), Math.min(Math.floor(width / 2), width - named - 2))
  const usedCells = named + (end === '' ? 0 : pen.cells(end) + 2)
  const room = width - usedCells - 1
  const text = room < 4 ? '' : pen.clip(oneLine(subject, pen.look.unicode), room)
  const gap = end !== '' ? ' '.repeat(Math.max(0, room - pen.cells(text))) : ''
  const color: TextStyle = { color: ok === undefined ? 'cyan' : ok ? 'green' : 'red' }
  const leftText = `${paint(color)(lead)}${column}${text === '' ? (gap === '' ? '' : ' ') : ` ${text}`}`
  return end === '' ? leftText.trimEnd() : `${leftText}${gap}  ${paint({ dim: true })(end)}`
}

function drawDetail(detail: ToolDetail, pen: Pen, rows: DetailRows): string[] {
  switch (detail.kind) {
    case 'diff':
      return drawDiffs(detail.files, detail.isCut, pen, rows)
    case 'output':
      return drawOutput(detail.lines, pen, rows.output)
    case 'todos':
      return foldEnd(drawTodos(detail.todos, pen), rows.todos, pen)
    case 'spec': {
      const { ok, lines } = render(detail.spec, { ...pen.look, plain: false })
      return ok ? foldEnd(lines, rows.spec, pen) : []
    }
    default:
      return []
  }
}

/**
 * Returns the rows of a call's diffs. The name of a single file is omitted, because the call's first
 * line contains it.
 */
function drawDiffs(
  files: readonly FileDiff[],
  isCut: boolean,
  pen: Pen,
  { diff, numbered }: DetailRows,
): string[] {
  const look = textLook(pen.look.unicode, pen.look.color)
  const { width, all } = pen.look
  if (all && width >= sideBySideCells) {
    const rows = files.flatMap((file) =>
      drawSideBySide(file, look, width, pen).slice(files.length === 1 ? 1 : 0),
    )
    return foldEnd(rows, diff, pen, isCut)
  }
  const lines = files.flatMap((file) => diffLines(file, look, numbered).slice(files.length === 1 ? 1 : 0))
  const rows = breakLines(lines, pen.look.width, pen).map((row) => row.text)
  return foldEnd(rows, diff, pen, isCut)
}

function drawOutput(lines: readonly string[], pen: Pen, max: number): string[] {
  const lastLines = lines.length > max ? lines.slice(-max) : lines
  const hidden = lines.length - lastLines.length
  const dim = pen.paint({ dim: true })
  const more = hidden > 0 ? [`${pen.glyphs.ellipsis} ${countNoun(hidden, 'more line')} above`] : []
  return [...more, ...lastLines].map((line) => dim(pen.clip(sanitizeText(line), pen.look.width)))
}

export function drawTodos(todos: readonly TodoItem[], pen: Pen): string[] {
  const [done, now, open] = pen.look.unicode ? ['✔', '●', '○'] : ['[x]', '[>]', '[ ]']
  return todos.map(({ content, status }) => {
    const [mark, style] =
      status === 'completed'
        ? [done, { dim: true }]
        : status === 'in_progress'
          ? [now, { bold: true }]
          : [open, {}]
    return pen.paint(style)(pen.clip(`${mark} ${escapeInvisible(sanitizeText(content))}`, pen.look.width))
  })
}

/**
 * Returns the first `maxCount` rows, and a row with the number of omitted rows. One omitted row would need as
 * much room, so up to `maxCount + 1` rows are returned unchanged. With `isCut` the number is unknown.
 */
function foldEnd(rows: readonly string[], maxCount: number, pen: Pen, isCut = false): string[] {
  if (rows.length <= maxCount + 1 && !isCut) return [...rows]
  const hiddenCount = rows.length - maxCount
  const more = isCut ? 'more lines' : countNoun(hiddenCount, 'more line')
  const last = pen.clip(`${pen.glyphs.ellipsis} ${more}`, pen.look.width)
  return [...rows.slice(0, maxCount), pen.paint({ dim: true })(last)]
}
