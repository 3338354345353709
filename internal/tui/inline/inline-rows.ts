// The live rows of an inline screen (the rows that are drawn again), from the end of the conversation to
// the status line.

import type { RenderLook } from '../../render/pen.ts'
import { countCells, cutText } from '../../render/text/cell-width.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { describeRunningCheck } from '../../session/view/check-run.ts'
import { type SessionView, waitsForUser } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { drawDim, drawUserMessage } from '../run-view/message.ts'
import { minFreeRows } from '../terminal/bottom-anchor.ts'
import { countNarrowRows, narrowColumns, takeNarrowRows } from '../terminal/live-reflow.ts'
import type { ScreenFrame } from '../terminal/screen-writer.ts'
import { drawApprovalBox } from '../view/approval-box.ts'
import { stripStyles } from '../view/box.ts'
import { drawChoice, drawEntry } from '../view/choice-box.ts'
import { drawEditorRule } from '../view/editor-frame.ts'
import { penOfLook } from '../view/look-pen.ts'
import { drawPicker } from '../view/picker-list.ts'
import { drawQuestionForm } from '../view/question-form.ts'
import { drawStatusLine, drawTitleLine } from '../view/status-line.ts'
import { drawAgents, drawQueue, drawTodoRow } from '../view/work-rows.ts'
import { steeringHint } from './busy-session.ts'
import { findLooseChildren } from './child-views.ts'
import { drawLowMenu, drawMenu } from './completion-menu.ts'
import { type InlineState, maxHintRows } from './inline-state.ts'
import { slowMs } from './send-command.ts'

/** Smallest number of terminal rows at which the title is shown. */
const rowsForTitle = 12
const margin = 1
/** Number of rows for the status line and the title together. */
const statusRows = 2

/** Placeholder in the empty editor of a new conversation. */
const invitation = 'Ask, or say what to do.  / commands  @ files  ! shell command'

/**
 * Returns a frame of the live rows. `conversation` contains the rows of the conversation that
 * may still change.
 */
export function drawInlineRows(
  state: InlineState,
  conversation: readonly string[],
  now: number,
): ScreenFrame {
  const {
    display: { look, size },
    conversation: { view },
  } = state
  const layOut = (dock: ReturnType<typeof drawDock>) => {
    // The dock needs a separating row above it, unless its first row is already empty.
    const gapRows = dock.rows[0] === '' ? 1 : 2
    const isTitled = size.rows >= rowsForTitle && dock.rows.length <= size.rows - 3
    const lower = drawStatusRows(state, now, look, isTitled)
    const busy = conversation.length === 0 ? drawBusy(view, now, state) : []
    const room = Math.max(1, size.rows - gapRows - dock.rows.length - lower.length)
    const last = [...conversation, ...busy].slice(-room)
    return { dock, lower, open: fitNarrow(last, [...dock.rows, ...lower], state) }
  }
  const first = layOut(drawDock(state, now, { hasCallRows: true }))
  // If the conversation's rows about subagents do not fit, the dock shows the subagents itself.
  const isWhole = first.open.length >= conversation.length
  const { dock, lower, open } = isWhole ? first : layOut(drawDock(state, now))
  const head = [...open, ...(open.length > 0 && dock.rows[0] !== '' ? [''] : [])]
  const rows = [...head, ...dock.rows, ...lower].map(cutRow(look.width))
  return { rows, caret: dock.caret && { ...dock.caret, row: head.length + dock.caret.row } }
}

/**
 * Number of terminal rows that a frame leaves free: the row above the dock (editor and status), the first
 * row, and empty rows below the frame, which tmux keeps when it wraps rows.
 */
const spareRows = 1 + minFreeRows

/** Smallest number of rows that a menu leaves to the conversation while a run is active. */
const openRows = 3

/** Returns true if a run is active without a call or dialog, so that its rows are limited. */
export const isStreaming = (view: SessionView, dialog: InlineState['overlays']['dialog']): boolean =>
  view.run !== undefined && view.calls.length === 0 && dialog === undefined

/**
 * Returns the last rows that still fit above `others` if the terminal becomes narrower during a run, at least
 * one. Otherwise the terminal would move rows into its scrollback, where they would appear twice. Returns all
 * rows without a run, and also above a dialog and while a call runs, because cut rows would stay hidden until
 * the dialog or the call ends.
 */
