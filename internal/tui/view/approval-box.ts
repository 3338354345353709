// The docked box about a pending call, with the effects of the call, the reasons, the rules to store,
// and the keys.

import { homeDir } from '../../base/dirs.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { Pen, RenderLook } from '../../render/pen.ts'
import { readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import type { FilePreview } from '../../tool/ask.ts'
import { approvalColumns, type ShownRequest } from '../approval/approval-lines.ts'
import { textLook } from '../approval/argument-lines.ts'
import {
  type ApprovalDialog,
  openAnswers,
  openApprovalDialog,
  openToggles,
} from '../dialog/approval-dialog.ts'
import { shortDirectory } from '../run-view/run-frame.ts'
import { type LazyList, listLazily } from '../terminal/lazy-list.ts'
import { isPaged, isRead, positionText } from '../terminal/pager.ts'
import { eachRow, type ScreenRow, type SourceLine } from '../terminal/rows.ts'
import { boxCells, countTitleRows, drawTitledBox } from './box.ts'
import { narrowLook, penOfLook } from './look-pen.ts'

const edgeRows = 2
/** Number of terminal rows that stay free above the box. */
const spareRows = 2
/** Number of rows that the editor takes together with a hint and the status. */
const editorRows = 6
const fewestRows = 3
/**
 * Smallest width in cells of a box that shows all texts in full. In a narrower box, some texts are shorter.
 */
const narrowCells = 60

/**
 * Lays out all lines of an approval in rows of the box, each row only when needed. No text is cut. `height`
 * is the number of these rows that the box shows at once.
 */
export function layOutApproval(
  permission: PendingPermission,
  look: RenderLook,
  screenRows: number,
): { rows: LazyList<ScreenRow>; height: number } {
  const pen = penOfLook(narrowLook(look, boxCells))
  const rows = listLazily(eachRow(sourceLines(permission, look), pen.look.width, pen))
  const keyRows = countKeyRows(permission, pen.look)
  const titleRows = countTitleRows({ title: titleOf(permission) }, look)
  const fullHeight = screenRows - spareRows - keyRows - edgeRows - titleRows
  // An approval of several pages is lower, so that the editor and its hints stay visible. If it would have
  // fewer rows than the least, its title is cut instead.
  const room = rows.length <= fullHeight ? fullHeight : fullHeight - editorRows
  return { rows, height: Math.max(1, Math.min(rows.length, Math.max(fewestRows, room))) }
}

/**
 * Returns the number of rows that the keys need once the user has read all lines, so that the box keeps its
 * height while the user reads on.
 */
const countKeyRows = (permission: PendingPermission, look: RenderLook): number =>
  keyLines(openApprovalDialog(permission, { rows: [], height: 1 }), look).length

/** Yields the lines of an approval for a page, with a title first. */
export function* eachApprovalLine(permission: PendingPermission, look: RenderLook): Generator<string> {
  const title = [{ text: titleOf(permission), style: { bold: true } }, { text: '' }]
  for (const lines of [title, sourceLines(permission, look)])
    for (const { text } of eachRow(lines, look.width, penOfLook(look))) yield text
}

const titleOf = ({ tool, cwd }: PendingPermission) =>
  escapeInvisible(`${tool}${cwd === undefined ? '' : ` in ${shortDirectory(cwd, homeDir())}`}`)

function sourceLines(permission: PendingPermission, look: RenderLook): Iterable<SourceLine> {
  const request = readShownRequest(permission)
  const preview = permission.preview as FilePreview | undefined
  return approvalColumns(
    request,
    preview,
    textLook(look.unicode, look.color),
    look.width < narrowCells ? 'keep' : 's a keep',
  )
}

/** Returns the approval request in the form that the views show. */
export function readShownRequest(permission: PendingPermission): ShownRequest {
  const { tool, origin, child, args, defaults, cwd, reasons, parts } = permission
  const offers = readOffers(permission)
  const call = { tool, origin: origin ?? 'native', child, args: args ?? {}, defaults, cwd: cwd ?? '' }
  return { ...call, reasons, parts, always: offers.length > 0 ? offers : undefined }
}

/**
 * Returns the rows of the box for one pending call. `waiting` is the number of all pending calls, including
 * the one in the box.
 */
export function drawApprovalBox(state: ApprovalDialog, waiting: number, look: RenderLook): string[] {
  const { asked: permission, pager } = state
  const more = waiting > 1 ? [`1 of ${waiting}`] : []
  const note = [...(isPaged(pager) ? [positionText(pager)] : []), ...more].join(', ')
  const isLow = isPaged(pager) && pager.height <= fewestRows
  const rows = pager.rows.slice(pager.top, pager.top + pager.height).map(({ text }) => text)
  return drawTitledBox(
    [...rows, ...keyLines(state, narrowLook(look, boxCells))],
    { title: titleOf(permission), note, titleRows: isLow ? 1 : undefined },
    look,
  )
}

function keyLines(state: ApprovalDialog, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const dim = pen.paint({ dim: true })
  if (state.words !== undefined) {
    // Of the text that the user types, the end stays visible.
    const field = pen.clip(`> ${state.words}_`, look.width, 'end')
    const keys = joinWords(['Enter sends', 'Esc back'], pen).map(dim)
    return [...pen.wrap('Deny with a message to the model:', look.width), field, ...keys]
  }
  const isDone = isRead(state.pager)
  const more = look.width < narrowCells - boxCells ? '' : ' (read all to allow)'
  const page = isDone ? [] : [`Space: next page${more}`]
  const answers = [...openAnswers(state), ...openToggles(state)].map(({ key, label }) => `${key} ${label}`)
  const keys = [...page, ...answers, 'v whole page', 'Esc: decide later']
  return joinWords(keys, pen)
}

/**
 * Joins labels in as few lines as possible, separated by three spaces. A label longer than a line wraps
 * between its words.
 */
export function joinWords(labels: readonly string[], { look: { width }, cells, wrap }: Pen): string[] {
  const lines: string[] = []
  for (const label of labels) {
    const last = lines.at(-1)
    if (last !== undefined && cells(last) + 3 + cells(label) <= width)
      lines[lines.length - 1] = `${last}   ${label}`
    else lines.push(...wrap(label, width))
  }
  return lines
}
