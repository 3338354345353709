// One frame (complete picture) of the full screen: the conversation, the dock with editor and status below
// it, and the pane at the right.

import { type ConversationBlock, waitsForUser } from '../../session/view/session-view.ts'
import { withChildWork } from '../inline/child-views.ts'
import { describeEarlier } from '../inline/earlier-blocks.ts'
import { cutRow, drawBusy, drawDock, drawStatusRows } from '../inline/inline-rows.ts'
import { type InlineState, paneRoom } from '../inline/inline-state.ts'
import type { ScreenContent } from '../terminal/live-painter.ts'
import { narrowLook } from '../view/look-pen.ts'
import { type ConversationLines, openConversationLines } from './conversation-lines.ts'
import { describeNewLines, fitFullView } from './full-view.ts'
import { drawPane } from './pane.ts'
import { markSelection } from './selection.ts'

const none: readonly ConversationBlock[] = []

export function createFullContent(state: InlineState): (now: number) => ScreenContent {
  const lines = openConversationLines()
  return (now) => drawFullContent(state, lines, now)
}

function drawFullContent(state: InlineState, conversation: ConversationLines, now: number): ScreenContent {
  const {
    display: { size, look, wide, full },
    conversation: { view },
  } = state
  takeNotes(state)
  const room = paneRoom(full, size.columns)
  const older = state.conversation.earlier?.blocks ?? none
  const before = describeEarlier(state)
  const drawn = conversation.draw(
    { view: withChildWork(view, state.conversation), older, before, notes: full.notes },
    now,
    look,
  )
  const isQuiet = view.openReply === undefined && view.calls.length === 0 && !waitsForUser(view)
  const busy = isQuiet ? drawBusy(view, now, state) : []
  const lines = busy.length > 0 ? [...drawn.lines, '', ...busy] : drawn.lines
  const status = drawStatusRows(state, now, wide, false)
  const remark = describeNewLines(full.window, lines.length)
  const dock = drawDock(state, now, { isPaned: room > 0, remark })
  const bodyRows = size.rows - status.length
  const dockRows = dock.rows.slice(Math.max(0, dock.rows.length - bodyRows + 1))
  const height = bodyRows - dockRows.length
  // Earlier blocks were added above, so the visible part moves down with its lines.
  const grown = older === full.drawnOlder ? 0 : lines.length - full.shown.lines.length
  if (grown > 0 && !full.window.follows) full.window = { ...full.window, top: full.window.top + grown }
  full.drawnOlder = older
  full.window = fitFullView(full.window, lines.length, height, view.run === undefined)
  full.shown = { lines, messages: drawn.messages, height }
  const { top } = full.window
  const visibleLines = markSelection(lines.slice(top, top + height), top, full.selection, look)
  const blank = Array.from({ length: height - visibleLines.length }, () => '')
  const mainRows = [...visibleLines, ...blank, ...dockRows].map(cutRow(look.width))
  const lost = dock.rows.length - dockRows.length
  const caret = dock.caret && { ...dock.caret, row: dock.caret.row - lost + height }
  const pane =
    room === 0
      ? undefined
      : {
          column: size.columns - room,
          rows: drawPane(
            { view, children: state.conversation.children, boards: state.overlays.boards },
            now,
            narrowLook(wide, size.columns - room + 2),
            bodyRows,
          ).map(cutRow(room - 1)),
        }
  const isSeen = caret !== undefined && caret.row >= height
  const rows = [...mainRows, ...status.map(cutRow(wide.width))]
  return { ...pageOf(rows), hasMouse: full.hasMouse, caret: isSeen ? caret : undefined, pane }
}

const pageOf = (rows: string[]): ScreenContent => ({ isPage: true, finished: [], rows })

/** Moves new notes (lines of Anode itself) to the current end of the conversation. */
function takeNotes({ hints: { notes }, conversation: { view }, display: { full } }: InlineState): void {
  const after = view.dropped + view.blocks.length
  for (const lines of notes.splice(0)) full.notes.push({ after, lines })
}