function fitNarrow(
  rows: readonly string[],
  others: readonly string[],
  { display: { size }, conversation: { view }, overlays: { dialog } }: InlineState,
): readonly string[] {
  if (!isStreaming(view, dialog) || size.columns <= narrowColumns(size.columns)) return rows
  const room = size.rows - countNarrowRows(others, size.columns) - spareRows
  return takeNarrowRows(rows, room, size.columns)
}

/**
 * Returns the rows below the conversation. `isPaned`: a pane shows the background work. `hasCallRows`: the
 * open calls of subagents are visible. `remark`: a text in the horizontal line above the editor.
 */
export function drawDock(
  state: InlineState,
  now: number,
  { isPaned = false, hasCallRows = false, remark = '' } = {},
): { rows: string[]; caret: ScreenFrame['caret'] } {
  const {
    display: { look, size },
    conversation: { view },
    composer: { editor },
  } = state
  const text = editor.draw(look.width - margin)
  const topRemark = text.hiddenBefore > 0 ? `${text.hiddenBefore} more above` : remark || waitsRemark(state)
  const work = isPaned ? [] : drawWorkRows(state, hasCallRows, now)
  const queue = drawQueue(view, look)
  const isNew = editor.isEmpty() && view.blocks.length === 0 && !view.run && !state.conversation.sending
  const body = isNew
    ? drawDim(penOfLook(look).clip(invitation, look.width - margin), look)
    : text.rows.map((row) => (row === '' ? '' : ' '.repeat(margin) + row))
  const hint = drawHint(state, now)
  const upper = setApart([...work, ...queue])
  // The two horizontal lines around the editor and the status rows need space as well.
  const free = size.rows - upper.length - body.length - hint.length - 2 - statusRows
  const frame = [
    drawEditorRule(look, topRemark),
    ...body,
    drawEditorRule(look, text.hiddenAfter > 0 ? `${text.hiddenAfter} more below` : ''),
    ...drawFittingMenu(state, free - Math.ceil(size.rows / 4), [...upper, ...body, ...hint]),
    ...hint,
  ]
  if (state.overlays.dialog) return { rows: fitDock(state, { work, queue, frame }), caret: undefined }
  const caret = {
    row: upper.length + 1 + text.caret.row,
    column: Math.min(margin + text.caret.column, look.width),
  }
  return { rows: [...upper, ...frame], caret }
}

/**
 * Returns the menu on `room` rows, or on more if its smallest number of items needs them. While a run is
 * active, the menu and `others` also fit a narrower terminal.
 */
function drawFittingMenu(
  { composer: { menu }, display: { look, size }, conversation: { view } }: InlineState,
  room: number,
  others: readonly string[],
): string[] {
  if (!menu) return []
  if (!view.run) return drawMenu(menu, look, room)
  const wide = Array<string>(2 + statusRows).fill('x'.repeat(look.width))
  const usedRows = countNarrowRows([...others, ...wide], size.columns)
  return drawLowMenu(menu, look, room, size.rows - usedRows - spareRows - openRows)
}

/** Adds an empty line before a list of rows that is not empty, to separate it from the conversation. */
const setApart = (rows: readonly string[]) => (rows.length > 0 ? ['', ...rows] : [])

/**
 * Returns the dock with a dialog. If a low terminal has too few rows, drops the rows for work, queue and
 * frame, in this order. The dialog is cut only if it alone exceeds the terminal.
 */
function fitDock(state: InlineState, parts: Record<'work' | 'queue' | 'frame', string[]>): string[] {
  const { work, queue, frame } = parts
  const room = Math.max(1, state.display.size.rows - 2)
  const dialog = drawDialog(state).slice(0, room)
  const fits = (...rows: string[][]) => dialog.length + rows.flat().length <= room
  if (fits(setApart(work), queue, frame)) return [...setApart(work), ...dialog, ...queue, ...frame]
  if (fits(queue, frame)) return [...dialog, ...queue, ...frame]
  return fits(frame) ? [...dialog, ...frame] : dialog
}

/** Returns the rows about background work for a screen without a pane. */
const drawWorkRows = (
  { conversation: { view, children }, display: { look }, overlays: { boards } }: InlineState,
  hasCallRows: boolean,
  now: number,
): string[] => [
  ...drawTodoRow(view, look),
  ...drawAgents(hasCallRows ? { children: findLooseChildren(view) } : view, now, look, children),
  ...(boards?.drawRows(now, look) ?? []),
]

export function drawStatusRows(
  state: InlineState,
  now: number,
  look: RenderLook,
  isTitled: boolean,
): string[] {
  const keys = keyHint(state)
  const line = drawStatusLine(state.conversation.view, keys, look)
  if (!isTitled) return [line]
  return [line, drawTitleLine(state.conversation.view, now, look, line.includes(keys) ? undefined : keys)]
}

function drawDialog({
  overlays: { dialog },
  conversation: { view },
  display: { look, size },
}: InlineState): string[] {
  const rows = Math.max(6, Math.floor(size.rows * 0.6))
  switch (dialog?.kind) {
    case 'approval':
      return drawApprovalBox(dialog.state, view.waits.length, look)
    case 'question':
      return drawQuestionForm(dialog.state, rows, look)
    case 'picker':
      return drawPicker(dialog.state, rows, look)
    case 'choice':
      return drawChoice(dialog.state, look)
    case 'entry':
      return drawEntry(dialog.state, look)
    default:
      return []
  }
}

/**
 * Returns a function that cuts a row that is wider than `width`, and then also removes its styles. Views
 * should not draw such rows, but one of them would break the screen.
 */
export const cutRow = (width: number) => (row: string) => {
  const bare = stripStyles(row)
  return countCells(bare) <= width ? row : cutText(bare, width)
}

/** Returns the current hint on at most `maxHintRows` rows; no rows without one or after its time. */
function drawHint({ hints: { hint }, display: { look } }: InlineState, now: number): string[] {
  if (!hint || hint.until <= now) return []
  const pen = penOfLook(look)
  const rows = pen.wrap(sanitizeText(hint.text), look.width - margin).slice(0, maxHintRows)
  return rows.map((row) => ' '.repeat(margin) + pen.paint({ color: 'yellow' })(row))
}

/**
 * Returns a remark about a pending approval, question or offer of trust for the horizontal line above the
 * editor; empty without one and while a dialog is open.
 */
function waitsRemark({ conversation: { view }, overlays: { dialog, trustOffer } }: InlineState): string {
  if (dialog) return ''
  if (waitsForUser(view)) return 'Tab to answer'
  return trustOffer ? 'Tab to review trust' : ''
}

/** Returns a short text with the most useful keys of the current state. */
function keyHint({
  conversation: { view, sending },
  composer: { editor, menu },
  overlays: { dialog },
  screen: { leaving, verb },
}: InlineState): string {
  if (dialog?.kind === 'question') return 'Esc later'
  if (dialog?.kind === 'approval') return dialog.state.words === undefined ? 'Esc later' : 'Esc back'
  if (dialog) return 'Esc closes'
  if (menu?.items[0]?.kind === 'command') return 'Enter runs  Tab completes'
  if (menu) return 'Tab completes  Esc closes'
  if (view.run && leaving && editor.isEmpty()) return 'Esc stays'
  if (view.run || sending) return editor.isEmpty() ? 'Esc stops' : steeringHint(view)
  if (!editor.isEmpty()) return 'Enter sends'
  return verb || view.calls.length > 0 ? 'Esc stops' : '? help'
}

/**
 * Returns rows about the first of these that is active: a running check, a message that waits for servers to
 * start, another command, a run. Without such work, returns an empty list.
 */
export function drawBusy(
  view: SessionView,
  now: number,
  { display: { look }, screen: { verb }, conversation: { sending } }: InlineState,
): string[] {
  if (view.checking) {
    const text = sanitizeText(describeRunningCheck(view.checking))
    const row = ` ${text}  ${formatDuration(now - view.checking.since)}`
    return [penOfLook(look).paint({ dim: true })(row)]
  }
  if (sending && !view.run && now - sending.since >= slowMs) return drawSending(sending, view, now, look)
  if (verb) {
    const row = ` ${verb.name}  ${formatDuration(now - verb.since)}  Esc stops`
    return [penOfLook(look).paint({ dim: true })(row)]
  }
  if (!view.run) return []
  const what = view.model.kind === 'rules' ? 'searches' : 'works'
  const text = ` ${what}  ${formatDuration(now - view.run.since)}`
  return [penOfLook(look).paint({ dim: true })(text)]
}

/** Returns rows with the sent message while its run waits for the model's server or for tool servers. */
function drawSending(
  { text, since }: NonNullable<InlineState['conversation']['sending']>,
  { model, starting }: SessionView,
  now: number,
  look: RenderLook,
): string[] {
  const words = drawUserMessage({ kind: 'user', id: '', text, images: 0 }, look)
  const servers =
    starting.length > 0 ? `${sanitizeText(starting.join(', '))} to start` : 'the model and its servers'
  const what = model.isOpening ? `${model.id} to report its context size` : servers
  return [...words, '', ...drawDim(`waiting for ${what}  ${formatDuration(now - since)}`, look)]
}
